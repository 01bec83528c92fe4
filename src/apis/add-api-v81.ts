import type { Static } from 'typebox'
import type { Caller } from '../access/caller.ts'
import { draftVersion, storeVersion } from '../api-versions/new-version.ts'
import type { VersionBody } from '../api-versions/schemas.ts'
import { inTransaction } from '../database/transaction.ts'
import { findFile, keepOriginal } from '../dropbox/store.ts'
import { invalidMember } from '../fault.ts'
import type { Once } from '../idempotency.ts'
import type { Services } from '../services.ts'
import { storedVisibility } from '../visibility.ts'
import type { AddAPIRequest } from './newer-schemas.ts'
import { insertApi, owningApi } from './store.ts'
import { apiDocument } from './wire.ts'

type Request = Static<typeof AddAPIRequest>
type Version = Static<typeof VersionBody>

const firstVersionName = '1.0'

/**
 * Adds an API with its first version, of a name or from a file; the caller becomes its first API Admin.
 * `address` is the one that clients use.
 * @returns the API's JSON
 * @throws Unauthorized, NotFound, Malformed, ReusedKey
 */
export async function addApiV81(
  { db, vendor, config }: Services,
  caller: Caller,
  body: Request,
  once: Once,
  address: string,
): Promise<string> {
  const { APIVersionInfo: info, AddAPIImplementationRequest: implementation, DLDescriptor: descriptor } = body
  const targets = implementation && targetUrls(implementation)
  const visibility =
    info?.Visibility === undefined ? 'Limited' : storedVisibility(vendor, info.Visibility, '/APIVersionInfo/Visibility')
  return inTransaction(db, (trx) =>
    once(trx, async () => {
      const file = descriptor && (await findFile(trx, caller, descriptor))
      const name = info?.Name ?? file?.serviceName
      if (name === undefined) throw invalidMember('/APIVersionInfo', 'is required without a DLDescriptor')
      const first = firstVersion(file?.version, info?.Description, targets)
      const draft = draftVersion(first, vendor, '/APIVersionInfo')
      const api = {
        name,
        description: first.Description ?? null,
        visibility,
        tags: first.Tag ?? [],
        picture_id: null,
        latest_version_id: draft.id,
      } as const
      const added = await insertApi(trx, caller, api, config.anyUserMayAddApis)
      const version = storeVersion(trx, caller, draft, owningApi(added), vendor)
      if (file) await keepOriginal(trx, draft.id, file.id)
      return apiDocument({ ...added, version }, vendor, address)
    }),
  )
}

/** The back-end addresses of a proxy, which may have none yet. */
function targetUrls({
  CreateMechanism,
  ProxyImplementationRequest,
}: NonNullable<Request['AddAPIImplementationRequest']>) {
  const pointer = '/AddAPIImplementationRequest/CreateMechanism'
  if (CreateMechanism !== undefined && CreateMechanism !== 'PROXY') throw invalidMember(pointer, 'must be PROXY')
  if (CreateMechanism === undefined && !ProxyImplementationRequest) throw invalidMember(pointer, 'is required')
  return ProxyImplementationRequest?.TargetEndpointURL ?? []
}

/** Addresses in the request stand in place of those in the file. */
function firstVersion(
  described: Version | undefined,
  description: string | undefined,
  targets: string[] | undefined,
): Version {
  const endpoints = targets?.map((Uri) => ({ Uri, Category: 'Production' }))
  const keepsTarget = !endpoints || (endpoints.length === 0 && described?.TargetAPI)
  return {
    Name: firstVersionName,
    ...described,
    ...(description !== undefined && { Description: description }),
    ...(!keepsTarget && { TargetAPI: { Endpoints: { Endpoint: endpoints } } }),
  }
}
