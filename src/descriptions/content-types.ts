import { remembering } from '../remembering.ts'
import type { Omission, StoredOperation } from './operations.ts'

type Member = 'InputContentType' | 'OutputContentType' | 'FaultContentType'

interface Listed {
  types: readonly string[]
  wrong: readonly string[]
}

// RFC 9110, 8.3.1: type, subtype and parameters; `*` is a letter of a name as well.
const token = "[\\w!#$%&'*+.^`|~-]+"
const mediaType = new RegExp(`^${token}/${token}(?:[ \\t]*;[ \\t]*${token}=(?:${token}|"[^"\\\\]*"))*$`)
const nothing: readonly string[] = []

/** The media types of a member, without repeats; what is none is added to `omissions`. */
export function contentTypes(operation: StoredOperation, member: Member, omissions: Omission[]): readonly string[] {
  const text = operation[member]
  if (!text) return nothing
  const { types, wrong } = listed(text)
  if (wrong.length > 0) {
    const quoted = wrong.map((text) => JSON.stringify(text)).join(', ')
    omissions.push({ operation: operation.Name, reason: `no media type in ${member}: ${quoted}` })
  }
  return types
}

const listed = remembering((text): Listed => {
  const parts = new Set(text.split(',').map((part) => part.trim()))
  parts.delete('')
  return {
    types: [...parts].filter((part) => mediaType.test(part)),
    wrong: [...parts].filter((part) => !mediaType.test(part)),
  }
})
