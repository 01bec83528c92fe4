import { Compile } from 'typebox/compile'
import { VersionBody } from '../api-versions/schemas.ts'
import { HttpUrl } from '../representation/formats.ts'
import { validatorCompiler } from '../representation/validate.ts'
import type { Described, DescribedOperation, Operation, Version } from './described.ts'
import { mostInputs } from './inputs.ts'
import { madeName, operationNames } from './names.ts'
import { exact, shown } from './texts.ts'
import { Unreadable } from './unreadable.ts'

const mostOperations = 5000
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
  const { description } = described
  const addresses = [...new Set(described.addresses)].filter((url) => isHttpUrl.Check(url)).slice(0, mostAddresses)
  const { operations, tags } = operationsOf(described.operations)
  const version: Version = {
    Name: shown(described.version?.trim() || '1.0', 255),
    ...(description && { Description: shown(description, 65_536) }),
    Tag: [...new Set([...described.tags, ...tags].filter(Boolean).map((tag) => shown(tag, 255)))].slice(0, mostTags),
    ...(addresses[0] !== undefined && { ProductionEndpoint: addresses[0] }),
    Operations: { Operation: operations },
    ...(addresses.length > 0 && {
      TargetAPI: { Endpoints: { Endpoint: addresses.map((Uri) => ({ Uri, Category: 'Production' })) } },
    }),
  }
  const checked = checkVersion(version) as { error?: Error }
  if (checked.error) throw new Unreadable(`the version that it describes cannot be stored: ${checked.error.message}`)
  return version
}

/** The operations, and the tags that they name. What is too much is refused before more of it is made. */
function operationsOf(described: Iterable<DescribedOperation>): { operations: Operation[]; tags: Set<string> } {
  const found: { id: string | undefined; made: string; operation: Operation }[] = []
  const tags = new Set<string>()
  let left = mostCharacters
  for (const { id, method, path, pointer, inputs, takes, gives, faults, tags: named } of described) {
    if (found.length === mostOperations)
      throw new Unreadable(`is one more than the ${mostOperations} operations that a version may have`, pointer)
    if (inputs.length > mostInputs) throw new Unreadable(`has more than ${mostInputs} parameters`, pointer)
    if (!path.startsWith('/')) throw new Unreadable('has a path that does not begin with /', pointer)
    const made = madeName(method, path)
    const operation: Operation = {
      Name: shown(id || made, 255),
      Method: exact(method.toUpperCase(), 32, pointer),
      Path: exact(path, 2048, pointer),
      Input: inputs,
      ...contentTypes({ InputContentType: takes, OutputContentType: gives, FaultContentType: faults }, pointer),
    }
    left -= JSON.stringify(operation).length
    if (left < 0) throw new Unreadable('brings the version above 4 MiB', pointer)
    found.push({ id, made, operation })
    for (const tag of named) tags.add(tag)
  }
  const nameOf = operationNames(found.flatMap(({ id }) => id || []))
  return { operations: found.map(({ id, made, operation }) => ({ ...operation, Name: nameOf(id, made) })), tags }
}

function contentTypes<Key extends string>(lists: Record<Key, string[]>, pointer: string): { [key in Key]?: string } {
  const joined = Object.entries<string[]>(lists)
    .map(([key, list]) => [key, [...new Set(list)].filter((type) => type.trim() !== '').join(', ')] as const)
    .filter(([, text]) => text !== '')
    .map(([key, text]) => [key, exact(text, mostTypes, pointer)])
  return Object.fromEntries(joined)
}
