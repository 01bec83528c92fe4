import type pg from 'pg'
import { driverOf } from './client.ts'
import { tooManyLarge } from './errors.ts'

/** Until when each connection may be silent, as long as the server is there. */
const allowed = new WeakMap<pg.ClientBase, number>()

interface Limits {
  /** How long any connection may be silent while an answer is awaited. */
  ms: number
  /** Asked whenever one has been silent for so long that may be. */
  isServerThere: () => Promise<boolean>
  /** Those of the same pool that have been, and how many of them may be at a time. */
  silent: Set<pg.ClientBase>
  mostSilent: number
}

/**
 * Breaks a connection on which an answer is awaited and nothing comes: the server may still be at work on it, and
 * whoever got it next would wait as well. One timer per connection; the driver's own would be one per statement.
 */
export function limitSilence(client: pg.ClientBase, limits: Limits): void {
  const { ms, isServerThere } = limits
  const driver = driverOf(client)
  const { stream } = driver.connection
  stream.setTimeout(ms)
  // Not as the callback of setTimeout: that is called once, and the first silence is mostly that of an idle connection.
  stream.on('timeout', async () => {
    if (driver.readyForQuery) return
    const heard = stream.bytesRead
    const mayGoOn = Date.now() < (allowed.get(client) ?? 0)
    const isOneTooMany = mayGoOn && !takesPlace(client, limits)
    if (mayGoOn && !isOneTooMany && (await isServerThere())) stream.setTimeout(ms)
    else if (stream.bytesRead === heard) stream.destroy(new Error(isOneTooMany ? tooManyLarge : 'Query read timeout'))
  })
}

/** Whether it is among those that may be silent; the others of a pool have to answer everybody else. */
function takesPlace(client: pg.ClientBase, { silent, mostSilent }: Limits): boolean {
  for (const other of silent) if (!allowed.has(other)) silent.delete(other)
  if (!silent.has(client) && silent.size >= mostSilent) return false
  silent.add(client)
  return true
}

/** Lets the server be silent on a connection for so long, while it is there. */
export function allowSilence(client: pg.ClientBase, ms: number): void {
  allowed.set(client, Date.now() + ms)
}

/** Takes that back: the next transaction on the connection is another's. */
export function forbidSilence(client: pg.ClientBase): void {
  allowed.delete(client)
}
