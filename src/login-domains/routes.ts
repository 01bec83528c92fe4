import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { type Caller, signedInCaller } from '../access/caller.ts'
import { knownUserId } from '../access/known-user.ts'
import { anyone, selfOrSiteAdmin } from '../access/rules.ts'
import { UserID } from '../id-parameters.ts'
import { notFound } from '../ids.ts'
import { json, jsonAndXml } from '../representation/media-types.ts'
import type { Services } from '../services.ts'
import { rememberLoginDomains } from './remembered.ts'
import { cacheQuery, LoginDomain, LoginDomains } from './schemas.ts'
import { isValidFor, type LoginDomainRow, readDomainIdOfUser, readLoginDomains } from './store.ts'
import { wireLoginDomain } from './wire.ts'

const tags = ['Login domains']

/** Where people may sign in. */
export const loginDomains: FastifyPluginAsyncTypebox<Services> = async (app, { db, vendor }) => {
  const domains = rememberLoginDomains(() => readLoginDomains(db))
  app.onChange(({ kind }) => {
    if (kind === 'domain') domains.forget()
  })

  app.get(
    '/api/login/domains',
    {
      config: { access: anyone, media: json },
      schema: {
        operationId: 'listLoginDomains',
        tags,
        summary: 'List login domains',
        querystring: Type.Object({
          all: Type.Optional(Type.Boolean({ description: 'Whether to include domains of other hosts.' })),
          IncludeDisabled: Type.Optional(Type.Boolean({ description: 'Whether to include disabled domains.' })),
          ...cacheQuery,
        }),
        response: { 200: LoginDomains },
      },
    },
    async ({ query: { all = false, IncludeDisabled = false, cache = true }, hostname }) => {
      const rows = await domains.get(!cache)
      return rows
        .filter((row) => IncludeDisabled || row.enabled)
        .filter((row) => all || isValidFor(row, hostname))
        .map((row) => wireLoginDomain(row, vendor))
    },
  )

  app.get(
    '/api/users/:UserID/logindomain',
    {
      config: { access: selfOrSiteAdmin, media: jsonAndXml },
      schema: {
        operationId: 'readLoginDomainOfUser',
        tags,
        summary: 'Get the login domain of a user',
        params: Type.Object({ UserID }),
        querystring: Type.Object(cacheQuery),
        response: { 200: LoginDomain },
      },
    },
    async (request) => domainOf(signedInCaller(request), request.params.UserID, request.query.cache ?? true),
  )

  async function domainOf(caller: Caller, userId: string, cache: boolean) {
    const domainId = await readDomainIdOfUser(db, knownUserId(vendor, caller, userId))
    const theirs = ({ id }: LoginDomainRow) => id === domainId
    // A domain that is not remembered may be a new one.
    const row = (await domains.get(!cache)).find(theirs) ?? (await domains.get(true)).find(theirs)
    if (!row) throw notFound('user', userId)
    return wireLoginDomain(row, vendor)
  }
}
