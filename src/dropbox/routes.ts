import multipart from '@fastify/multipart'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { signedInCaller } from '../access/caller.ts'
import { signedIn } from '../access/rules.ts'
import { UnsupportedMediaType } from '../fault.ts'
import { fileReader } from '../imports/reader.ts'
import type { Services } from '../services.ts'
import { FileDetails } from './schemas.ts'
import { sentFile } from './sent-file.ts'
import { insertFile } from './store.ts'

/** Files to import, read as they are sent. */
export const dropbox: FastifyPluginAsyncTypebox<Services> = async (app, { db, config, importWorker }) => {
  const reader = fileReader(importWorker)
  app.addHook('onClose', reader.close)
  await app.register(multipart)

  app.post(
    '/api/dropbox/readfiledetails',
    {
      // Whatever is accepted, the answer is JSON.
      config: { access: signedIn, media: 'none' },
      schema: {
        summary: 'Send an API description to import, and hear what it describes',
        querystring: Type.Object({ wrapInHTML: Type.Optional(Type.Boolean()) }),
        response: { 200: FileDetails },
      },
      preParsing: (request, _reply, _payload, done) => done(wrongContent(request)),
    },
    async (request, reply) => {
      const { name, bytes } = await sentFile(request, config.dropboxFileLimit)
      const file = await reader.read(bytes, name)
      const details: Static<typeof FileDetails> = {
        FileName: name,
        FileType: file.mediaType,
        DropboxFileId: await insertFile(db, signedInCaller(request), name, bytes, file),
        ServiceDescriptorDocument: [
          { FileName: name, DescriptorType: file.descriptorType, ServiceName: [file.serviceName] },
        ],
      }
      if (!request.query.wrapInHTML) return details
      reply.type('text/html; charset=utf-8').serializer((html: string) => html)
      return reply.send(htmlOf(JSON.stringify(details)) as never)
    },
  )
}

function wrongContent({ headers }: FastifyRequest): UnsupportedMediaType | null {
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity'
  return type === 'multipart/form-data' && encoding === 'identity'
    ? null
    : new UnsupportedMediaType('This operation takes multipart/form-data with one file, not compressed.')
}

/** For pages that send the form into a frame and read the answer there. */
function htmlOf(text: string): string {
  const escaped = text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
  return `<!DOCTYPE html><html><body>${escaped}</body></html>`
}
