import type { Static } from 'typebox'
import type { Caller } from '../access/caller.ts'
import { changeVersion } from '../api-versions/change-version.ts'
import { lockKnownVersion } from '../api-versions/lock-version.ts'
import { apiIdOfVersion, versionNotModifiable } from '../api-versions/owning-api.ts'
import { inTransaction } from '../database/transaction.ts'
import { storedId } from '../ids.ts'
import type { Precondition } from '../representation/etag.ts'
import type { Services } from '../services.ts'
import { storedVisibility } from '../visibility.ts'
import { changeApi, propagateToVersions } from './change-api.ts'
import type { APIVersionInfo } from './schemas.ts'
import { owningApi } from './store.ts'

/**
 * Changes what people read of an API and one of its versions. Visibility and Tags are set for both; absent members keep
 * their value.
 * @returns the version's new JSON
 * @throws NotFound, Unauthorized, Malformed, PreconditionFailed
 */
export async function changeInfo(
  { db, vendor }: Services,
  caller: Caller,
  versionId: string,
  info: Static<typeof APIVersionInfo>,
  precondition: Precondition,
): Promise<string> {
  const id = storedId(vendor, versionId, 'version')
  const { ApiName, ApiSummary, ApiDescription, VersionName, VersionNotes, Tags, Visibility } = info
  const members = {
    name: ApiName,
    summary: ApiSummary,
    description: ApiDescription,
    tags: Tags,
  }
  const visibility = Visibility === undefined ? undefined : storedVisibility(vendor, Visibility, '/Visibility')
  const change = {
    ...(VersionName !== undefined && { Name: VersionName }),
    ...(VersionNotes !== undefined && { Description: VersionNotes }),
    ...(Tags !== undefined && { Tag: Tags }),
    ...(Visibility !== undefined && { Visibility }),
  }
  return inTransaction(db, async (trx) => {
    const apiId = await apiIdOfVersion(trx, id, versionId)
    const api = await changeApi(trx, caller, apiId, members, () => versionNotModifiable(trx, caller, id, versionId))
    const version = await lockKnownVersion(trx, apiId, id, versionId, precondition)
    await propagateToVersions(trx, api, visibility)
    return changeVersion({ db, trx, caller, api: owningApi(api), vendor }, version, change, {
      version: '',
      name: '/VersionName',
    })
  })
}
