import type { Static } from 'typebox'
import { wireId } from '../ids.ts'
import type { Vendor } from '../vendor.ts'
import { wireVisibility } from '../visibility.ts'
import type { API } from './schemas.ts'
import type { ApiWithVersion } from './store.ts'

/** An API as clients read it. */
export function wireApi(api: ApiWithVersion, vendor: Vendor): Static<typeof API> {
  return {
    APIID: wireId(vendor, api.id),
    Name: api.name,
    ...(api.description !== null && { Description: api.description }),
    Visibility: wireVisibility(vendor, api.visibility),
    LatestVersionID: wireId(vendor, api.latest_version_id),
    Tag: api.tags,
    IsFollowed: false,
    RatingSummary: { Five: 0, Four: 0, Three: 0, Two: 0, One: 0 },
    ...(api.version !== null && { APIVersion: JSON.parse(api.version) }),
    AdminGroupID: wireId(vendor, api.admin_group_id),
    Created: api.created.toISOString(),
    Updated: api.updated.toISOString(),
    ...(api.picture_id !== null && { PictureID: api.picture_id }),
  }
}

/** What tells two states of an API apart; each change of one of its versions moves its revision. */
export function apiState(api: ApiWithVersion): string {
  return `${api.revision}${api.version === null ? '' : '.with-version'}`
}
