import type { Compilable, CompiledQuery, RawBuilder } from 'kysely'
import { senderOf } from './connect.ts'
import type { Database } from './tables.ts'

/** Stands in a statement for a value that each run brings. */
class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * A statement of a hot path: built and compiled once, then sent at once with other values each time. `build` must put each
 * value into the statement as it is, as a parameter, and take it from `values` by its name.
 */
export function prepared<Values extends object, Row>(
  build: (db: Database, values: Values) => Compilable<Row>,
): (db: Database, values: Values) => Promise<Row[]> {
  const placeholders = new Proxy({}, { get: (_target, name) => new Placeholder(String(name)) }) as Values
  let compiled: CompiledQuery<Row> | undefined
  return async (db, values) => {
    compiled ??= build(db, placeholders).compile()
    const parameters = compiled.parameters.map((value) =>
      value instanceof Placeholder ? values[value.name as keyof Values] : value,
    )
    const { rows } = await senderOf(db).query(compiled.sql, parameters)
    return rows as Row[]
  }
}

/** The same for a statement that is written in SQL. */
export function preparedSql<Values extends object, Row>(
  build: (values: Values) => RawBuilder<Row>,
): (db: Database, values: Values) => Promise<Row[]> {
  return prepared((db, values) => ({ compile: () => build(values).compile(db) }))
}
