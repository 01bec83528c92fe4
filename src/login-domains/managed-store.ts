import { sql } from 'kysely'
import { announce } from '../database/changes.ts'
import { brokenUniqueness } from '../database/errors.ts'
import type { DomainKind, RoleRule, Transaction } from '../database/tables.ts'
import { invalidMember, Malformed } from '../fault.ts'
import { notFound, wireId } from '../ids.ts'
import type { Vendor } from '../vendor.ts'
import type { Draft } from './draft.ts'
import { type ManagedRow, managedColumns, mostLoginDomains } from './store.ts'

/**
 * The login domain, locked until the transaction ends: for a removal, users cannot be added to it either.
 * @throws NotFound
 */
export async function lockDomain(trx: Transaction, id: string, givenId: string, removal = false) {
  const domain = trx.selectFrom('login_domain').where('id', '=', id).select(managedColumns)
  const row = await (removal ? domain.forUpdate() : domain.forNoKeyUpdate()).executeTakeFirst()
  if (!row) throw notFound('login domain', givenId)
  return row
}

/** Stores a new login domain, behind the last one unless its place is given. @throws Malformed */
export async function insertDomain(
  trx: Transaction,
  id: string,
  kind: DomainKind,
  { sequence, settings, role_rules, ...draft }: Draft,
  secret: string | null,
): Promise<ManagedRow> {
  const { count, last } = await trx
    .selectFrom('login_domain')
    .select(sql<number>`count(*)::integer`.as('count'))
    .select(sql<number>`greatest(max(sequence), 0)`.as('last'))
    .executeTakeFirstOrThrow()
  if (count >= mostLoginDomains) throw new Malformed(`There are ${count} login domains, and no more may be added.`)
  const values = { ...draft, id, kind, secret, sequence: sequence ?? last + 1, ...asJson({ settings, role_rules }) }
  await announce(trx, { kind: 'domain', id })
  return unlessTaken(() =>
    trx.insertInto('login_domain').values(values).returning(managedColumns).executeTakeFirstOrThrow(),
  )
}

/** Changes what `draft` says; a secret that is undefined stays. @throws Malformed */
export async function changeDomain(
  trx: Transaction,
  id: string,
  { settings, role_rules, ...draft }: Partial<Draft> & { logo_assigned?: boolean },
  secret?: string | null,
): Promise<ManagedRow> {
  const values = { ...draft, secret, ...asJson({ settings, role_rules }) }
  const row = await unlessTaken(() =>
    trx
      .updateTable('login_domain')
      .set({ ...defined(values), revision: sql`revision + 1` })
      .where('id', '=', id)
      .returning(managedColumns)
      .executeTakeFirstOrThrow(),
  )
  await announce(trx, { kind: 'domain', id })
  return row
}

/** @throws Malformed while the domain has users: what they own would be nobody's. */
export async function deleteDomain(trx: Transaction, id: string): Promise<void> {
  const users = trx.selectFrom('app_user').where('domain_id', '=', id).select('id').limit(1001).as('u')
  const { count } = await trx
    .selectFrom(users)
    .select(sql<number>`count(*)::integer`.as('count'))
    .executeTakeFirstOrThrow()
  if (count > 0) {
    const shown = count > 1000 ? 'more than 1000 users' : count === 1 ? '1 user' : `${count} users`
    throw new Malformed(`The login domain has ${shown} and cannot be deleted; it can be disabled.`)
  }
  await trx.deleteFrom('login_domain').where('id', '=', id).execute()
  await announce(trx, { kind: 'domain', id })
}

/** @throws NotFound for a rule about a group that is not there. */
export async function checkGroups(trx: Transaction, rules: readonly RoleRule[], vendor: Vendor): Promise<void> {
  const ids = rules.map(({ groupId }) => groupId)
  const given = [...new Set(ids.flatMap((id) => id ?? []))]
  if (given.length === 0) return
  const found = await trx.selectFrom('admin_group').where('id', 'in', given).select('id').execute()
  const known = new Set(found.map(({ id }) => id))
  for (const [index, id] of ids.entries()) {
    if (id !== undefined && !known.has(id)) throw notFound('group', wireId(vendor, id), `/RoleRule/${index}/GroupID`)
  }
}

async function unlessTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (brokenUniqueness(error)) throw invalidMember('/DomainName', "is another login domain's")
    throw error
  }
}

function asJson({ settings, role_rules }: { settings?: object | undefined; role_rules?: RoleRule[] | undefined }) {
  return {
    ...(settings && { settings: JSON.stringify(settings) }),
    ...(role_rules && { role_rules: JSON.stringify(role_rules) }),
  }
}

function defined<T extends object>(values: T): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T
}
