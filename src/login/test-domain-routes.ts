import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { siteAdmin } from '../access/rules.ts'
import { Malformed } from '../fault.ts'
import { LoginDomainID } from '../id-parameters.ts'
import { notFound, storedDomainId, wireId } from '../ids.ts'
import { readSignInDomain } from '../login-domains/sign-in.ts'
import { jsonAndXml } from '../representation/media-types.ts'
import type { Services } from '../services.ts'
import type { Trait } from '../traits.ts'
import { LoginDomainTest } from './schemas.ts'
import type { Step } from './ways/way.ts'
import { wayOf } from './ways/ways.ts'

const secretIsLost: Step = { step: 'Read the secret', failure: 'None of SECRET_KEYS opens it: give it again.' }
const busy: Trait = { statuses: { 429: 'It is being tried too often at this moment: wait.' } }

/** Trying whether signing in through a login domain could work. */
export const domainTest: FastifyPluginAsyncTypebox<Services> = async (app, services) => {
  const { db, vendor } = services

  app.post(
    '/api/login/domains/:LoginDomainID/test',
    {
      config: { access: siteAdmin, media: jsonAndXml, traits: [busy] },
      schema: {
        operationId: 'testLoginDomain',
        tags: ['Login domains'],
        summary: 'Try step by step to reach the directory or provider of a login domain',
        params: Type.Object({ LoginDomainID }),
        response: { 200: LoginDomainTest },
      },
    },
    async ({ params: { LoginDomainID } }) => {
      const domain = await readSignInDomain(db, services, wireId(vendor, storedDomainId(vendor, LoginDomainID)))
      if (!domain) throw notFound('login domain', LoginDomainID)
      if (domain.kind === 'local')
        throw new Malformed('The built-in login domain asks nobody: there is nothing to try.')
      const steps = domain.secretIsLost ? [secretIsLost] : await wayOf(domain).test(domain)
      return {
        Step: steps.map(({ step, failure }) => ({
          Name: step,
          Passed: failure === undefined,
          ...(failure !== undefined && { Failure: failure }),
        })),
      }
    },
  )
}
