import { rootCertificates } from 'node:tls'
import { describe, expect, test, vi } from 'vitest'
import { loggerOptions } from '../../../src/log.ts'
import { authority } from '../../support/directory/certificates.ts'
import { directoryKinds, startDirectory } from '../../support/directory/directory.ts'
import { addDirectoryDomain, ssoLogin } from '../../support/directory/domain.ts'
import { groups, passwordOf, people, suffix } from '../../support/directory/seeds.ts'
import { tap } from '../../support/directory/tap.ts'
import { failureOf, statusInTime, tryOut } from '../../support/directory/trying.ts'
import { startService } from '../../support/service.ts'

const service = await startService({ LOGIN_ADDRESS_PER_MINUTE: '100000' })

const signIn = (domain: string, password = passwordOf('alice')) => ssoLogin(service, domain, 'alice', password)

/** What the log says of the requests that fail while something goes on. */
async function causesDuring(work: () => Promise<unknown>): Promise<unknown[]> {
  const causes: unknown[] = []
  const { serializers } = loggerOptions(service.config) as { serializers: { err: (error: Error) => object } }
  const original = service.app.log.child as (...given: unknown[]) => { error: unknown }
  const child = vi.spyOn(service.app.log, 'child')
  child.mockImplementation(((...given: unknown[]) => {
    const made = original.apply(service.app.log, given)
    made.error = ({ err }: { err?: Error }) => err && causes.push(serializers.err(err))
    return made
  }) as never)
  await work().finally(() => child.mockRestore())
  return causes.map((each) => (each as { cause: unknown }).cause)
}

describe.each(directoryKinds)('%s', async (kind) => {
  const directory = await startDirectory(kind)
  const secure = { Url: `ldaps://localhost:${directory.tlsPort}`, CaCertificates: authority }
  const upgraded = { Url: `ldap://localhost:${directory.startTlsPort}`, StartTls: true, CaCertificates: authority }
  const steps = [
    'Sign in as the service account',
    `Find a person below ou=people,${suffix}`,
    'Read entryUUID of that person',
    `Find groups below ${groups}`,
  ].map((step) => ({ step }))

  const plain = { Url: `ldap://127.0.0.1:${directory.port}` }

  test('a directory that finds nobody by itself is no wrong password', async () => {
    const wrong: [object, string | null | undefined][] = [
      [{}, 'a wrong secret'],
      [{}, null],
      [{ BindDn: `cn=gone,${suffix}` }, undefined],
      [{ BindDn: '' }, undefined],
      [{ BaseDn: `ou=gone,${suffix}` }, undefined],
    ]
    for (const [changes, secret] of wrong) {
      const broken = await addDirectoryDomain(service, {
        settings: { ...plain, ...changes },
        ...(secret !== undefined && { secret }),
      })
      const causes = await causesDuring(async () => {
        const answer = await signIn(broken)
        expect([changes, answer.status]).toEqual([changes, 503])
        expect(answer.text).not.toContain(suffix)
      })
      expect(causes).toEqual([expect.stringMatching(/^(Sign in as the service account|Find the person): The /)])
      // Nor does it count as one.
      for (let again = 0; again < 5; again++) expect((await signIn(broken)).status).toBe(503)
    }
  })

  test('a person whose entry has no id is told so only with the right password', async () => {
    const partial = { settings: { ...plain, BaseDn: people, IdAttribute: 'employeeNumber' } }
    const withoutId = await addDirectoryDomain(service, partial)
    expect((await signIn(withoutId)).status).toBe(200)
    expect((await ssoLogin(service, withoutId, 'Carla', passwordOf('Carla'))).status).toBe(503)
    expect((await ssoLogin(service, withoutId, 'Carla', 'wrong')).status).toBe(401)
  })

  test('ldaps and StartTLS protect the password, and each step can be tried', async () => {
    for (const [settings, first] of [
      [secure, ['Agree on TLS']],
      [upgraded, ['Ask for TLS', 'Agree on TLS']],
    ] as const) {
      expect((await signIn(await addDirectoryDomain(service, { settings }))).status).toBe(200)
      const port = Number(new URL(settings.Url).port)
      const begin = [`Connect to localhost, port ${port}`, ...first].map((step) => ({ step }))
      expect(await tryOut({ ...settings, GroupBaseDn: groups })).toEqual([...begin, ...steps])
    }
  })

  test.each([
    ['another authority', { CaCertificates: rootCertificates[0] as string }],
    ['the usual authorities', { CaCertificates: '' }],
    ['another name', { host: '127.0.0.1' }],
  ])(
    'a certificate is not taken: %s',
    async (_, { host = 'localhost', ...changes }: Partial<Record<string, string>>) => {
      for (const protection of [secure, upgraded]) {
        const settings = { ...protection, ...changes, Url: protection.Url.replace('localhost', host) }
        expect(await statusInTime(service, settings)).toEqual([503, true])
        expect(await failureOf(settings)).toEqual({ step: 'Agree on TLS', failure: expect.any(String) })
      }
    },
  )

  test('trying out says what fails, without secrets', async () => {
    const refused = await failureOf(plain, 'a wrong secret')
    expect(refused).toEqual({ step: 'Sign in as the service account', failure: expect.stringContaining('code 49') })
    const nobody = await failureOf({ ...plain, BaseDn: `ou=empty,${suffix}` })
    expect(nobody?.failure).toBe('No entry with uid is there, or shown.')
    const gone = await failureOf({ ...plain, BaseDn: `ou=gone,${suffix}` })
    expect(gone?.failure).toContain('code 32')
    const withoutId = await failureOf({ ...plain, IdAttribute: 'employeeType' })
    expect(withoutId?.failure).toContain('has no employeeType')
    expect((await failureOf(plain, ''))?.failure).toBe('The service account has no secret.')
    expect(JSON.stringify([refused, nobody, gone, withoutId])).not.toContain('secret')
  })
})

test.concurrent.for(directoryKinds)(
  '%s: frozen it is 503 in time for 20 people at once, restarted it goes on',
  async (kind, { expect, onTestFinished }) => {
    const directory = await startDirectory(kind, onTestFinished)
    const { port, asked } = await tap(directory.port, onTestFinished)
    const settings = { Url: `ldap://127.0.0.1:${port}` }
    const domain = await addDirectoryDomain(service, { settings })
    expect((await signIn(domain)).status).toBe(200)

    directory.freeze()
    const started = performance.now()
    // Whoever waits for somebody of the same name does not wait again.
    const guesses = Array.from({ length: 25 }, (_, n) => ssoLogin(service, domain, `person${n % 4}`, 'x'))
    const statuses = (await Promise.all(guesses).finally(directory.thaw)).map(({ status }) => status)
    expect(performance.now() - started).toBeLessThan(4700)
    expect(statuses.sort()).toEqual([...Array(5).fill(429), ...Array(20).fill(503)])
    expect((await signIn(domain)).status).toBe(200)

    await directory.end()
    expect(await statusInTime(service, settings)).toEqual([503, true])
    await directory.begin()
    const before = asked().length
    expect((await signIn(domain)).status).toBe(200)
    expect((await signIn(domain, 'wrong')).status).toBe(401)
    expect(asked()[before]).toBe('bind')
  },
)
