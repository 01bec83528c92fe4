import { type RawBuilder, sql } from 'kysely'
import { tagLexeme, vectorText, wordsOf } from '../lists/lexemes.ts'
import type { VersionDocument } from './schemas.ts'

const mostCharacters = 40_000

/** What search finds of a version: names, tags, operations and descriptions, in that order until there are too many. */
export function versionVector({ Name, Description, Tag, Operations }: VersionDocument): string {
  const operations = Operations.Operation.flatMap((operation) => [operation.Name, operation.Path])
  return vectorText([...Tag.map(tagLexeme), ...wordsOf([Name, ...Tag, ...operations, Description], mostCharacters)])
}

/** SQL: the search column of a version, from its own vector and the words of its API, which keep the weight A there. */
export function versionSearch(own: unknown, apiSearch: unknown): RawBuilder<string> {
  return sql`${own}::tsvector || ts_filter(${apiSearch}, '{a}')`
}
