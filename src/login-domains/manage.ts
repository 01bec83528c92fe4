import type { Caller } from '../access/caller.ts'
import { lockSiteAdminsFor, refuseWithoutSiteAdmin } from '../access/site-admins.ts'
import type { Transaction } from '../database/tables.ts'
import { inTransaction } from '../database/transaction.ts'
import { invalidMember, Malformed } from '../fault.ts'
import type { Once } from '../idempotency.ts'
import { newId, storedDomainId } from '../ids.ts'
import type { Precondition } from '../representation/etag.ts'
import type { Services } from '../services.ts'
import { type Body, draftOf, type GivenSecret, kindOf, shownMembers } from './draft.ts'
import { changeDomain, checkGroups, deleteDomain, insertDomain, lockDomain } from './managed-store.ts'
import { secretPurpose } from './sign-in.ts'
import type { ManagedRow } from './store.ts'
import { idSystemTypes, wireManagedDomain } from './wire.ts'

/** Adds a login domain and gives its JSON. @throws Malformed, Unauthorized, NotFound for what a rule names */
export async function addDomain(services: Services, caller: Caller, body: Body, once: Once): Promise<string> {
  const { db, vendor } = services
  const kind = kindOf(body, vendor)
  const { draft, secret } = draftOf(body, kind, vendor)
  if (body.Directory?.BindDn && !secret) throw invalidMember('/Directory/BindPassword', 'is required with BindDn')
  const id = newId()
  return inTransaction(db, (trx) =>
    once(trx, async () => {
      await lockSiteAdminsFor(trx, caller)
      await checkGroups(trx, draft.role_rules, vendor)
      const stored = await insertDomain(trx, id, kind, draft, encrypted(services, id, secret) ?? null)
      return JSON.stringify(wireManagedDomain(stored, vendor))
    }),
  )
}

/**
 * Makes a login domain what a body says. Texts and lists that are absent become empty; the rest, and the secret, stay.
 * @throws NotFound, Unauthorized, Malformed, PreconditionFailed
 */
export async function putDomain(
  services: Services,
  caller: Caller,
  domainId: string,
  body: Body,
  precondition: Precondition,
): Promise<ManagedRow> {
  const id = storedDomainId(services.vendor, domainId)
  return inTransaction(services.db, async (trx) => {
    await lockSiteAdminsFor(trx, caller)
    const before = await lockDomain(trx, id, domainId)
    precondition(before.revision)
    const after = await (before.kind === 'local' ? changeBuiltIn : changeOther)(trx, before, body, services)
    if (before.enabled && !after.enabled) await refuseWithoutSiteAdmin(trx)
    return after
  })
}

/** @throws NotFound, Unauthorized, Malformed for the built-in domain and for one that has users, PreconditionFailed */
export async function removeDomain(
  { db, vendor }: Services,
  caller: Caller,
  domainId: string,
  precondition: Precondition,
): Promise<void> {
  const id = storedDomainId(vendor, domainId)
  await inTransaction(db, async (trx) => {
    await lockSiteAdminsFor(trx, caller)
    const { kind, revision } = await lockDomain(trx, id, domainId, true)
    precondition(revision)
    if (kind === 'local') throw new Malformed('The built-in login domain cannot be deleted; it can be disabled.')
    await deleteDomain(trx, id)
  })
}

async function changeBuiltIn(trx: Transaction, before: ManagedRow, body: Body, { vendor }: Services) {
  for (const [member, given, kept] of [
    ['DomainName', body.DomainName, undefined],
    ['Sequence', body.Sequence, before.sequence],
    ['IdSystemType', body.IdSystemType, idSystemTypes(vendor).local],
    ['Provision', body.Provision, before.provisions],
    ['OAuthEnabled', body.OAuthEnabled, before.serves_oauth],
    ['Directory', body.Directory, undefined],
    ['OpenID', body.OpenID, undefined],
    ['RoleRule', body.RoleRule?.[0], undefined],
  ]) {
    if (given !== undefined && given !== kept) {
      throw invalidMember(`/${member}`, 'cannot be changed for the built-in domain')
    }
  }
  return changeDomain(trx, before.id, { ...shownMembers(body), enabled: body.Enabled })
}

async function changeOther(trx: Transaction, before: ManagedRow, body: Body, services: Services) {
  const { vendor } = services
  if (body.IdSystemType !== undefined && body.IdSystemType !== idSystemTypes(vendor)[before.kind]) {
    throw invalidMember('/IdSystemType', 'cannot be changed')
  }
  const { draft, secret } = draftOf(body, before.kind, vendor)
  checkKeptSecret(before, body, secret)
  await checkGroups(trx, draft.role_rules, vendor)
  return changeDomain(trx, before.id, draft, encrypted(services, before.id, secret))
}

/** A secret is not sent to an address that it was not given for: whoever sets the address may not be who knows it. */
function checkKeptSecret({ settings, has_secret }: ManagedRow, { Directory, OpenID }: Body, given: GivenSecret) {
  const known = settings as { Url?: string; Issuer?: string }
  const isKept = has_secret && given === undefined
  if (isKept && Directory && Directory.Url !== known.Url) {
    throw invalidMember('/Directory/BindPassword', 'must be given again, or be empty, when Url changes')
  }
  if (isKept && OpenID && OpenID.Issuer !== known.Issuer) {
    throw invalidMember('/OpenID/ClientSecret', 'must be given again, or be empty, when Issuer changes')
  }
  if (Directory?.BindDn && !isKept && !given) throw invalidMember('/Directory/BindPassword', 'is required with BindDn')
}

/** Null when it is to be removed, undefined when it stays. */
function encrypted({ keys }: Services, id: string, secret: GivenSecret): string | null | undefined {
  if (secret === undefined) return undefined
  return secret === '' ? null : keys.encrypt(secretPurpose(id), secret)
}
