import type { ClientConfig } from 'pg'
import { execute } from './database.ts'

/** How each of the APIs is made, as SQL over its number `i`, from 1. */
export interface ManyApis {
  count: number
  /** Text with letters, digits and blanks only. */
  name: string
  visibility: string
  versionVisibility?: string
  /** Words, as search holds them; as said of the version too. */
  words: string
  /** Whether the user is a member of its admin group. */
  member?: { userId: string; condition: string }
}

/** Adds many APIs with one version each, minutes apart, in one go: through the service it would take minutes. */
export async function addManyApis(connection: ClientConfig, made: ManyApis): Promise<void> {
  const { count, name, visibility, versionVisibility = visibility, words, member } = made
  await execute(connection, [
    `create temporary table made as select i, gen_random_uuid() as id, gen_random_uuid() as group_id,
       gen_random_uuid() as version_id, ${name} as name, ${visibility} as visibility,
       ${versionVisibility} as version_visibility, ${words} as words,
       timestamptz '2020-01-01' + i * interval '1 minute' as created from generate_series(1, ${count}) i`,
    'insert into admin_group (id) select group_id from made',
    ...(member
      ? [`insert into group_member select group_id, '${member.userId}' from made where ${member.condition}`]
      : []),
    'begin',
    `insert into api (id, name, visibility, tags, admin_group_id, latest_version_id, created, updated, search)
       select id, name, visibility, '{}', group_id, version_id, created, created,
         array_to_tsvector(words) from made`,
    `insert into api_version (id, api_id, name, visibility, state, created, updated, doc, api_visibility, admin_group_id, search)
       select version_id, id, '1.0', version_visibility, 'com.platform.api.state.open', created, created,
         '{"Endpoints": {"Endpoint": []}}', visibility, group_id, array_to_tsvector(words) from made`,
    'commit',
    'analyze',
  ])
}
