import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { reader } from '../access/rules.ts'
import { storedId } from '../ids.ts'
import { knownState, unlessKnown } from '../representation/etag.ts'
import type { Services } from '../services.ts'
import { readAvatar } from './avatar.ts'

/** The pictures of APIs. */
export const avatars: FastifyPluginAsyncTypebox<Services> = async (app, { db, vendor }) => {
  app.get(
    '/api/apis/:APIID/avatar',
    {
      // Pictures are what they are, whatever is accepted.
      config: { access: reader, media: 'none' },
      schema: { summary: 'Read the picture of an API', params: Type.Object({ APIID: Type.String() }) },
    },
    async (request, reply) => {
      const { APIID } = request.params
      const id = storedId(vendor, APIID, '[api]')
      const { state, mediaType, bytes } = await readAvatar(db, request.caller, id, APIID, knownState(request))
      return unlessKnown(reply, state, () =>
        reply
          .headers({
            'content-disposition': `inline; filename="avatar.${mediaType.replace('image/', '')}"`,
            // Opened as a page of its own, it is nothing but a picture.
            'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
          })
          .type(mediaType)
          .send(bytes),
      )
    },
  )
}
