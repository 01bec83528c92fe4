import { createHash } from 'node:crypto'
import type { RouteOptions } from 'fastify'
import { writeYaml } from '../representation/yaml-write.ts'
import { describe } from './document.ts'
import type { Names } from './operation.ts'
import { pagePolicy, writePage } from './page.ts'

/** The description in each of its forms; those that nobody asks for are not made. */
export interface MadeDescription {
  json: string
  yaml: () => string
  page: () => string
  /** The Content-Security-Policy of the page. */
  pagePolicy: string
  /** Tells descriptions of other programs or settings apart. */
  state: string
}

export function makeDescription(routes: readonly RouteOptions[], names: Names): MadeDescription {
  const json = JSON.stringify(describe(routes, names))
  return {
    json,
    yaml: onceAsked(() => writeYaml(JSON.parse(json))),
    page: onceAsked(() => writePage(JSON.parse(json))),
    pagePolicy,
    state: createHash('sha256').update(json).digest('base64url').slice(0, 16),
  }
}

function onceAsked(make: () => string): () => string {
  let made: string | undefined
  return () => {
    made ??= make()
    return made
  }
}
