import type { Static } from 'typebox'
import type { Caller } from '../access/caller.ts'
import { lockApiOfVersion } from '../api-versions/owning-api.ts'
import { inTransaction } from '../database/transaction.ts'
import { invalidMember } from '../fault.ts'
import { storedId } from '../ids.ts'
import type { Precondition } from '../representation/etag.ts'
import type { Services } from '../services.ts'
import type { DeprecationBody } from './schemas.ts'
import { type DeprecationRow, lockForDeprecation, notDeprecated, readDeprecation, writeDeprecation } from './store.ts'
import { checkSuccessor, lockSuccessor } from './successor.ts'

/**
 * Makes a version deprecated, or replaces what was said of that; without a time it keeps the one that it has, else it is now.
 * @throws NotFound, Unauthorized, Malformed, PreconditionFailed
 */
export async function deprecate(
  { db, vendor }: Services,
  caller: Caller,
  versionId: string,
  { Deprecated, Sunset, SuccessorVersionID, Notes }: Static<typeof DeprecationBody>,
  precondition: Precondition,
): Promise<DeprecationRow> {
  const id = storedId(vendor, versionId, 'version')
  const since = Deprecated === undefined ? undefined : secondOf(Deprecated, '/Deprecated')
  const sunset = Sunset === undefined ? null : secondOf(Sunset, '/Sunset')
  return inTransaction(db, async (trx) => {
    const { now } = await lockApiOfVersion(trx, caller, id, versionId)
    // Before the version itself, as who changes the audience of a successor locks them too.
    const successor =
      SuccessorVersionID === undefined ? null : await lockSuccessor(trx, caller, SuccessorVersionID, id, vendor)
    const version = await lockForDeprecation(trx, id, versionId, precondition)
    if (successor) await checkSuccessor(trx, version, successor)
    const deprecated = since ?? version.deprecated ?? wholeSecond(now)
    if (sunset && sunset < deprecated) throw invalidMember('/Sunset', 'must not be before Deprecated')
    await writeDeprecation(trx, caller, version, { deprecated, sunset, successor, notes: Notes ?? null }, now)
    return readDeprecation(trx, caller, id, versionId)
  })
}

/**
 * Makes a version deprecated no more.
 * @throws NotFound, also when it is not deprecated; Unauthorized, PreconditionFailed
 */
export async function undeprecate(
  { db, vendor }: Services,
  caller: Caller,
  versionId: string,
  precondition: Precondition,
): Promise<void> {
  const id = storedId(vendor, versionId, 'version')
  await inTransaction(db, async (trx) => {
    const { now } = await lockApiOfVersion(trx, caller, id, versionId)
    const version = await lockForDeprecation(trx, id, versionId, precondition)
    if (!version.deprecated) throw notDeprecated()
    await writeDeprecation(trx, caller, version, null, now)
  })
}

const last = Date.parse('9999-12-31T23:59:59Z')

/**
 * A time to the second, which is what headers and calendars can say.
 * @throws Malformed
 */
function secondOf(text: string, pointer: string): Date {
  const time = wholeSecond(new Date(text))
  if (!(time.getTime() >= 0 && time.getTime() <= last)) {
    throw invalidMember(pointer, 'must be a time from 1970 to 9999, such as 2027-01-31T12:00:00Z')
  }
  return time
}

function wholeSecond(time: Date): Date {
  return new Date(Math.floor(time.getTime() / 1000) * 1000)
}
