import type { Described } from './described.ts'
import { infoOf, tagsOf } from './info.ts'
import { operationsBelow } from './path-items.ts'
import { items, member, members, memberText, type Place, text } from './place.ts'
import type { Resolve } from './references.ts'

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch'])

/** Reads Swagger 2.0. */
export function swagger2(root: Place, resolve: Resolve): Described {
  const operations = operationsBelow(root, methods, resolve, (outline, operation) => {
    const types = (key: string) => items(member(operation, key) ?? member(root, key)).map(text)
    const gives = types('produces')
    const hasFaults = members(member(operation, 'responses')).some(([status]) => /^([45]|default)/.test(status))
    const hasBody = outline.inputs.some(({ Type }) => Type === 'body' || Type === 'form')
    return { ...outline, takes: hasBody ? types('consumes') : [], gives, faults: hasFaults ? gives : [] }
  })
  return { ...infoOf(root), tags: tagsOf(root), addresses: addressesOf(root), operations }
}

function addressesOf(root: Place): string[] {
  const host = memberText(root, 'host')
  const basePath = memberText(root, 'basePath') ?? ''
  // With a scheme of its own it would lead to the host `http`.
  if (!host || host.includes('://')) return []
  const schemes = items(member(root, 'schemes')).map(text)
  const path = basePath === '' || basePath.startsWith('/') ? basePath : `/${basePath}`
  // Without schemes it is the one by which the document was fetched, which is not known here.
  return (schemes.length > 0 ? schemes : ['https']).map((scheme) => `${scheme}://${host}${path === '/' ? '' : path}`)
}
