import { formType, send } from './client.ts'
import { directoryPassword, people, startDirectory } from './directory.ts'
import { median } from './report.ts'
import { refusals } from './settings.ts'
import type { Site } from './site.ts'

/** How long the same refusal takes for each reason, medians in ms. */
export interface Refusal {
  way: string
  wrong: number
  unknown: number
  disabled: number
}

const json = 'application/json'
const reasons = ['wrong', 'unknown', 'disabled'] as const
type Ask = (who: (typeof reasons)[number]) => Promise<Response>

/** Refuses people for each reason in turns, one after another, by platform password and through a directory. */
export async function measureRefusals(site: Site): Promise<Refusal[]> {
  process.stdout.write('refusing ')
  const directory = await startDirectory(['wrong', 'disabled'])
  try {
    const [way, ask] = ['directory', await throughDirectory(site, directory.url)] as const
    return [await refuse(site, 'password', await byPassword(site)), await refuse(site, way, ask)]
  } finally {
    await directory.stop()
    process.stdout.write('\n')
  }
}

async function refuse({ database }: Site, way: string, ask: Ask): Promise<Refusal> {
  const times = { wrong: [] as number[], unknown: [] as number[], disabled: [] as number[] }
  for (let round = 0; round < refusals; round++) {
    await database.query('delete from sign_in_throttle')
    // Nobody is always the first.
    for (const who of round % 2 ? reasons : reasons.toReversed()) {
      const began = performance.now()
      const answer = await ask(who)
      await answer.text()
      times[who].push(performance.now() - began)
      if (answer.status !== 401) throw new Error(`somebody ${who} was answered ${answer.status}`)
    }
    process.stdout.write('.')
  }
  return { way, wrong: median(times.wrong), unknown: median(times.unknown), disabled: median(times.disabled) }
}

async function byPassword({ service, database, people: [wrong, disabled] }: Site): Promise<Ask> {
  await database.query('update app_user set enabled = false where email = $1', [disabled])
  const emails = { wrong, disabled, unknown: 'nobody@example.com' }
  return (who) =>
    fetch(`${service.url}/api/login`, {
      method: 'POST',
      headers: { 'content-type': json },
      body: JSON.stringify({ email: emails[who], password: 'another password' }),
    })
}

async function throughDirectory({ service, headers, database }: Site, url: string): Promise<Ask> {
  const domain = await send(service.url, {
    method: 'POST',
    path: '/api/login/domains',
    headers: { ...headers, 'content-type': json },
    body: JSON.stringify({
      Title: 'The directory',
      DomainName: 'directory',
      IdSystemType: 'Directory Server',
      Directory: { Url: url, BaseDn: people, IdAttribute: 'uid' },
    }),
  })
  const signIn = (name: string, password: string) =>
    fetch(`${service.url}/api/login/ssoLogin`, {
      method: 'POST',
      headers: { 'content-type': formType },
      body: String(new URLSearchParams({ domain: 'directory', identity_username: name, secret_password: password })),
    })
  for (const name of ['wrong', 'disabled']) {
    const { status } = await signIn(name, directoryPassword)
    if (status !== 200) throw new Error(`signing in through the directory was answered ${status}`)
  }
  const id = JSON.parse(domain).LoginDomainID.split('.')[0]
  await database.query(`update app_user set enabled = false where domain_id = $1 and user_name = 'disabled'`, [id])
  return (who) => signIn(who, who === 'disabled' ? directoryPassword : 'another password')
}
