import { Compile } from 'typebox/compile'
import { VersionBody } from '../api-versions/schemas.ts'
import { HttpUrl } from '../representation/formats.ts'
import { validatorCompiler } from '../representation/validate.ts'
import type { Described, DescribedOperation, Operation, Version } from './described.ts'
import { madeName, uniqueNames } from './names.ts'
import { exact, shown } from './texts.ts'
import { Unreadable } from './unreadable.ts'

const mostOperations = 5000
const mostInputs = 1000
const mostTypes = 8192
const mostTags = 100
const mostAddresses = 200
const mostCharacters = 4_194_304

const isHttpUrl = Compile(HttpUrl())
const checkVersion = validatorCompiler({ schema: VersionBody, httpPart: 'body', method: '', url: '' })

/**
 * The version that a document describes. Texts for people are cut to what a version may hold; for what requests are made of
 * it must fit.
 * @throws Unreadable
 */
export function versionOf(described: Described): Version {
  const { description, tags } = described
  const addresses = [...new Set(described.addresses)].filter((url) => isHttpUrl.Check(url)).slice(0, mostAddresses)
  const version: Version = {
    Name: shown(described.version || '1.0', 255),
    ...(description && { Description: shown(description, 65_536) }),
    Tag: [...new Set(tags.filter(Boolean).map((tag) => shown(tag, 255)))].slice(0, mostTags),
    ...(addresses[0] !== undefined && { ProductionEndpoint: addresses[0] }),
    Operations: { Operation: operationsOf(described.operations) },
    ...(addresses.length > 0 && {
      TargetAPI: { Endpoints: { Endpoint: addresses.map((Uri) => ({ Uri, Category: 'Production' })) } },
    }),
  }
  const checked = checkVersion(version) as { error?: Error }
  if (checked.error) throw new Unreadable(`the version that it describes cannot be stored: ${checked.error.message}`)
  return version
}

function operationsOf(described: DescribedOperation[]): Operation[] {
  const limit = described[mostOperations]
  if (limit)
    throw new Unreadable(`is one more than the ${mostOperations} operations that a version may have`, limit.pointer)
  const nameOf = uniqueNames(described.flatMap(({ id }) => id || []))
  let left = mostCharacters
  return described.map(({ id, method, path, pointer, inputs, takes, gives, faults }) => {
    if (inputs.length > mostInputs) throw new Unreadable(`has more than ${mostInputs} parameters`, pointer)
    if (!path.startsWith('/')) throw new Unreadable('has a path that does not begin with /', pointer)
    const operation: Operation = {
      Name: nameOf(id, madeName(method, path)),
      Method: exact(method.toUpperCase(), 32, pointer),
      Path: exact(path, 2048, pointer),
      Input: inputs,
      ...contentTypes({ InputContentType: takes, OutputContentType: gives, FaultContentType: faults }, pointer),
    }
    left -= JSON.stringify(operation).length
    if (left < 0) throw new Unreadable('brings the version above 4 MiB', pointer)
    return operation
  })
}

function contentTypes<Key extends string>(lists: Record<Key, string[]>, pointer: string): { [key in Key]?: string } {
  const joined = Object.entries<string[]>(lists)
    .map(([key, list]) => [key, [...new Set(list)].filter((type) => type.trim() !== '').join(', ')] as const)
    .filter(([, text]) => text !== '')
    .map(([key, text]) => [key, exact(text, mostTypes, pointer)])
  return Object.fromEntries(joined)
}
