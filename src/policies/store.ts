import { sql } from 'kysely'
import type { Database } from '../database/tables.ts'
import type { PlaceValues } from '../lists/listed.ts'
import { type Part, type Placed, partOf } from '../lists/page.ts'

export interface PolicyRow {
  id: string
  type: string
  name: string
  description: string
  created: Date
}

/** Reads a page of the policies, of one type if it is given, by their names. */
export async function readPolicies(db: Database, type: string | null, place: PlaceValues): Promise<Part<PolicyRow>> {
  const { key, id, skip, count } = place
  const { rows } = await sql<Placed & PolicyRow>`
    select id, sort_name as place, type, name, description, created from policy
    where (${type}::text is null or type = ${type}::text) and (sort_name, id) > (${key}::text, ${id}::uuid)
    order by sort_name, id offset ${skip} limit ${count + 1}`.execute(db)
  return partOf(rows, place)
}
