import { sql } from 'kysely'
import type { Database, Transaction } from '../database/tables.ts'
import { Malformed } from '../fault.ts'
import { notFound } from '../ids.ts'
import { pictureType } from '../picture-type.ts'
import { changeDomain, lockDomain } from './managed-store.ts'

export interface Logo {
  mediaType: string
  bytes: Buffer
}

/** The image that bytes are, by what they begin with. @throws Malformed when they are none that browsers show alike */
export function logoOf(bytes: Buffer): Logo {
  const mediaType = pictureType(bytes)
  if (!mediaType) throw new Malformed('The body must be a PNG, JPEG, GIF or WebP image.')
  return { mediaType, bytes }
}

/** Gives a login domain a logo, or takes it away. @throws NotFound */
export async function changeLogo(trx: Transaction, id: string, givenId: string, logo: Logo | undefined): Promise<void> {
  await lockDomain(trx, id, givenId)
  await trx.deleteFrom('login_domain_logo').where('domain_id', '=', id).execute()
  if (logo) {
    const { mediaType, bytes } = logo
    await trx.insertInto('login_domain_logo').values({ domain_id: id, media_type: mediaType, bytes }).execute()
  }
  await changeDomain(trx, id, { logo_assigned: logo !== undefined })
}

/**
 * The logo and its state, which is the revision of its domain; without bytes when the client has that state.
 * @throws NotFound when there is no such domain, or it has none
 */
export async function readLogo(db: Database, id: string, givenId: string, knownStates: string[] | undefined) {
  const state = sql<string>`d.revision::text`
  const logo = await db
    .selectFrom('login_domain_logo as l')
    .innerJoin('login_domain as d', 'd.id', 'l.domain_id')
    .where('l.domain_id', '=', id)
    .select([state.as('state'), 'l.media_type as mediaType'])
    .select(
      sql<Buffer | null>`case when ${state} = any(${knownStates ?? null}::text[]) then null else l.bytes end`.as(
        'bytes',
      ),
    )
    .executeTakeFirst()
  if (!logo) throw notFound('logo of a login domain', givenId)
  return logo
}
