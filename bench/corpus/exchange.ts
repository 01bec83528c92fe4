import { setTimeout as sleep } from 'node:timers/promises'
import { type Headers, send } from '../client.ts'

const v81 = 'application/vnd.platform.v81+json'

/** The service, as one caller reaches it. */
export interface Site {
  url: string
  headers: Headers
}

/** Why the service did not take a document. */
export class Refused extends Error {}

/** Sends a document and makes an API of it. @throws Refused @returns the API as the service answers it. */
export async function importDocument({ url, headers }: Site, bytes: Buffer, name: string) {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)]), name)
  const sent = await fetch(`${url}/api/dropbox/readfiledetails`, { method: 'POST', headers, body: form })
  const text = await sent.text()
  if (!sent.ok) throw refused(sent.status, text)
  const { DropboxFileId, ServiceDescriptorDocument } = JSON.parse(text)
  const ServiceName = ServiceDescriptorDocument[0].ServiceName[0]
  const created = await fetch(`${url}/api/apis`, {
    method: 'POST',
    headers: { ...headers, 'content-type': v81 },
    body: JSON.stringify({ DLDescriptor: { ServiceDescriptorReference: { ServiceName, DropboxFileId } } }),
  })
  const answer = await created.text()
  if (!created.ok) throw refused(created.status, answer)
  return JSON.parse(answer)
}

function refused(status: number, fault: string): Refused {
  return new Refused(`${status} ${JSON.parse(fault).detail}`)
}

/** A description of a version, with what it says that it does not express. */
export async function readDescription({ url, headers }: Site, versionId: string, word: string) {
  const path = word === 'swagger11' ? 'swagger/all' : `definition/${word}`
  const answer = await read(`${url}/api/apis/versions/${versionId}/${path}`, headers)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${word} is answered ${answer.status}`)
  const document = JSON.parse(text)
  const header = answer.headers.get('x-not-expressed')
  const omissions: { operation?: string; reason: string }[] =
    document['x-not-expressed'] ?? (header ? JSON.parse(header) : [])
  return { document, omissions }
}

export async function readOriginal({ url, headers }: Site, versionId: string): Promise<Buffer> {
  const answer = await read(`${url}/api/apis/versions/${versionId}/definition/openapi?original=true`, headers)
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (!answer.ok) throw new Error(`the original is answered ${answer.status}`)
  return bytes
}

/** Reads, and again while the answer is that the machine has too much to do just now. */
async function read(address: string, headers: Headers): Promise<Response> {
  for (let left = 5; ; left--) {
    const answer = await fetch(address, { headers: { ...headers, accept: 'application/json' } })
    if (answer.status !== 503 || left === 0) return answer
    await answer.text()
    await sleep(1000)
  }
}

export async function removeApi({ url, headers }: Site, apiId: string): Promise<void> {
  await send(url, { method: 'DELETE', path: `/api/apis/${apiId}`, headers })
}
