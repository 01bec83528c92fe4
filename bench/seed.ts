import type { Client } from 'pg'
import { apiVector } from '../src/apis/search-text.ts'
import { sampled } from './settings.ts'
import { apiNames } from './words.ts'

/** Stored ids that the load goes to. */
export interface Sample {
  versions: string[]
  /** Others, which are deprecated. */
  deprecated: string[]
  apis: string[]
  /** Names of APIs. */
  names: string[]
}

const ofApi = { name: 'c.name', admin_group_id: 'c.group_id', search: 'c.search' }
const search = `ts_filter(r.search, '{d}') || ts_filter(c.search, '{a}')`
const ofVersion = { admin_group_id: 'c.group_id', search }
const doc = `replace(replace(r.doc::text, r.id::text, c.id::text), r.api_id::text, c.api_id::text)::json`

/**
 * Copies one API with its three versions, as the service stored them, until there are `versions` of them: new ids, in the
 * documents too, another name of each API, with what search finds by it, and everything else alike.
 */
export async function seed(database: Client, api: string, versions: number): Promise<void> {
  const { rows } = await database.query('select name, summary, description, tags from api where id = $1', [api])
  const names = apiNames(rows[0].name, Math.ceil(versions / 3) - 1)
  const vectors = names.map((name) => apiVector({ ...rows[0], name }))
  await database.query('begin')
  await database.query(
    `create temporary table api_copy on commit drop as
       select $1::uuid as source, uuidv7() as id, uuidv7() as group_id, name, search::tsvector
       from unnest($2::text[], $3::text[]) n (name, search)`,
    [api, names, vectors],
  )
  await database.query(`
    create temporary table version_copy on commit drop as
      select v.id as source, c.id as api_id, c.group_id, c.search, uuidv7() as id, v.id = a.latest_version_id as latest
      from api_copy c join api a on a.id = c.source join api_version v on v.api_id = a.id;
    create index on version_copy (api_id) where latest;
    insert into admin_group (id) select group_id from api_copy;
    insert into group_member (group_id, user_id)
      select c.group_id, m.user_id
      from api_copy c join api a on a.id = c.source join group_member m on m.group_id = a.admin_group_id;
    ${await insertInto(database, 'api', { ...ofApi, id: 'c.id', latest_version_id: 'v.id' })}
      from api_copy c join api r on r.id = c.source join version_copy v on v.api_id = c.id and v.latest;
    ${await insertInto(database, 'api_version', { ...ofVersion, id: 'c.id', api_id: 'c.api_id', doc })}
      from version_copy c join api_version r on r.id = c.source`)
  await database.query('commit')
  await database.query('vacuum analyze')
  await database.query('checkpoint')
}

/** The beginning of a statement that copies rows `r` of a table, with some columns from elsewhere. */
async function insertInto(database: Client, table: string, changed: Record<string, string>): Promise<string> {
  const { rows } = await database.query(
    `select column_name from information_schema.columns
     where table_schema = current_schema and table_name = $1 and is_generated = 'NEVER'`,
    [table],
  )
  const columns = rows.map(({ column_name }) => column_name as string)
  return `insert into ${table} (${columns.join()}) select ${columns.map((name) => changed[name] ?? `r.${name}`).join()}`
}

/** Chooses what is read, searched and added to, and deprecates some versions, each with the latest of its API to follow. */
export async function takeSample(database: Client): Promise<Sample> {
  const some = async (column: string, table: string, count: number) => {
    const { rows } = await database.query(`select ${column} as found from ${table} order by random() limit $1`, [count])
    return rows.map(({ found }) => found as string)
  }
  const { rows } = await database.query(
    `update api_version v set deprecated = '2026-01-01Z', sunset = '2027-01-01Z', deprecation_changed = '2026-01-01Z',
       successor_id = s.id, successor_audience = s.audience, successor_group_id = s.admin_group_id
     from api a join api_version s on s.id = a.latest_version_id
     where a.id = v.api_id and v.id in (
       select o.id from api_version o join api b on b.id = o.api_id and b.latest_version_id <> o.id
       order by random() limit $1)
     returning v.id`,
    [sampled.deprecated],
  )
  await database.query('vacuum analyze api_version')
  return {
    versions: await some('id', 'api_version where deprecated is null', sampled.versions),
    deprecated: rows.map(({ id }) => id as string),
    apis: await some('id', 'api', sampled.apis),
    names: await some('name', 'api', sampled.names),
  }
}

/** The e-mail address of each of some users, who have the password of the user `like`. */
export async function addPeople(database: Client, like: string): Promise<string[]> {
  const { rows } = await database.query(
    `insert into app_user (id, domain_id, user_name, email, password_hash)
     select uuidv7(), domain_id, 'person ' || n, 'person' || n || '@example.com', password_hash
     from app_user, generate_series(1, $2) n where email = $1 returning email`,
    [like, sampled.people],
  )
  return rows.map(({ email }) => email as string)
}

/** Takes away the versions that a leg added, so that each leg starts with as many as the one before. */
export async function removeAdded(database: Client, apis: string[], prefix: string): Promise<void> {
  await database.query('begin')
  await database.query(
    `update api a set latest_version_id =
       (select v.id from api_version v where v.api_id = a.id and not starts_with(v.name, $2)
        order by created desc, id desc limit 1)
     where a.id = any($1)`,
    [apis, prefix],
  )
  await database.query('delete from api_version where api_id = any($1) and starts_with(name, $2)', [apis, prefix])
  await database.query('commit')
  await database.query('vacuum api_version, version_history, api')
}
