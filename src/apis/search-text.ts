import { sql } from 'kysely'
import { versionSearch } from '../api-versions/search-text.ts'
import { allowLongWork } from '../database/long-work.ts'
import type { Transaction } from '../database/tables.ts'
import { partsOf, tagLexeme, vectorText, wordsOf } from '../lists/lexemes.ts'

const mostCharacters = 10_000

interface ApiText {
  id: string
  name: string
  summary: string | null
  description: string | null
  tags: string[]
}

/** What search finds of an API: name, tags and descriptions, in that order until there are too many. */
export function apiVector({ name, summary, description, tags }: Omit<ApiText, 'id'>): string {
  const words = wordsOf([name, ...tags, summary, description], mostCharacters)
  return `${vectorText(words, 'A')} ${vectorText([...partsOf(name), ...tags.map(tagLexeme)])}`
}

/** Lets search find an API, locked by this transaction, by the text that it has now; its versions are found by it too. */
export async function indexApi(trx: Transaction, api: ApiText): Promise<void> {
  const vector = apiVector(api)
  const { numAffectedRows } = await sql`update api set search = ${vector}::tsvector
    where id = ${api.id} and search <> ${vector}::tsvector`.execute(trx)
  if (!numAffectedRows) return
  allowLongWork(trx)
  await sql`update api_version set search = ${versionSearch(sql`ts_filter(search, '{d}')`, sql`${vector}::tsvector`)}
    where api_id = ${api.id}`.execute(trx)
}
