import type { Static } from 'typebox'
import type { Caller } from '../access/caller.ts'
import type { Transaction } from '../database/tables.ts'
import { storedId } from '../ids.ts'
import type { Vendor } from '../vendor.ts'
import type { CloneAPIVersionRequest } from './newer-schemas.ts'
import type { APIVersion, VersionBody } from './schemas.ts'
import { readVersion } from './store.ts'

type Version = Static<typeof APIVersion>
type Members = Partial<Static<typeof VersionBody>>

const pointer = '/CloneAPIVersionRequest/SourceAPIVersionID'

/**
 * The members that a new version takes from another one, of any API, that the caller may read.
 * @throws NotFound, Unauthorized
 */
export async function clonedMembers(
  trx: Transaction,
  caller: Caller,
  request: Static<typeof CloneAPIVersionRequest>,
  vendor: Vendor,
): Promise<Members> {
  const { SourceAPIVersionID, CloneDesign, CloneImplementations } = request
  const source = await readSource(trx, caller, SourceAPIVersionID, vendor)
  return { ...(CloneDesign && designOf(source)), ...(CloneImplementations && implementationsOf(source)) }
}

async function readSource(trx: Transaction, caller: Caller, givenId: string, vendor: Vendor): Promise<Version> {
  const id = storedId(vendor, givenId, 'version', pointer)
  const { doc } = await readVersion(trx, caller, id, givenId, undefined, pointer)
  return JSON.parse(doc as string)
}

/** What the version offers. */
function designOf({ Description, Type, DefaultProfile, Tag, Operations }: Version): Members {
  return given({ Description, Type, DefaultProfile, Tag, Operations })
}

/** Where and under which rules it is served. */
function implementationsOf(source: Version): Members {
  const { ProductionEndpoint, SandboxEndpoint, Endpoints, TargetAPI, Policies } = source
  return {
    ...given({ ProductionEndpoint, SandboxEndpoint, Endpoints, TargetAPI, Policies }),
    ProductionEndpointAccessAutoApproved: source.ProductionEndpointAccessAutoApproved,
    SandboxEndpointAccessAutoApproved: source.SandboxEndpointAccessAutoApproved,
    SandboxAnonymousAccessAllowed: source.SandboxAnonymousAccessAllowed,
    ProductionAnonymousAccessAllowed: source.ProductionAnonymousAccessAllowed,
    ResourceLevelPermissionsSupported: source.ResourceLevelPermissionsSupported,
  }
}

function given(members: Record<string, unknown>): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}
