import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import pg from 'pg'

const statementNames = new Map<string, string>()

function statementName(text: string): string {
  let name = statementNames.get(text)
  if (!name) {
    name = createHash('sha1').update(text).digest('base64url').slice(0, 16)
    if (statementNames.size < 1000) statementNames.set(text, name)
  }
  return name
}

/** Begins a statement whose best plan depends on its values: PostgreSQL plans it anew each time. */
export const plannedForItsValues = '/* planned for its values */'

type Query = (config: unknown, values?: unknown, callback?: unknown) => Promise<unknown>

/**
 * A connection that names each statement by its text, so that PostgreSQL parses and plans it once. What is sent before the
 * process waits for anything leaves in one write.
 */
export class NamingClient extends pg.Client {
  override query = ((config: unknown, values?: unknown, callback?: unknown) => {
    const { stream } = driverOf(this).connection
    stream.cork()
    process.nextTick(() => stream.uncork())
    return (super.query as unknown as Query)(named(config, values), values, callback)
  }) as pg.Client['query']
}

function named(config: unknown, values: unknown): unknown {
  return typeof config === 'string' &&
    Array.isArray(values) &&
    values.length > 0 &&
    !config.startsWith(plannedForItsValues)
    ? { name: statementName(config), text: config, values }
    : config
}

/** A connection through a pooler, on which each statement waits for the answer to the one before it. */
export class PatientClient extends pg.Client {
  private last: Promise<unknown> = Promise.resolve()

  override query = ((config: unknown, values?: unknown, callback?: unknown) => {
    const send = () => (super.query as unknown as Query)(config, values, callback)
    if (callback) return send()
    const answer = this.last.then(send)
    this.last = answer.catch(() => {})
    return answer
  }) as pg.Client['query']
}

/** What the driver keeps to itself. */
export function driverOf(client: pg.ClientBase) {
  return client as unknown as { connection: { stream: Socket }; readyForQuery: boolean }
}
