import type { Static } from 'typebox'
import { ratingSummaryOf } from '../api-versions/ratings.ts'
import { wireId } from '../ids.ts'
import type { Written } from '../representation/json-write.ts'
import type { Vendor } from '../vendor.ts'
import { wireVisibility } from '../visibility.ts'
import type { API } from './schemas.ts'
import type { ApiWithVersion, ReadApi } from './store.ts'

type Told = Written<Partial<Static<typeof API>>>

/** The JSON of an API as clients read it, around that of its version; `address` is the one that they use. */
export function apiDocument(api: ApiWithVersion, vendor: Vendor, address: string): string {
  const id = wireId(vendor, api.id)
  const before: Told = {
    APIID: id,
    Name: api.name,
    Description: api.description ?? undefined,
    Visibility: wireVisibility(vendor, api.visibility),
    LatestVersionID: api.latest_version_id === null ? undefined : wireId(vendor, api.latest_version_id),
    Tag: api.tags,
    IsFollowed: api.followed,
    RatingSummary: ratingSummaryOf(api.ratings),
  }
  const after: Told = {
    AdminGroupID: wireId(vendor, api.admin_group_id),
    Created: api.created.toISOString(),
    Updated: api.updated.toISOString(),
    AvatarURL: api.picture_id === null ? undefined : `${address}/api/apis/${id}/avatar`,
    PictureID: api.picture_id === null ? undefined : wireId(vendor, api.picture_id),
  }
  const version = api.version === null ? '' : `"APIVersion":${api.version},`
  return `${JSON.stringify(before).slice(0, -1)},${version}${JSON.stringify(after).slice(1)}`
}

/**
 * What tells two states of an API apart. Each change of one of its versions moves its revision; ratings and whether the
 * caller follows it do not, as no edit overwrites them; nor do other rules of the workflow, by which the caller is shown
 * another version. The address counts where one is told.
 */
export function apiState(api: ReadApi, address: string): string {
  const nested = api.version === null ? '' : `.with-version-${api.versionRatings}`
  const told = api.picture_id === null ? '' : `.at-${encodeURIComponent(address)}`
  const followed = api.followed ? '.followed' : ''
  return `${api.revision}.${api.ratings.join('-')}${followed}.${api.latest_version_id}${nested}${told}`
}
