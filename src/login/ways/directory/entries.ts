import type { Client, Entry } from 'ldapts'
import type { DirectorySettings } from '../../../login-domains/settings.ts'
import { plainText } from '../plain-text.ts'
import { DirectoryFailure } from './failure.ts'

export const mostGroups = 1000
const searchSeconds = 2

/** The entry of a person. */
export interface Person {
  dn: string
  /** The name under which they were found, as the directory spells it. */
  userName: string
  entry: Entry
}

/** Finds the one person of a name; nobody where two have it. */
export async function findPerson(
  client: Client,
  settings: DirectorySettings,
  userName: string,
): Promise<Person | undefined> {
  const found = await searchPeople(client, settings, { name: userName, most: 2 })
  const [entry] = found
  if (!entry || found.length > 1) return undefined
  // Directories find by likeness: accents, widths and blanks count little. Guesses are counted by name, though, so that
  // nobody may have more names than one.
  const own = textsOf(entry, settings.NameAttribute).find((each) => each.toLowerCase() === userName.toLowerCase())
  return own === undefined ? undefined : { dn: nameOf(entry), userName: own, entry }
}

/** People below `BaseDn`: those of a name, or any. */
export async function searchPeople(
  client: Client,
  settings: DirectorySettings,
  { name, most }: { name?: string; most: number },
): Promise<Entry[]> {
  const { AndFilter, EqualityFilter, PresenceFilter } = await import('ldapts')
  const { BaseDn, NameAttribute, IdAttribute, EmailAttribute, GroupAttribute, ObjectClass } = settings
  const named =
    name === undefined
      ? new PresenceFilter({ attribute: NameAttribute })
      : new EqualityFilter({ attribute: NameAttribute, value: name })
  const filter = ObjectClass
    ? new AndFilter({ filters: [new EqualityFilter({ attribute: 'objectClass', value: ObjectClass }), named] })
    : named
  const attributes = [NameAttribute, IdAttribute, EmailAttribute, GroupAttribute]
  const { searchEntries } = await client.search(BaseDn, {
    filter,
    attributes,
    sizeLimit: most,
    timeLimit: searchSeconds,
  })
  return searchEntries
}

/** The names of the groups below `GroupBaseDn` that have a person as a member, or that `GroupFilter` finds for them. */
export async function findGroups(
  client: Client,
  settings: DirectorySettings,
  person: Pick<Person, 'dn' | 'userName'>,
): Promise<string[]> {
  const { GroupBaseDn, GroupMemberAttribute, GroupFilter } = settings
  if (!GroupBaseDn) return []
  const { EqualityFilter } = await import('ldapts')
  const { searchEntries } = await client.search(GroupBaseDn, {
    filter: GroupFilter
      ? filledFilter(GroupFilter, person)
      : new EqualityFilter({ attribute: GroupMemberAttribute, value: person.dn }),
    // No attributes: the name is enough.
    attributes: ['1.1'],
    sizeLimit: mostGroups,
    timeLimit: searchSeconds,
  })
  return searchEntries.map((entry) => entry.dn)
}

function filledFilter(filter: string, { dn, userName }: Pick<Person, 'dn' | 'userName'>): string {
  return filter.replace(/=\{(dn|username)\}\)/g, (_, name) => `=${escaped(name === 'dn' ? dn : userName)})`)
}

/** A value as filters write it (RFC 4515): nothing in it ends the value or stands for anything else. */
function escaped(value: string): string {
  return value.replace(/[\\*()\0]/g, (character) => `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

/** The name to bind with, which must not mean anything else than an entry. */
function nameOf({ dn }: Entry): string {
  if (!dn.includes('=')) throw new DirectoryFailure('An entry has no name.')
  return dn
}

/** The values of an attribute, whatever the case of its name; large groups of values come as `name;range=0-1499`. */
export function valuesOf(entry: Entry, attribute: string): (string | Buffer)[] {
  const wanted = attribute.toLowerCase()
  return Object.entries(entry)
    .filter(([name]) => name.toLowerCase().replace(/;range=.*$/, '') === wanted)
    .flatMap(([, values]): (string | Buffer)[] => (Array.isArray(values) ? values : [values]))
}

/** Those values that are plain text, of a length that fits. */
export function textsOf(entry: Entry, attribute: string, longest = 256): string[] {
  return valuesOf(entry, attribute).filter(
    (value): value is string => typeof value === 'string' && value.length <= longest && plainText.test(value),
  )
}
