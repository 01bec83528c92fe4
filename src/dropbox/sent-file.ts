import '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { FaultError, Malformed, RequestTooLarge } from '../fault.ts'
import { asText } from '../representation/formats.ts'

// What a form has beside its file, with room to spare.
const roomForForm = 524_288

export interface SentFile {
  name: string
  bytes: Buffer
}

/**
 * The one file of a multipart form, in a field of any name.
 * @throws Malformed, RequestTooLarge
 */
export async function sentFile(request: FastifyRequest, limit: number): Promise<SentFile> {
  const files: SentFile[] = []
  if (Number(request.headers['content-length']) > limit + roomForForm) throw tooLarge(limit)
  try {
    const limits = { fileSize: limit, files: 2, fields: 20, fieldSize: 10_000, parts: 22, headerPairs: 50 }
    for await (const part of request.parts({ limits })) {
      if (part.type !== 'file') continue
      const name = asText(part.filename.slice(-255)) || 'unnamed'
      files.push({ name, bytes: await part.toBuffer() })
      if (files.length > 1) throw new Malformed('The form must have one file, not two.')
    }
  } catch (error) {
    // Nobody reads the rest any more, not even part by part.
    request.raw.unpipe().resume()
    throw formFault(error, limit)
  }
  if (!files[0]) throw new Malformed('The form has no file: a part with a filename is needed.')
  return files[0]
}

function tooLarge(limit: number): RequestTooLarge {
  return new RequestTooLarge(`The file is larger than ${limit} bytes.`)
}

function formFault(error: unknown, limit: number): Error {
  if (error instanceof FaultError) return error
  const { statusCode, code } = error as { statusCode?: number; code?: string }
  if (code === 'FST_REQ_FILE_TOO_LARGE') return tooLarge(limit)
  if (code === 'FST_PROTO_VIOLATION')
    return new Malformed('A field of the form has a name that every object has, such as constructor: call it file.')
  if (statusCode === 413) return new RequestTooLarge('The form has more parts than this operation takes.')
  return new Malformed('The body is not a well-formed multipart/form-data form.')
}
