import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { type Caller, signedInCaller } from '../access/caller.ts'
import { anyone, siteAdmin } from '../access/rules.ts'
import { lockSiteAdmin } from '../access/site-admins.ts'
import { inTransaction } from '../database/transaction.ts'
import { Malformed } from '../fault.ts'
import { LoginDomainID } from '../id-parameters.ts'
import { storedDomainId } from '../ids.ts'
import { pictureTypes } from '../picture-type.ts'
import { conditionalRead, knownStates, unlessKnown } from '../representation/etag.ts'
import type { Services } from '../services.ts'
import { changeLogo, type Logo, logoOf, readLogo } from './logo.ts'

const url = '/api/login/domains/:LoginDomainID/logo'
const params = Type.Object({ LoginDomainID })
const tags = ['Login domains']
const largest = 262_144

/** The pictures of login domains, for pages on which people choose one. */
export const loginDomainLogos: FastifyPluginAsyncTypebox<Services> = async (app, { db, vendor }) => {
  app.addContentTypeParser(
    /^image\//i,
    { parseAs: 'buffer', bodyLimit: largest },
    async (_: unknown, bytes: Buffer) => bytes,
  )

  app.put(
    url,
    {
      config: { access: siteAdmin, media: 'none', takes: 'picture' },
      schema: { operationId: 'giveLogo', tags, summary: 'Give a login domain a logo', params },
    },
    async (request, reply) => {
      if (!Buffer.isBuffer(request.body)) throw new Malformed('The body must be an image.')
      await change(signedInCaller(request), request.params.LoginDomainID, logoOf(request.body))
      return reply.send()
    },
  )

  app.delete(
    url,
    {
      config: { access: siteAdmin, media: 'none' },
      schema: { operationId: 'takeLogo', tags, summary: 'Take the logo from a login domain', params },
    },
    async (request, reply) => {
      await change(signedInCaller(request), request.params.LoginDomainID, undefined)
      return reply.send()
    },
  )

  app.get(
    url,
    {
      config: { access: anyone, media: 'none', gives: pictureTypes, traits: [conditionalRead] },
      schema: { operationId: 'readLogo', tags, summary: 'The logo of a login domain', params },
    },
    async (request, reply) => {
      const { LoginDomainID } = request.params
      const id = storedDomainId(vendor, LoginDomainID)
      const { state, mediaType, bytes } = await readLogo(db, id, LoginDomainID, knownStates(request))
      return unlessKnown(reply, state, bytes, (read) => reply.type(mediaType).send(read))
    },
  )

  async function change(caller: Caller, domainId: string, logo: Logo | undefined): Promise<void> {
    const id = storedDomainId(vendor, domainId)
    await inTransaction(db, async (trx) => {
      await lockSiteAdmin(trx, caller)
      await changeLogo(trx, id, domainId, logo)
    })
    app.forget({ kind: 'domain', id })
  }
}
