import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { reader } from '../access/rules.ts'
import { APIID } from '../id-parameters.ts'
import { storedId } from '../ids.ts'
import { pictureTypes } from '../picture-type.ts'
import { conditionalRead, knownStates, unlessKnown } from '../representation/etag.ts'
import type { Services } from '../services.ts'
import type { Trait } from '../traits.ts'
import { readAvatar } from './avatar.ts'

const picture: Trait = { answerHeaders: { 'Content-Disposition': 'The name of the file.' } }

/** The pictures of APIs. */
export const avatars: FastifyPluginAsyncTypebox<Services> = async (app, { db, vendor }) => {
  app.get(
    '/api/apis/:APIID/avatar',
    {
      // Pictures are what they are, whatever is accepted.
      config: { access: reader, media: 'none', gives: pictureTypes, traits: [conditionalRead, picture] },
      schema: {
        operationId: 'readAvatar',
        tags: ['APIs'],
        summary: 'Read the picture of an API',
        params: Type.Object({ APIID }),
      },
    },
    async (request, reply) => {
      const { APIID } = request.params
      const id = storedId(vendor, APIID, 'API')
      const { state, mediaType, bytes } = await readAvatar(db, request.caller, id, APIID, knownStates(request))
      return unlessKnown(reply, state, bytes, (read) =>
        reply
          .headers({
            'content-disposition': `inline; filename="avatar.${mediaType.replace('image/', '')}"`,
            // Opened as a page of its own, it is nothing but a picture.
            'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
          })
          .type(mediaType)
          .send(read),
      )
    },
  )
}
