import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import pg from 'pg'

/** A setting that is missing or wrong. Its message is one plain sentence for the operator. */
export class ConfigError extends Error {}

/** One setting: the variable's name, how to read and check its text, and what it is without one. */
export interface Setting<T> {
  name: string
  read: (text: string) => T
  fallback: T
  about: string
  secret: boolean
}

export const setting = <T>(name: string, read: (text: string) => T, fallback: T, about: string): Setting<T> => ({
  name,
  read,
  fallback,
  about,
  secret: false,
})

/** A setting that is never shown and may come from a file. */
export const secret = <T>(name: string, read: (text: string) => T, fallback: T, about: string): Setting<T> => ({
  ...setting(name, read, fallback, about),
  secret: true,
})

// What the text of a setting may be; each throws a ConfigError that begins with "must be".

export const matching = (pattern: RegExp, expected: string) => (text: string) => {
  if (!pattern.test(text)) throw new ConfigError(`must be ${expected}`)
  return text
}

export const whole = (least: number, most: number) => (text: string) => {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < least || value > most) {
    throw new ConfigError(`must be a whole number from ${least} to ${most}`)
  }
  return value
}

export const choice =
  <T extends string>(...values: T[]) =>
  (text: string): T => {
    const found = values.find((value) => value === text)
    if (!found) throw new ConfigError(`must be one of ${values.join(', ')}`)
    return found
  }

export const truth = (text: string) => choice('true', 'false')(text) === 'true'

export const address = (text: string) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search || url.hash || url.username) {
    throw new ConfigError('must be an http or https address without a path, such as https://apis.example.com')
  }
  return url.origin
}

export const postgres = (text: string) => {
  matching(/^postgres(ql)?:\/\//, 'an address that starts with postgres://')(text)
  try {
    // It reads the address, and the certificates that it names; it connects to nothing.
    const { port } = new pg.Client(text)
    if (!(port > 0 && port < 65_536)) throw new RangeError('no port')
  } catch (error) {
    const isFile = (error as NodeJS.ErrnoException).syscall !== undefined
    const form = 'an address such as postgres://user:password@host:5432/database, its parts percent-encoded'
    throw new ConfigError(`must ${isFile ? 'name certificates that can be read' : `be ${form}`}`)
  }
  return text
}

const list = (text: string) => text.split(/[\s,]+/).filter(Boolean)

export const keys = (text: string) => {
  const all = list(text)
  if (all.length === 0 || all.some((key) => key.length < 32)) {
    throw new ConfigError('must be keys of at least 32 characters each, separated by commas')
  }
  return all
}

export const date = (text: string) => {
  const value = new Date(text)
  // The 30th of February would be read as a day in March.
  const isDay = !Number.isNaN(value.getTime()) && value.toISOString().slice(0, 10) === text
  if (!isDay) throw new ConfigError('must be a date such as 2027-06-30')
  return value
}

const listOf = (isOne: (text: string) => boolean, expected: string) => (text: string) => {
  const all = list(text)
  if (!all.every(isOne)) throw new ConfigError(`must be ${expected}`)
  return all
}

export const hosts = listOf(isHost, 'hosts such as app.example.com or app.example.com:8443, separated by commas')

export const proxies = listOf(isProxy, 'addresses such as 10.0.0.1, 10.0.0.0/8 or uniquelocal, separated by commas')

/** Whether it is what an address names as its host, to the letter but for case. */
function isHost(text: string): boolean {
  const addresses = [`http://${text}`, `https://${text}`]
  return !text.includes('*') && addresses.some((url) => URL.canParse(url) && new URL(url).host === text.toLowerCase())
}

/** Whether it is an address, or a network of them by the length of its prefix. */
function isProxy(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true
  const [start = '', network, ...more] = text.split('/')
  const family = isIP(start)
  if (family === 0 || more.length > 0) return false
  if (network === undefined) return true
  return /^\d{1,3}$/.test(network) && Number(network) > 0 && Number(network) <= (family === 4 ? 32 : 128)
}

/**
 * The value of a setting: from its variable, for a secret also from the file that {name}_FILE names.
 * @throws ConfigError
 */
export function readSetting(setting: Setting<unknown>, environment: Record<string, string | undefined>): unknown {
  const text = setting.secret ? readSecret(setting.name, environment) : environment[setting.name]
  if (!text) return setting.fallback
  try {
    return setting.read(text)
  } catch (error) {
    const shown = setting.secret ? '' : ` (it is ${JSON.stringify(text)})`
    throw new ConfigError(`${setting.name} ${(error as Error).message}${shown}.`)
  }
}

function readSecret(name: string, environment: Record<string, string | undefined>): string | undefined {
  const path = environment[`${name}_FILE`]
  if (!path) return environment[name]
  // Either may be meant: an address for a process beside the container, say, or the one for within.
  if (environment[name]) throw new ConfigError(`${name} and ${name}_FILE are both set: leave one of them out.`)
  const text = readText(path)
  if (text === undefined) throw new ConfigError(`${name}_FILE names ${path}, which cannot be read.`)
  // As if nothing were set, an embedded database would begin, or a password be made.
  if (text === '') throw new ConfigError(`${name}_FILE names ${path}, which is empty.`)
  return text
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return undefined
  }
}
