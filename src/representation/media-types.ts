import type { FastifyContextConfig } from 'fastify'
import type { Vendor } from '../vendor.ts'

/** A calendar is text that the operation itself writes. */
export type Format = 'json' | 'xml' | 'yaml' | 'calendar'
export type MediaVersion = 'v71' | 'v72' | 'v80' | 'v81'

/** One representation that an operation takes or gives. `version` is absent for the plain types. */
export interface MediaType {
  /** Without parameters, such as `application/vnd.platform.v80+json`. */
  name: string
  format: Format
  version: MediaVersion | undefined
  /** The Content-Type of an answer, charset included. */
  contentType: string
  /** Whether an answer of it has no body; a fault then has one, of another type. */
  empty?: true
}

/** Which types an operation speaks: the plain type and the versioned ones of each format that is listed. */
export interface MediaSet {
  json?: readonly MediaVersion[]
  xml?: readonly MediaVersion[]
  yaml?: readonly MediaVersion[]
  calendar?: readonly []
  /** Whether `text/plain` is offered too: an answer without a body. */
  empty?: true
}

const upToV80: readonly MediaVersion[] = ['v71', 'v72', 'v80']
export const upToV81: readonly MediaVersion[] = [...upToV80, 'v81']

export const json: MediaSet = { json: upToV81 }
export const jsonAndYaml: MediaSet = { json: upToV81, yaml: [] }
export const jsonAndXml: MediaSet = { json: upToV81, xml: upToV81 }
export const jsonXmlAndCalendar: MediaSet = { ...jsonAndXml, calendar: [] }
export const jsonAndXmlOrEmpty: MediaSet = { ...jsonAndXml, empty: true }
export const jsonAndXmlUpToV80: MediaSet = { json: upToV80, xml: upToV80 }
export const jsonAndXmlV81: MediaSet = { json: ['v81'], xml: ['v81'] }

/** The types of a set, plain JSON first: it answers a request that has no preference. */
export function mediaTypesOf(set: MediaSet, vendor: Vendor): MediaType[] {
  const types: MediaType[] = []
  for (const format of ['json', 'xml', 'yaml'] as const) {
    const versions = set[format]
    if (!versions) continue
    types.push(mediaType(`application/${format}`, format))
    if (format !== 'json') types.push(mediaType(`text/${format}`, format))
    for (const version of versions) {
      types.push(mediaType(`application/${vendor.mediaTree}.${version}+${format}`, format, version))
    }
  }
  if (set.calendar) types.push(mediaType('text/calendar', 'calendar'))
  if (set.empty) types.push({ ...mediaType('text/plain', 'json'), empty: true })
  return types
}

function mediaType(name: string, format: Format, version?: MediaVersion): MediaType {
  return { name, format, version, contentType: `${name}; charset=utf-8` }
}

/** The value of a parameter of a media type or range, if that is its name; any number of blanks takes no longer. */
export function parameterValue(parameter: string, name: string): string | undefined {
  const [given = '', value, ...more] = parameter.split('=')
  return given.trim().toLowerCase() === name && more.length === 0 ? value?.trim() : undefined
}

export const formType = 'application/x-www-form-urlencoded'

/** Whether bodies of the media type are forms. */
export function isForm(type: string): boolean {
  return /^(?:application\/x-www-form-urlencoded|multipart\/form-data)(?:[ \t]*;|$)/i.test(type)
}

/** The names of the types that a body of a route may have. */
export function typesTaken({ takes, media }: FastifyContextConfig, vendor: Vendor): string[] {
  const set = takes ?? media ?? 'none'
  if (set === 'form') return [formType]
  if (set === 'file') return ['multipart/form-data']
  if (set === 'picture') return ['image/*']
  return set === 'none' ? [] : mediaTypesOf(set, vendor).map(({ name }) => name)
}
