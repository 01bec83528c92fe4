import { describe, expect, test } from 'vitest'
import { directoryKinds, startDirectory } from '../../support/directory/directory.ts'
import { addDirectoryDomain, ssoLogin } from '../../support/directory/domain.ts'
import { groups, passwordOf, suffix } from '../../support/directory/seeds.ts'
import { tap } from '../../support/directory/tap.ts'
import { tryOut } from '../../support/directory/trying.ts'
import { exampleApi } from '../../support/examples.ts'
import { startService } from '../../support/service.ts'

const service = await startService({ LOGIN_ADDRESS_PER_MINUTE: '100000' })
const admin = await service.siteAdmin()

const signIn = (domain: string, userName: string, password = passwordOf(userName)) =>
  ssoLogin(service, domain, userName, password)
const rowOf = (userFDN: string) =>
  service.db
    .selectFrom('app_user')
    .selectAll()
    .where('id', '=', userFDN.split('.')[0] ?? '')
    .executeTakeFirstOrThrow()
const rolesOf = async (userFDN: string) => (await admin.get(`/api/users/${userFDN}`)).json.Role ?? []

describe.each(directoryKinds)('%s', async (kind) => {
  const directory = await startDirectory(kind)
  const { connections, asked, port } = await tap(directory.port)
  const settings = { Url: `ldap://127.0.0.1:${port}` }
  const domain = await addDirectoryDomain(service, { settings })

  /** What the directory is asked while something goes on. */
  async function askedDuring(work: () => Promise<unknown>): Promise<string[]> {
    const before = asked().length
    await work()
    return asked().slice(before)
  }

  test('a person becomes a user by the id of their entry, and the same one each time', async () => {
    const first = await signIn(domain, 'alice')
    expect(first.status).toBe(200)
    expect(first.json).toMatchObject({ userName: 'alice', loginDomainId: `${domain}.platform` })
    const entry = { domain_id: domain, issuer: '', user_name: 'alice', email: 'alice@example.test' }
    expect(await rowOf(first.json.userFDN)).toMatchObject({ ...entry, subject: expect.stringMatching(/^0f0e0d0c-/) })
    expect((await signIn(domain, 'ALICE', passwordOf('alice'))).json.userFDN).toBe(first.json.userFDN)
    expect((await admin.get(`/api/users/${first.json.userFDN}/logindomain`)).json.LoginDomainID).toBe(
      `${domain}.platform`,
    )
  })

  test('names are spelled as in the directory; without an address the e-mail is empty', async () => {
    const carla = await signIn(domain, 'cARLA', passwordOf('Carla'))
    expect(carla.json.userName).toBe('Carla')
    expect((await rowOf(carla.json.userFDN)).email).toBe('')
    expect((await signIn(domain, 'zoë')).json.userName).toBe('zoë')
  })

  test('a value that XML cannot carry is none', async () => {
    const odd = await addDirectoryDomain(service, { settings: { ...settings, EmailAttribute: 'description' } })
    const { userFDN } = (await signIn(odd, 'bob')).json
    const answer = await admin.get(`/api/users/${userFDN}`, { accept: 'application/xml' })
    expect([answer.status, answer.text]).toEqual([200, expect.stringMatching('<Email></Email>|<Email/>')])
  })

  test('a name may hold what filters are made of', async () => {
    expect((await signIn(domain, 'odd(*)')).json.userName).toBe('odd(*)')
  })

  test('an unknown name and a wrong password look alike and cost the directory alike', async () => {
    const answers = new Map<string, unknown>()
    for (const [name, password] of [
      ['alice', 'wrong'],
      ['nobody', 'wrong'],
      // Two have it.
      ['twin', passwordOf('twin')],
    ] as const) {
      const before = asked().length
      const { status, headers, json } = await signIn(domain, name, password)
      expect(status).toBe(401)
      answers.set(name, {
        ...json,
        instance: '',
        headers: { ...headers, date: '' },
        asked: asked().slice(before, before + 3),
      })
    }
    expect(answers.get('nobody')).toEqual(answers.get('alice'))
    expect(answers.get('twin')).toEqual(answers.get('alice'))
    expect(answers.get('alice')).toMatchObject({ asked: ['bind', 'search', 'bind'] })
  })

  test.each([
    '*',
    'a*',
    'a)(uid=*',
    'alice)(|(uid=*',
    '*)(objectClass=*',
    'alice\\2a',
    ' alice',
    'alice ',
    'zoe',
    'älice',
  ])('the name %j matches nobody else', async (name) => {
    expect((await signIn(domain, name, passwordOf('alice'))).status).toBe(401)
    expect((await signIn(domain, name, passwordOf('zoë'))).status).toBe(401)
  })

  test.each([
    ['an empty password', 'alice', ''],
    ['a password of NUL', 'alice', '\0'],
    ['a password with more after NUL', 'alice', `${passwordOf('alice')}\0x`],
    ['an empty password of nobody', 'nobody', ''],
    ['an empty name', '', 'x'],
    ['a name with NUL', 'alice\0', passwordOf('alice')],
    ['a name of 10 kB', 'a'.repeat(10_240), 'x'],
  ])('%s is refused before the directory is asked', async (_, name, password) => {
    const during = await askedDuring(async () => {
      expect((await signIn(domain, name, password)).status).toBe(401)
    })
    expect(during).toEqual([])
  })

  test('each sign-in has a connection of its own, and leaves it', async () => {
    const before = connections.length
    await signIn(domain, 'alice')
    await signIn(domain, 'alice', 'wrong')
    await expect
      .poll(() => connections.slice(before))
      .toEqual([
        ['bind', 'search', 'bind', 'unbind'],
        ['bind', 'search', 'bind', 'unbind'],
      ])
  })

  test('a domain that does not provision lets in only whom it knows', async () => {
    const closed = await addDirectoryDomain(service, { settings, provisions: false })
    expect((await signIn(closed, 'bob')).status).toBe(401)
    await service.db.updateTable('login_domain').set({ provisions: true }).where('id', '=', closed).execute()
    const { userFDN } = (await signIn(closed, 'bob')).json
    await service.db.updateTable('login_domain').set({ provisions: false }).where('id', '=', closed).execute()
    expect((await signIn(closed, 'bob')).json.userFDN).toBe(userFDN)
  })

  test('a disabled user stays out with the right password, which looks like a wrong one', async () => {
    const { userFDN } = (await signIn(domain, 'bob')).json
    const wrong = await signIn(domain, 'bob', 'wrong')
    const id = userFDN.split('.')[0]
    await service.db.updateTable('app_user').set({ enabled: false }).where('id', '=', id).execute()
    const refused = await signIn(domain, 'bob')
    expect(refused.status).toBe(401)
    const own = { instance: '', headers: { ...wrong.headers, date: '' } }
    expect({ ...refused.json, ...own, headers: { ...refused.headers, date: '' } }).toEqual({ ...wrong.json, ...own })
  })

  test('rules give roles by the attribute of a person and by groups, and take them back', async () => {
    const roleRules = [
      { attribute: 'memberof', value: `cn=platform admins, ou=groups,${suffix}`, role: 'SiteAdmin' as const },
      { attribute: 'memberOf', value: `CN=Business , ${groups}`, role: 'BusinessAdmin' as const },
      { attribute: 'constructor', value: 'x', role: 'SiteAdmin' as const },
    ]
    const ruled = await addDirectoryDomain(service, { settings: { ...settings, GroupBaseDn: groups }, roleRules })
    const alice = (await signIn(ruled, 'alice')).json.userFDN
    const zoe = (await signIn(ruled, 'zoë')).json.userFDN
    const carla = (await signIn(ruled, 'Carla')).json.userFDN
    expect((await rolesOf(alice)).sort()).toEqual(['BusinessAdmin', 'SiteAdmin'])
    expect(await rolesOf(zoe)).toEqual(['BusinessAdmin'])
    expect(await rolesOf(carla)).toEqual([])

    await service.db
      .updateTable('login_domain')
      .set({ role_rules: JSON.stringify(roleRules.slice(1)) })
      .where('id', '=', ruled)
      .execute()
    await signIn(ruled, 'alice')
    expect(await rolesOf(alice)).toEqual(['BusinessAdmin'])
  })

  test('a membership that a person gives stays when the rule that gave it before no longer does', async () => {
    const { AdminGroupID } = (await admin.post('/api/apis', exampleApi())).json
    const groupId = AdminGroupID.split('.')[0]
    const roleRules = [{ attribute: 'memberOf', value: `cn=Business,${groups}`, groupId }]
    const ruled = await addDirectoryDomain(service, { settings: { ...settings, GroupBaseDn: groups }, roleRules })
    const [alice, zoe] = [(await signIn(ruled, 'alice')).json.userFDN, (await signIn(ruled, 'zoë')).json.userFDN]
    const members = async () => {
      const found = service.db.selectFrom('group_member').select('user_id').where('group_id', '=', groupId)
      return (await found.execute()).map(({ user_id }) => `${user_id}.platform`)
    }
    expect(await members()).toEqual(expect.arrayContaining([alice, zoe]))
    await admin.post(`/api/groups/${AdminGroupID}/members`, { UserID: alice })

    await service.db.updateTable('login_domain').set({ role_rules: '[]' }).where('id', '=', ruled).execute()
    await signIn(ruled, 'alice')
    await signIn(ruled, 'zoë')
    expect(await members()).toContain(alice)
    expect(await members()).not.toContain(zoe)
  })

  // Of the real one the same form with a rule that it has, which looks at direct members.
  const chain = kind === 'slapd' ? 'distinguishedNameMatch' : '1.2.840.113556.1.4.1941'
  test.each([
    ['(memberUid={username})', 'odd(*)', 'Named'],
    ['(&(objectClass=posixGroup)(memberUid={username}))', 'Carla', 'Named'],
    [`(member:${chain}:={dn})`, 'alice', kind === 'slapd' ? 'Business' : 'Around'],
    [`(member:${chain}:={dn})`, 'zoë', kind === 'slapd' ? 'Business' : 'Around'],
  ])('the filter %s finds the groups of %s', async (GroupFilter, name, group) => {
    const roleRules = ['Named', 'Others', 'Business', 'Around', 'Nobodys'].map((each) => ({
      attribute: 'memberOf',
      value: `cn=${each},${groups}`,
      role: each === group ? ('BusinessAdmin' as const) : ('SiteAdmin' as const),
    }))
    // Whoever is within a group is in one of its groups.
    const own = roleRules.filter(({ value }) => group !== 'Around' || !value.startsWith('cn=Business'))
    const filtered = { ...settings, GroupBaseDn: groups, GroupFilter }
    const found = await addDirectoryDomain(service, { settings: filtered, roleRules: own })
    const { userFDN } = (await signIn(found, name)).json
    expect(await rolesOf(userFDN)).toEqual(['BusinessAdmin'])
    expect((await tryOut(filtered)).at(-1)).toEqual({ step: `Find groups below ${groups}` })
  })

  test('bytes are an id too', async () => {
    const binary = await addDirectoryDomain(service, { settings: { ...settings, IdAttribute: 'objectguid' } })
    const { userFDN } = (await signIn(binary, 'alice')).json
    expect((await rowOf(userFDN)).subject).toBe('00ff80c3000000000000000000000001')
  })

  test('ObjectClass leaves others out', async () => {
    const some = await addDirectoryDomain(service, { settings: { ...settings, ObjectClass: 'inetOrgPerson' } })
    const none = await addDirectoryDomain(service, { settings: { ...settings, ObjectClass: 'organizationalUnit' } })
    expect((await signIn(some, 'alice')).status).toBe(200)
    expect((await signIn(none, 'alice')).status).toBe(401)
  })

  test('of 20 guesses at once five are looked at', async () => {
    const throttled = await addDirectoryDomain(service, { settings })
    const guesses = (name: string) =>
      Promise.all(Array.from({ length: 20 }, (_, n) => signIn(throttled, name, `guess ${n}`)))
    for (const name of ['alice', 'nobody']) {
      const asked = await askedDuring(async () => {
        const statuses = (await guesses(name)).map(({ status }) => status)
        expect(statuses.filter((status) => status === 401).length).toBe(5)
        expect(statuses.filter((status) => status === 429).length).toBe(15)
      })
      expect(asked.filter((each) => each === 'search').length).toBe(5)
    }
  })

  test('20 sign-ins of one person at once are all let in', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(domain, 'alice')))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
  })

  test('a throttled name answers alike, whether it exists or not', async () => {
    const throttled = await addDirectoryDomain(service, { settings })
    for (const name of ['alice', 'nobody']) {
      for (let guess = 0; guess < 5; guess++) expect((await signIn(throttled, name, 'wrong')).status).toBe(401)
    }
    const answers = [await signIn(throttled, 'alice'), await signIn(throttled, 'nobody', 'wrong')]
    expect(answers.map(({ status }) => status)).toEqual([429, 429])
    expect(answers[0]?.json).toEqual({ ...answers[1]?.json, instance: answers[0]?.json.instance })
  })
})
