import type { Answer, Client } from './client.ts'

export interface FormFile {
  content: string | Buffer
  name?: string
  field?: string
}

const boundary = '----a-boundary'

/** A multipart form with these files, as browsers send it. */
export function formOf(files: FormFile[], fields: Record<string, string> = {}): Buffer {
  const parts = Object.entries(fields).map(([name, value]) =>
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
  )
  for (const { content, name = 'petstore.yaml', field = 'FileName' } of files) {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`
    parts.push(Buffer.from(head), Buffer.from(content), Buffer.from('\r\n'))
  }
  return Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)])
}

export const formType = { 'content-type': `multipart/form-data; boundary=${boundary}` }

/** Sends one file to import. */
export function sendFile(
  client: Client,
  content: string | Buffer,
  more: Omit<FormFile, 'content'> = {},
  headers = {},
): Promise<Answer> {
  return client.post('/api/dropbox/readfiledetails', formOf([{ content, ...more }]), { ...formType, ...headers })
}

/** Sends one file, and gives what a request says to import it. */
export async function descriptorOf(client: Client, content: string | Buffer) {
  const { status, json, text } = await sendFile(client, content)
  if (status !== 200) throw new Error(`could not send a file: ${text}`)
  const [{ FileName, ServiceName }] = json.ServiceDescriptorDocument
  return { ServiceDescriptorReference: { ServiceName: ServiceName[0], FileName, DropboxFileId: json.DropboxFileId } }
}

/** Sends one picture. */
export function sendPicture(client: Client, content: Buffer, name = 'picture.png'): Promise<Answer> {
  return client.post('/api/dropbox/pictures', formOf([{ content, name }]), formType)
}
