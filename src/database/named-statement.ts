import { createHash } from 'node:crypto'
import pg from 'pg'

export type Done = (error: Error | undefined, result: unknown) => void

/** Of which columns an answer consists, and how they are read. */
interface Columns {
  fields: unknown
  _parsers: unknown
  _prebuiltEmptyResultObject: unknown
}

/** The driver's query, with what it keeps to itself. */
interface DriverQuery {
  name: string
  _result: Columns
  _accumulateRows: boolean
  prepare(connection: object): void
  handleCommandComplete(message: unknown, connection: object): void
}

const DriverQuery = pg.Query as unknown as new (text: string, values: unknown[], done: Done) => DriverQuery

/**
 * A statement that is named by its text: on each connection PostgreSQL parses and plans it once, and is asked once for the
 * columns of its answer, as it never answers with others under the same name.
 */
export class NamedStatement extends DriverQuery {
  private asked: Map<string, Columns> | undefined

  constructor(text: string, values: unknown[], done: Done) {
    super(text, values, done)
    this.name = nameOf(text)
  }

  override prepare(connection: object): void {
    const { columns, incurious } = knownOn(connection)
    const known = columns.get(this.name)
    if (known) {
      copyColumns(known, this._result)
      this._accumulateRows = true
    } else this.asked = columns
    super.prepare(known ? incurious : connection)
  }

  override handleCommandComplete(message: unknown, connection: object): void {
    this.asked?.set(this.name, copyColumns(this._result, {} as Columns))
    super.handleCommandComplete(message, connection)
  }
}

function copyColumns(from: Columns, to: Columns): Columns {
  to.fields = from.fields
  to._parsers = from._parsers
  to._prebuiltEmptyResultObject = from._prebuiltEmptyResultObject
  return to
}

interface Known {
  /** By the names of statements. */
  columns: Map<string, Columns>
  /** The same connection, which does not ask for columns. */
  incurious: object
}

const known = new WeakMap<object, Known>()

function knownOn(connection: object): Known {
  let found = known.get(connection)
  if (!found) {
    found = { columns: new Map(), incurious: Object.create(connection, { describe: { value: () => {} } }) }
    known.set(connection, found)
  }
  return found
}

const names = new Map<string, string>()

function nameOf(text: string): string {
  let name = names.get(text)
  if (!name) {
    name = createHash('sha1').update(text).digest('base64url').slice(0, 16)
    if (names.size < 1000) names.set(text, name)
  }
  return name
}
