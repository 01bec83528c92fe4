import { sql } from 'kysely'
import { lockRights } from '../access/entitlement.ts'
import { announce } from '../database/changes.ts'
import type { Database, Role, RoleRule, Transaction } from '../database/tables.ts'
import { Unauthorized } from '../fault.ts'
import { newId } from '../ids.ts'

/** A person as their login domain knows them. */
export interface Identity {
  /** Who vouches for the subject: the OpenID issuer; empty for a directory, which is its domain. */
  issuer: string
  /** What the domain calls the person for ever: `sub`, or the id of the directory's entry. Never an e-mail address. */
  subject: string
  userName: string
  /** Empty when the domain tells none. */
  email: string
  /** What the domain's rules look at: values by the name of the claim or attribute. */
  attributes: Record<string, readonly string[]>
  /** What rules and attributes are compared by, where the domain takes different spellings for the same. */
  comparable?: (text: string) => string
}

/** What decides of people of a domain. */
export interface Admission {
  id: string
  provisions: boolean
  roleRules: readonly RoleRule[]
}

/**
 * Finds the user that an identity is, or makes them one where the domain provisions, and gives and takes the roles that
 * the domain's rules say.
 * @returns the user's id; undefined for a disabled user
 * @throws Unauthorized for an unknown user where the domain does not provision
 */
export async function admitPerson(
  trx: Transaction,
  domain: Admission,
  identity: Identity,
): Promise<string | undefined> {
  const known = await findPerson(trx, domain, identity)
  if (known && !known.enabled) return undefined
  const userId = known?.id ?? (await addPerson(trx, domain, identity))
  await applyRules(trx, userId, domain.roleRules, identity)
  return userId
}

/** Whether somebody is a disabled user. Nobody is none, and is looked for all the same, so that it takes alike. */
export async function isDisabled(db: Database, domainId: string, identity: Identity | undefined): Promise<boolean> {
  const user = await db
    .selectFrom('app_user')
    .where('domain_id', '=', domainId)
    .where('issuer', '=', identity?.issuer ?? '')
    .where('subject', '=', identity?.subject ?? '')
    .select('enabled')
    .executeTakeFirst()
  return user?.enabled === false
}

function findPerson(trx: Transaction, domain: Admission, identity: Identity) {
  return trx
    .updateTable('app_user')
    .set({ ...namesOf(identity), updated: lastChange(identity) })
    .where('domain_id', '=', domain.id)
    .where('issuer', '=', identity.issuer)
    .where('subject', '=', identity.subject)
    .returning(['id', 'enabled'])
    .executeTakeFirst()
}

function namesOf({ userName, email }: Identity) {
  return { user_name: userName, email }
}

/** SQL: when the user was changed last, for a sign-in that may bring another name or address. */
function lastChange({ userName, email }: Identity) {
  return sql<Date>`case when (app_user.user_name, app_user.email) = (${userName}, ${email}) then app_user.updated
    else date_trunc('milliseconds', now()) end`
}

async function addPerson(trx: Transaction, domain: Admission, identity: Identity): Promise<string> {
  if (!domain.provisions) throw new Unauthorized('Nobody of that name is a user here.')
  const { issuer, subject } = identity
  const there = await trx
    .selectFrom('login_domain')
    .where('id', '=', domain.id)
    .select('id')
    .forKeyShare()
    .executeTakeFirst()
  // It may have been removed since the person began to sign in.
  if (!there) throw new Unauthorized('The login domain is gone.')
  const { id } = await trx
    .insertInto('app_user')
    .values({ id: newId(), domain_id: domain.id, ...namesOf(identity), password_hash: null, issuer, subject })
    // Two browsers of one new person at once.
    .onConflict((conflict) =>
      conflict.constraint('app_user_identity').doUpdateSet({ ...namesOf(identity), updated: lastChange(identity) }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** What a rule gives: a role, or membership of a group. */
interface Gift {
  role: Role | null
  groupId: string | null
}

async function applyRules(trx: Transaction, userId: string, rules: readonly RoleRule[], identity: Identity) {
  if (rules.length === 0 && !(await holdsByRule(trx, userId))) return
  await lockRights(trx, userId)
  const gifts = rules
    .filter((rule) => isMet(rule, identity))
    .map(({ role, groupId }): Gift => ({ role: role ?? null, groupId: groupId ?? null }))
  const roles = gifts.flatMap(({ role }) => role ?? [])
  const groups = gifts.flatMap(({ groupId }) => groupId ?? [])
  const changes = [
    sql`delete from role_grant where user_id = ${userId} and by_rule and role <> all(${roles}::text[])`,
    sql`insert into role_grant (user_id, role, by_rule) select ${userId}::uuid, unnest(${roles}::text[]), true
      on conflict do nothing`,
    sql`delete from group_member where user_id = ${userId} and by_rule and group_id <> all(${groups}::uuid[])`,
    // A rule may name a group that is gone.
    sql`insert into group_member (group_id, user_id, by_rule)
      select id, ${userId}::uuid, true from admin_group where id = any(${groups}::uuid[]) on conflict do nothing`,
  ]
  let changed = 0n
  for (const change of changes) changed += (await change.execute(trx)).numAffectedRows ?? 0n
  if (changed > 0n) await announce(trx, { kind: 'user', id: userId })
}

function isMet({ attribute, value }: RoleRule, { attributes, comparable = (text) => text }: Identity): boolean {
  const name = comparable(attribute)
  return Object.hasOwn(attributes, name) && (attributes[name] ?? []).includes(comparable(value))
}

async function holdsByRule(trx: Transaction, userId: string): Promise<boolean> {
  const { holds } = await trx
    .selectNoFrom(
      sql<boolean>`exists (select from role_grant where user_id = ${userId} and by_rule)
        or exists (select from group_member where user_id = ${userId} and by_rule)`.as('holds'),
    )
    .executeTakeFirstOrThrow()
  return holds
}
