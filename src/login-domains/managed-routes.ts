import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { signedInCaller } from '../access/caller.ts'
import { siteAdmin } from '../access/rules.ts'
import { builtInDomain } from '../database/tables.ts'
import { LoginDomainID } from '../id-parameters.ts'
import { once, repeatable } from '../idempotency.ts'
import { notFound, storedDomainId } from '../ids.ts'
import { conditionalChange, conditionalRead, ifMatch, unlessKnown } from '../representation/etag.ts'
import { jsonAndXml } from '../representation/media-types.ts'
import type { Services } from '../services.ts'
import type { Trait } from '../traits.ts'
import { addDomain, putDomain, removeDomain } from './manage.ts'
import { LoginDomainBody, LoginDomainSequence, ManagedLoginDomain } from './managed-schemas.ts'
import { reorderDomains } from './reorder.ts'
import { readManagedDomain } from './store.ts'
import { wireManagedDomain } from './wire.ts'

const tags = ['Login domains']
const params = Type.Object({ LoginDomainID })
const namesGroups: Trait = { statuses: { 404: 'There is no such group as GroupID names.' } }
const namesDomains: Trait = { statuses: { 404: 'There is no such login domain as LoginDomainID names.' } }

/** Adding, changing and removing login domains. */
export const managedLoginDomains: FastifyPluginAsyncTypebox<Services> = async (app, services) => {
  const { db, vendor, keys } = services
  const shared = { access: siteAdmin, media: jsonAndXml }
  const response = { 200: ManagedLoginDomain }

  app.post(
    '/api/login/domains',
    {
      config: {
        ...shared,
        traits: [repeatable, namesGroups],
        examples: ['login-domain-directory', 'login-domain-provider'],
      },
      schema: { operationId: 'addLoginDomain', tags, summary: 'Add a login domain', body: LoginDomainBody, response },
    },
    async (request, reply) => {
      const added = await addDomain(services, signedInCaller(request), request.body, once(request, keys))
      app.forget({ kind: 'domain', id: storedDomainId(vendor, JSON.parse(added).LoginDomainID) })
      return reply.document(added)
    },
  )

  app.get(
    '/api/login/domains/:LoginDomainID',
    {
      config: { ...shared, traits: [conditionalRead] },
      schema: {
        operationId: 'readLoginDomain',
        tags,
        summary: 'Read a login domain with its settings',
        params,
        response,
      },
    },
    async ({ params: { LoginDomainID } }, reply) => {
      const row = await readManagedDomain(db, storedDomainId(vendor, LoginDomainID))
      if (!row) throw notFound('login domain', LoginDomainID)
      return unlessKnown(reply, String(row.revision), row, (read) => reply.send(wireManagedDomain(read, vendor)))
    },
  )

  app.put(
    '/api/login/domains/:LoginDomainID',
    {
      config: { ...shared, traits: [conditionalChange], examples: ['login-domain-directory'] },
      schema: {
        operationId: 'changeLoginDomain',
        tags,
        summary: 'Change a login domain',
        params,
        body: LoginDomainBody,
        response,
      },
    },
    async (request) => {
      const { LoginDomainID } = request.params
      const row = await putDomain(services, signedInCaller(request), LoginDomainID, request.body, ifMatch(request))
      app.forget({ kind: 'domain', id: row.id })
      return wireManagedDomain(row, vendor)
    },
  )

  app.put(
    '/api/login/domains/sequence',
    {
      config: {
        access: siteAdmin,
        media: 'none',
        takes: jsonAndXml,
        traits: [namesDomains],
        examples: ['login-domain-sequence'],
      },
      schema: {
        operationId: 'reorderLoginDomains',
        tags,
        summary: 'Put all login domains in another order at once',
        body: LoginDomainSequence,
      },
    },
    async (request, reply) => {
      await reorderDomains(services, signedInCaller(request), request.body.LoginDomainID)
      app.forget({ kind: 'domain', id: builtInDomain })
      return reply.send()
    },
  )

  app.delete(
    '/api/login/domains/:LoginDomainID',
    {
      config: { access: siteAdmin, media: 'none', traits: [conditionalChange] },
      schema: { operationId: 'removeLoginDomain', tags, summary: 'Remove a login domain that has no users', params },
    },
    async (request, reply) => {
      const { LoginDomainID } = request.params
      await removeDomain(services, signedInCaller(request), LoginDomainID, ifMatch(request))
      app.forget({ kind: 'domain', id: storedDomainId(vendor, LoginDomainID) })
      return reply.send()
    },
  )
}
