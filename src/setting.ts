import { readFileSync } from 'node:fs'

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

export const keys = (text: string) => {
  const list = text.split(/[\s,]+/).filter(Boolean)
  if (list.length === 0 || list.some((key) => key.length < 32)) {
    throw new ConfigError('must be keys of at least 32 characters each, separated by commas')
  }
  return list
}

export const date = (text: string) => {
  const value = new Date(text)
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(value.getTime())) {
    throw new ConfigError('must be a date such as 2027-06-30')
  }
  return value
}

export const list = (text: string) => text.split(/[\s,]+/).filter(Boolean)
/**
 * The value of a setting: from its variable, for a secret also from the file that {name}_FILE names.
 * @throws ConfigError
 */
export function readSetting(setting: Setting<unknown>, environment: Record<string, string | undefined>): unknown {
  const text = environment[setting.name] || (setting.secret ? readSecretFile(setting.name, environment) : undefined)
  if (!text) return setting.fallback
  try {
    return setting.read(text)
  } catch (error) {
    const shown = setting.secret ? '' : ` (it is "${text}")`
    throw new ConfigError(`${setting.name} ${(error as Error).message}${shown}.`)
  }
}

function readSecretFile(name: string, environment: Record<string, string | undefined>): string | undefined {
  const path = environment[`${name}_FILE`]
  if (!path) return undefined
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    throw new ConfigError(`${name}_FILE names ${path}, which cannot be read.`)
  }
}
