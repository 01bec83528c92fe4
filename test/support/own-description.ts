import type { FastifyInstance } from 'fastify'
import { keyRing } from '../../src/access/keys.ts'
import { buildApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { connect } from '../../src/database/connect.ts'
import type { Document } from '../../src/own-description/openapi.ts'
import { vendorNames } from '../../src/vendor.ts'

/** The service without a database: it has its routes, and no more is asked of it. */
export async function appAlone(settings: Record<string, string> = {}): Promise<FastifyInstance> {
  const config = readConfig({ LOG_LEVEL: 'silent', ...settings })
  const connection = { host: 'nowhere.invalid' }
  const db = connect(connection, { poolSize: 1, namedStatements: true, onIdleError: () => {} })
  return buildApp({ config, vendor: vendorNames(config), keys: keyRing(['k'.repeat(32)]), db, connection })
}

/** What the service says of itself. */
export async function describedBy(app: FastifyInstance): Promise<Document> {
  return JSON.parse((await app.ownDescription()).json)
}
