export const suffix = 'dc=example,dc=test'
export const people = `ou=people,${suffix}`
export const groups = `ou=groups,${suffix}`
export const service = { dn: `cn=service,${suffix}`, password: 'the secret of the service' }

/** An entry as both directories are given it. */
export interface Seed {
  dn: string
  attributes: Record<string, (string | Buffer)[]>
}

export const passwordOf = (uid: string) => `password of ${uid}`

const uuid = (n: number) => `0f0e0d0c-0000-4000-8000-${String(n).padStart(12, '0')}`

function unit(name: string, above: string): Seed {
  return { dn: `ou=${name},${above}`, attributes: { objectClass: ['organizationalUnit'], ou: [name] } }
}

let made = 0

function person(uid: string, more: Seed['attributes'] = {}, above = people): Seed {
  return {
    dn: `uid=${uid},${above}`,
    attributes: {
      objectClass: ['inetOrgPerson', 'directoryPerson'],
      uid: [uid],
      cn: [`${uid} of the tests`],
      sn: [uid],
      userPassword: [passwordOf(uid)],
      entryUUID: [uuid(++made)],
      objectGUID: [Buffer.from(`00ff80c3${String(made).padStart(24, '0')}`, 'hex')],
      ...more,
    },
  }
}

function group(name: string, ...members: string[]): Seed {
  return { dn: `cn=${name},${groups}`, attributes: { objectClass: ['groupOfNames'], cn: [name], member: members } }
}

/** A group by the names of its members, not by their entries. */
function posixGroup(name: string, ...memberUid: string[]): Seed {
  const attributes = { objectClass: ['posixGroup'], cn: [name], gidNumber: ['1'], memberUid }
  return { dn: `cn=${name},${groups}`, attributes }
}

const alice = person('alice', {
  uid: ['alice'],
  mail: ['alice@example.test', 'a@example.test'],
  employeeNumber: ['1'],
  memberOf: [`CN=Platform Admins,OU=Groups,DC=example,DC=test`],
})

export const seeds: Seed[] = [
  {
    dn: suffix,
    attributes: { objectClass: ['dcObject', 'organization'], dc: ['example'], o: ['Example'] },
  },
  {
    dn: service.dn,
    attributes: {
      objectClass: ['organizationalRole', 'simpleSecurityObject'],
      cn: ['service'],
      userPassword: [service.password],
    },
  },
  unit('people', suffix),
  unit('elsewhere', people),
  unit('empty', suffix),
  unit('groups', suffix),
  alice,
  person('bob', { description: ['not a character: \uffff'] }),
  person('odd(*)'),
  person('Carla'),
  person('zoë'),
  person('twin'),
  person('twin', { cn: ['another'] }, `ou=elsewhere,${people}`),
  group('Business', alice.dn, `uid=zoë,${people}`),
  group('Nobodys', service.dn),
  group('Around', `cn=Business,${groups}`),
  posixGroup('Named', 'odd(*)', 'Carla'),
  posixGroup('Others', 'alice', 'odd'),
]

/** The seeds in the form that slapadd reads. */
export function ldif(): string {
  const line = (name: string, value: string | Buffer) =>
    `${name}:: ${Buffer.from(value as string).toString('base64')}\n`
  return seeds
    .map(({ dn, attributes }) => {
      const lines = Object.entries(attributes).flatMap(([name, values]) => values.map((value) => line(name, value)))
      return line('dn', dn) + lines.join('')
    })
    .join('\n')
}
