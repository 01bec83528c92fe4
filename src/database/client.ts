import type { Socket } from 'node:net'
import pg from 'pg'
import { type Done, NamedStatement } from './named-statement.ts'

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
    if (!isNamed(config, values)) return (super.query as unknown as Query)(config, values, callback)
    const send = (done: Done) => super.query(new NamedStatement(config as string, values as unknown[], done) as never)
    if (callback) return send(callback as Done)
    const answer = new Promise((resolve, reject) => send((error, result) => (error ? reject(error) : resolve(result))))
    return answer.catch(throwFromHere)
  }) as pg.Client['query']
}

/** As the driver does: the stack of an error tells who sent the statement, not where its answer was read. */
function throwFromHere(error: Error): never {
  Error.captureStackTrace(error)
  throw error
}

function isNamed(config: unknown, values: unknown): boolean {
  return (
    typeof config === 'string' && Array.isArray(values) && values.length > 0 && !config.startsWith(plannedForItsValues)
  )
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
