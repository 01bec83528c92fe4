import { readFile } from 'node:fs/promises'
import { Validator } from '@seriousme/openapi-schema-validator'
import { convert } from 'swagger-converter'
import { problemsOf, problemsOfSwagger12 } from '../../test/support/description-checks.ts'
import { differences, silentDifferences } from './compare.ts'
import { importDocument, Refused, readDescription, readOriginal, removeApi, type Site } from './exchange.ts'
import { type Told, toldByDeclaration, toldByDocument, toldByVersion } from './told.ts'

/** What became of a document. */
export interface Outcome {
  path: string
  bytes: number
  operations: number
  /** Whether its official schema calls it valid. */
  isValid: boolean
  /** Why the service did not take it. */
  refused?: string
  /** What is wrong with what the service made of it; empty if nothing is. */
  problems: string[]
}

const officialSchemas = new Validator()

/** Imports a document, reads it back in every format, and judges what came. */
export async function goThrough(site: Site, path: string): Promise<Outcome> {
  const bytes = await readFile(path)
  const document = JSON.parse(bytes.toString())
  const original = toldByDocument(document)
  const { valid: isValid } = await officialSchemas.validate(structuredClone(document))
  const outcome = { path, bytes: bytes.length, operations: original.length, isValid, problems: [] }
  try {
    const api = await importDocument(site, bytes, 'document.json')
    const problems = await judge(site, api, bytes, original)
    await removeApi(site, api.APIID)
    return { ...outcome, problems }
  } catch (error) {
    if (error instanceof Refused) return { ...outcome, refused: error.message }
    return { ...outcome, problems: [(error as Error).message] }
  }
}

// biome-ignore lint/suspicious/noExplicitAny: an API as JSON.
async function judge(site: Site, api: any, bytes: Buffer, original: Told[]): Promise<string[]> {
  const version = toldByVersion(api.APIVersion)
  const problems = differences(original, version).map((each) => `version: ${each}`)
  const id = api.LatestVersionID
  if (!bytes.equals(await readOriginal(site, id))) problems.push('original: other bytes')
  for (const word of ['swagger11', 'swagger12', 'swagger', 'oas30', 'oas31']) {
    const { document, omissions } = await readDescription(site, id, word)
    // A header has room for the first omissions only.
    const isCut = omissions.some(({ operation, reason }) => !operation && /^and \d+ more$/.test(reason))
    const said = new Set(omissions.flatMap(({ operation }) => operation ?? []))
    const told = word.startsWith('swagger1') ? toldByDeclaration(document) : toldByDocument(document)
    const silent = isCut ? [] : silentDifferences(version, told, said)
    problems.push(...[...silent, ...(await invalid(word, document, told))].map((each) => `${word}: ${each}`))
  }
  return [...new Set(problems)]
}

// biome-ignore lint/suspicious/noExplicitAny: a description in any format.
async function invalid(word: string, document: any, told: Told[]): Promise<string[]> {
  if (word === 'swagger11') return readByOthers(document, told)
  if (word === 'swagger12') return problemsOfSwagger12(document).map((each) => JSON.stringify(each))
  return problemsOf(document)
}

/** Whether a reader of Swagger 1 that others wrote finds the same operations and parameters. */
function readByOthers(document: { apis: { path: string }[] }, told: Told[]): string[] {
  const apis = document.apis.filter(({ path }) => isReadByOthers(path))
  const found = toldByDocument({ paths: convert({ ...document, apis }, {}).paths })
  return asText(found) === asText(told.filter(({ path }) => isReadByOthers(path)))
    ? []
    : ['another reader finds other operations']
}

/** That reader drops what follows ? and # in a path, takes {format} for json and // for the beginning of an address. */
function isReadByOthers(path: string): boolean {
  return !/[?#]|\{format\}|^\/\//.test(path)
}

function asText(all: Told[]): string {
  const lines = all.map(({ method, path, parameters }) => `${method} ${path} ${parameters}`)
  return lines.sort().join('\n')
}
