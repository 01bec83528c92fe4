import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { anyone } from '../access/rules.ts'
import { wireId } from '../ids.ts'
import { programVersion } from '../program-version.ts'
import { jsonAndXml } from '../representation/media-types.ts'
import type { Services } from '../services.ts'
import { TenantProperties } from './schemas.ts'

/** What clients ask before anything else. */
export const properties: FastifyPluginAsyncTypebox<Services> = async (app, { config, vendor }) => {
  app.get(
    '/api/properties',
    {
      config: { access: anyone, media: jsonAndXml },
      schema: {
        operationId: 'readProperties',
        tags: ['Properties'],
        summary: 'Read the properties of the tenant',
        response: { 200: TenantProperties },
      },
    },
    async () => ({
      TenantID: vendor.fedmemberId,
      TenantName: config.tenantName ?? vendor.fedmemberId,
      SiteAdminGroupID: wireId(vendor, 'tenantadmin'),
      BusinessAdminGroupID: wireId(vendor, 'businessadmin'),
      Version: programVersion,
    }),
  )
}
