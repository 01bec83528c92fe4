import { dump, load } from 'js-yaml'
import { send } from './client.ts'
import { median } from './report.ts'
import { imports } from './settings.ts'
import { example, type Site } from './site.ts'

/** The import of one document, one after another; the times in ms, medians. */
export interface Import {
  format: string
  bytes: number
  upload: number
  create: number
  /** The parse of the same document by the library that the service uses, alone. */
  parse: number
}

const bytes = 200_000

/** Imports a document of 200 kB in each format some times, and removes each API. */
export async function measureImports(site: Site): Promise<Import[]> {
  process.stdout.write('importing ')
  const document = largeDocument()
  const found = []
  for (const [format, text, parse] of [
    ['JSON', JSON.stringify(document), JSON.parse],
    ['YAML', dump(document), load],
  ] as const) {
    const times = { upload: [] as number[], create: [] as number[], parse: [] as number[] }
    for (let time = 0; time < imports; time++) {
      const file = await timed(times.upload, () => upload(site, text))
      await remove(site, await timed(times.create, () => create(site, file)))
      await timed(times.parse, async () => parse(text))
      process.stdout.write('.')
    }
    found.push({
      format,
      bytes: Buffer.byteLength(text),
      upload: median(times.upload),
      create: median(times.create),
      parse: median(times.parse),
    })
  }
  process.stdout.write('\n')
  return found
}

async function timed<Result>(times: number[], run: () => Promise<Result>): Promise<Result> {
  const began = performance.now()
  const result = await run()
  times.push(performance.now() - began)
  return result
}

async function upload({ service, headers }: Site, text: string): Promise<number> {
  const form = new FormData()
  form.append('file', new Blob([text]), 'large')
  const answer = await fetch(`${service.url}/api/dropbox/readfiledetails`, { method: 'POST', headers, body: form })
  if (!answer.ok) throw new Error(`the document was answered ${answer.status}: ${await answer.text()}`)
  return ((await answer.json()) as { DropboxFileId: number }).DropboxFileId
}

async function create({ service, headers }: Site, file: number): Promise<string> {
  const DLDescriptor = { ServiceDescriptorReference: { ServiceName: title, DropboxFileId: file } }
  const answer = await send(service.url, {
    method: 'POST',
    path: '/api/apis',
    headers: { ...headers, 'content-type': 'application/vnd.platform.v81+json' },
    body: JSON.stringify({ DLDescriptor }),
  })
  return JSON.parse(answer).APIID
}

async function remove({ service, headers }: Site, api: string): Promise<void> {
  await send(service.url, { method: 'DELETE', path: `/api/apis/${api}`, headers })
}

const title = 'Large'

/** The operations of the example with answers and schemas, again and again below other paths. */
function largeDocument(): object {
  const { Operation: operations } = JSON.parse(example('version.json')).Operations
  const paths: Record<string, object> = {}
  const schemas: Record<string, object> = {}
  const document = { openapi: '3.0.3', info: { title, version: '1.0' }, paths, components: { schemas } }
  let length = 0
  for (let number = 0; length < bytes; number++) {
    const name = `Thing${number}`
    const { Name, Method, Path, Input } = operations[number % operations.length]
    const schema = { $ref: `#/components/schemas/${name}` }
    const path = `/area${number}${Path.replace(/:[^{}]*\}/, '}')}`
    const parameters = Input.map((input: { Name: string; Type: string }) => ({
      name: input.Name,
      in: input.Type,
      required: true,
      schema: { type: 'string' },
    }))
    const responses = { 200: { description: 'Found.', content: { 'application/json': { schema } } } }
    paths[path] = { [Method.toLowerCase()]: { operationId: `${Name}${number}`, parameters, responses } }
    schemas[name] = {
      type: 'object',
      description: 'What one of these things is known by.',
      properties: { id: { type: 'string', format: 'uuid' }, next: schema },
    }
    length += JSON.stringify([path, paths[path], name, schemas[name]]).length
  }
  return document
}
