import type { Entry } from 'ldapts'
import type { DirectorySettings } from '../../../login-domains/settings.ts'
import type { Identity } from '../../people.ts'
import { comparable } from './comparable.ts'
import { mostGroups, type Person, textsOf, valuesOf } from './entries.ts'
import { DirectoryFailure } from './failure.ts'

const longestGroup = 2048
const mostIdBytes = 128

/** @throws DirectoryFailure for an entry without an id: its name may change, and be another's tomorrow. */
export function identityOf(settings: DirectorySettings, person: Person, groups: readonly string[]): Identity {
  const { GroupAttribute, EmailAttribute } = settings
  const held = [...textsOf(person.entry, GroupAttribute, longestGroup), ...groups].slice(0, mostGroups)
  return {
    issuer: '',
    subject: idOf(settings, person.entry),
    userName: person.userName,
    email: textsOf(person.entry, EmailAttribute, 320)[0] ?? '',
    attributes: { [comparable(GroupAttribute)]: held.map(comparable) },
    comparable,
  }
}

/** The id of an entry: text as it is, bytes (objectGUID) in hexadecimal. */
export function idOf({ IdAttribute }: DirectorySettings, entry: Entry): string {
  const [id, ...more] = valuesOf(entry, IdAttribute)
  if (id === undefined || id.length === 0) {
    throw new DirectoryFailure(`The entry has no ${IdAttribute}, or the service account may not read it.`)
  }
  if (more.length > 0) throw new DirectoryFailure(`The entry has more than one ${IdAttribute}.`)
  const bytes = Buffer.from(id as string)
  if (bytes.length > mostIdBytes) throw new DirectoryFailure(`The ${IdAttribute} of the entry is too long for an id.`)
  return typeof id === 'string' && /^[!-~]+$/.test(id) ? id : bytes.toString('hex')
}
