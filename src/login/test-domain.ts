import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { siteAdmin } from '../access/rules.ts'
import { Malformed } from '../fault.ts'
import { notFound, storedDomainId, wireId } from '../ids.ts'
import { readSignInDomain } from '../login-domains/sign-in.ts'
import { jsonAndXml } from '../representation/media-types.ts'
import type { Services } from '../services.ts'
import { LoginDomainTest } from './schemas.ts'
import { wayOf } from './ways/ways.ts'

/** Trying whether signing in through a login domain could work. */
export const domainTest: FastifyPluginAsyncTypebox<Services> = async (app, services) => {
  const { db, vendor } = services

  app.post(
    '/api/login/domains/:LoginDomainID/test',
    {
      config: { access: siteAdmin, media: jsonAndXml },
      schema: {
        summary: 'Try step by step to reach the directory or provider of a login domain',
        params: Type.Object({ LoginDomainID: Type.String() }),
        response: { 200: LoginDomainTest },
      },
    },
    async ({ params: { LoginDomainID } }) => {
      const domain = await readSignInDomain(db, services, wireId(vendor, storedDomainId(vendor, LoginDomainID)))
      if (!domain) throw notFound('login domain', LoginDomainID)
      if (domain.kind === 'local')
        throw new Malformed('The built-in login domain asks nobody: there is nothing to try.')
      const steps = await wayOf(domain).test(domain)
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
