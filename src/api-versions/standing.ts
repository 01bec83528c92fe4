import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Caller } from '../access/caller.ts'
import { type Standing, standingsOf } from '../access/entitlement.ts'
import type { Database, StoredVisibility } from '../database/tables.ts'
import type { VersionFacts } from '../workflow/workflow.ts'
import { saidDeprecated } from './history.ts'
import { missingVersion } from './owning-api.ts'
import type { APIVersion } from './schemas.ts'

/** Where a version stands in the workflow, and what the caller is to it. */
export interface VersionStanding {
  state: string
  revision: number
  document: Static<typeof APIVersion>
  audience: StoredVisibility
  groupId: string
  standings: Standing[]
  facts: VersionFacts
}

/**
 * Reads where a version stands, and locks it if it is to be moved.
 * @throws NotFound
 */
export async function readStanding(
  db: Database,
  caller: Caller,
  id: string,
  givenId: string,
  locked: boolean,
): Promise<VersionStanding> {
  const row = await db
    .selectFrom('api_version as v')
    .where('v.id', '=', id)
    .select(['v.state', 'v.revision', 'v.audience', 'v.admin_group_id as groupId'])
    .select(sql<string>`v.doc::text`.as('doc'))
    .select(standingsOf(caller, 'v.admin_group_id').as('standings'))
    // Before it was said, a read was not counted.
    .select(
      sql<
        number | null
      >`floor(extract(epoch from now() - greatest(v.deprecated, ${saidDeprecated})) / 86400)::integer`.as(
        'daysDeprecated',
      ),
    )
    // Who looks at a version to lead it on is no reader whom that would leave behind.
    .select(
      sql<number | null>`(now() at time zone 'UTC')::date - (
        select r.day from version_reads r
        where r.version_id = v.id and not exists (
          select from group_member m where m.group_id = v.admin_group_id and m.user_id = r.user_id)
        order by r.day desc limit 1)`.as('daysSinceRead'),
    )
    .$if(locked, (query) => query.forUpdate())
    .executeTakeFirst()
  if (!row) throw await missingVersion(db, id, givenId)
  const { doc, daysDeprecated, daysSinceRead, ...standing } = row
  const document: Static<typeof APIVersion> = JSON.parse(doc)
  return { ...standing, document, facts: { ...contentFacts(document), daysDeprecated, daysSinceRead } }
}

function contentFacts({ Description, ProductionEndpoint, Endpoints, Operations }: Static<typeof APIVersion>) {
  return {
    hasDescription: Boolean(Description?.trim()),
    hasProductionEndpoint:
      Boolean(ProductionEndpoint) || Endpoints.Endpoint.some(({ Category }) => Category === 'Production'),
    hasOperations: Operations.Operation.length > 0,
  }
}
