import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { siteAdmin } from '../access/rules.ts'
import { storedDomainId } from '../ids.ts'
import { pageOf } from '../lists/page-of.ts'
import { invalidParameter, paged, placeParameters } from '../lists/parameters.ts'
import { firstByName } from '../lists/sort.ts'
import { about, Text } from '../representation/formats.ts'
import { jsonAndXml } from '../representation/media-types.ts'
import type { Services } from '../services.ts'
import type { Trait } from '../traits.ts'
import type { Vendor } from '../vendor.ts'
import { readUsers, type UserFilter } from './list.ts'
import { Users } from './schemas.ts'
import { wireUser } from './wire.ts'

const Query = Type.Object({
  name: Type.Optional(about('The beginning of the name, in any case.', Text(200))),
  email: Type.Optional(about('The beginning of the e-mail address, in any case; the list is sorted by it.', Text(254))),
  domain: Type.Optional(about('Id of a login domain: only its users.', Text(200))),
  ...placeParameters,
})

const ofDomain: Trait = { statuses: { 404: 'What domain names cannot be a login domain.' } }

/** The list of users. */
export const userList: FastifyPluginAsyncTypebox<Services> = async (app, { db, vendor, keys }) => {
  app.get(
    '/api/users',
    {
      config: { access: siteAdmin, media: jsonAndXml, traits: [paged, ofDomain] },
      schema: {
        operationId: 'listUsers',
        tags: ['Users'],
        summary: 'List users',
        querystring: Query,
        response: { 200: Users },
      },
    },
    async (request, reply) => {
      const filter = filterOf(request.query, vendor)
      const rows = await pageOf(request, reply, keys, firstByName, [(place) => readUsers(db, filter, place)])
      return rows.map((row) => wireUser(row, vendor))
    },
  )
}

/** @throws Malformed, NotFound */
function filterOf({ name, email, domain }: Static<typeof Query>, vendor: Vendor): UserFilter {
  if (name && email) throw invalidParameter('email', 'and /name exclude each other')
  return {
    by: email ? 'email' : 'user_name',
    beginning: email || name || '',
    domainId: domain ? storedDomainId(vendor, domain, '/domain') : undefined,
  }
}
