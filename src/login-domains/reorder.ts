import { sql } from 'kysely'
import type { Caller } from '../access/caller.ts'
import { lockSiteAdminsFor } from '../access/site-admins.ts'
import { announce } from '../database/changes.ts'
import { builtInDomain, type Transaction } from '../database/tables.ts'
import { inTransaction } from '../database/transaction.ts'
import { invalidMember } from '../fault.ts'
import { notFound, wireId } from '../ids.ts'
import type { Services } from '../services.ts'
import { mostLoginDomains } from './store.ts'

/**
 * Gives the login domains but the built-in one the places 1, 2, 3 ... all at once: first those that are named, in that
 * order, then the others in the order that they have.
 * @throws NotFound; Malformed for the built-in one and for what is named twice; Unauthorized
 */
export async function reorderDomains(
  { db, vendor }: Services,
  caller: Caller,
  given: readonly string[],
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await lockSiteAdminsFor(trx, caller)
    const others = await trx
      .selectFrom('login_domain')
      .where('kind', '<>', 'local')
      .select('id')
      .limit(mostLoginDomains)
      .execute()
    const known = new Map(others.map(({ id }) => [wireId(vendor, id), id]))
    const ids = given.map((id, at) => {
      const pointer = `/LoginDomainID/${at}`
      if (id === wireId(vendor, builtInDomain)) throw invalidMember(pointer, 'must be the id of an added login domain')
      const stored = known.get(id)
      if (stored === undefined) throw notFound('login domain', id, pointer)
      if (given.indexOf(id) < at) throw invalidMember(pointer, 'is named twice')
      return stored
    })
    await storeOrder(trx, ids)
  })
}

async function storeOrder(trx: Transaction, ids: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: string }>`with ordered as (
      select d.id, row_number() over (order by g.place nulls last, d.sequence, d.id) as place
      from login_domain d left join unnest(${ids}::text[]) with ordinality as g (id, place) on g.id = d.id
      where d.kind <> 'local')
    update login_domain d set sequence = o.place, revision = revision + 1 from ordered o
    where d.id = o.id and d.sequence <> o.place returning d.id`.execute(trx)
  const [changed] = rows
  // One is enough: whoever hears of it reads all of them again.
  if (changed) await announce(trx, { kind: 'domain', id: changed.id })
}
