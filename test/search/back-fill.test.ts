import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { execute } from '../support/database.ts'
import { exampleApi, exampleVersion } from '../support/examples.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const migration = readFileSync(new URL('../../migrations/0005_lists_and_search.sql', import.meta.url), 'utf8')

/** What search finds of every row: all lexemes, and those of the API. */
async function vectors() {
  const { rows } = await sql`
    select 'api' as kind, id, tsvector_to_array(search) as lexemes, tsvector_to_array(ts_filter(search, '{a}')) as words from api
    union all
    select 'version', id, tsvector_to_array(search), tsvector_to_array(ts_filter(search, '{a}')) from api_version
    order by id`.execute(service.db)
  return rows
}

test('rows that were there before search is are found like those written later', async () => {
  const owner = await service.siteAdmin()
  const { json } = await owner.post('/api/apis', {
    ...exampleApi(),
    Name: `Café "Pet\\Store's"`,
    Tag: ["it's", 'back\\slash', 'Two Words'],
    Description: 'getStatus, naïve\tand\nmore',
  })
  await owner.post(`/api/apis/${json.APIID}/versions`, exampleVersion())
  const written = await vectors()
  expect(written).toHaveLength(3)
  const begin = migration.indexOf('create function pg_temp.words')
  const backFill = migration.slice(begin, migration.indexOf('set constraints'))
  await execute(service.connection, ["update api set search = ''", "update api_version set search = ''", backFill])
  expect(await vectors()).toEqual(written)
})
