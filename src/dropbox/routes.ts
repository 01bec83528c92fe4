import multipart from '@fastify/multipart'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { type Static, Type } from 'typebox'
import { signedInCaller } from '../access/caller.ts'
import { signedIn } from '../access/rules.ts'
import { escapeHtml } from '../html.ts'
import { wireId } from '../ids.ts'
import { fileReader } from '../imports/reader.ts'
import type { Services } from '../services.ts'
import { insertPicture } from './pictures.ts'
import { FileDetails, SentPicture } from './schemas.ts'
import { sentFile } from './sent-file.ts'
import { insertFile } from './store.ts'

const pictureLimit = 1_048_576

const tags = ['Import']
const description =
  'Sent again, it is stored again, also with the same Idempotency-Key; what is not used goes after a day.'
const html = Type.Object({
  wrapInHTML: Type.Optional(Type.Boolean({ description: 'Whether to answer the JSON as the text of an HTML page.' })),
})

/** Pictures, and files to import, read as they are sent. */
export const dropbox: FastifyPluginAsyncTypebox<Services> = async (app, { db, vendor, config, threadFile }) => {
  const reader = fileReader(threadFile)
  app.addHook('onClose', reader.close)
  await app.register(multipart)

  app.post(
    '/api/dropbox/readfiledetails',
    {
      // Whatever is accepted, the answer is JSON.
      config: { access: signedIn, media: 'none', takes: 'file', gives: ['application/json', 'text/html'] },
      schema: {
        operationId: 'readFileDetails',
        tags,
        summary: 'Send an API description to import, and hear what it describes',
        description,
        querystring: html,
        response: { 200: FileDetails },
      },
    },
    async (request, reply) => {
      const caller = signedInCaller(request)
      const { name, bytes } = await sentFile(request, config.dropboxFileLimit)
      const file = await reader.read(caller.userId, bytes, name)
      const details: Static<typeof FileDetails> = {
        FileName: name,
        FileType: file.mediaType,
        DropboxFileId: await insertFile(db, caller, name, bytes, file),
        ServiceDescriptorDocument: [
          { FileName: name, DescriptorType: file.descriptorType, ServiceName: [file.serviceName] },
        ],
      }
      return request.query.wrapInHTML ? sendInHtml(reply, details) : details
    },
  )

  app.post(
    '/api/dropbox/pictures',
    {
      config: { access: signedIn, media: 'none', takes: 'file', gives: ['application/json', 'text/html'] },
      schema: {
        operationId: 'sendPicture',
        tags,
        summary: 'Send a picture for an API',
        description,
        querystring: html,
        response: { 200: SentPicture },
      },
    },
    async (request, reply) => {
      const { bytes } = await sentFile(request, pictureLimit)
      const id = await insertPicture(db, signedInCaller(request), bytes)
      const picture: Static<typeof SentPicture> = { PictureID: wireId(vendor, id) }
      return request.query.wrapInHTML ? sendInHtml(reply, picture) : picture
    },
  )
}

/** For pages that send the form into a frame and read the answer there. */
function sendInHtml(reply: FastifyReply, answer: unknown): FastifyReply {
  reply.type('text/html; charset=utf-8').serializer((html: string) => html)
  return reply.send(`<!DOCTYPE html><html><body>${escapeHtml(JSON.stringify(answer))}</body></html>`)
}
