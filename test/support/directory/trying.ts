import { directory } from '../../../src/login/ways/directory.ts'
import type { DirectorySettings } from '../../../src/login-domains/settings.ts'
import type { Service } from '../service.ts'
import { addDirectoryDomain, settingsOf, ssoLogin } from './domain.ts'
import { passwordOf, service as serviceAccount } from './seeds.ts'

/** Tries a directory out as a Site Admin does who sets it up. */
export function tryOut(settings: Partial<DirectorySettings>, secret = serviceAccount.password) {
  return directory.test({ id: 'tried', settings: settingsOf(settings), secret })
}

/** The step that fails. */
export async function failureOf(...given: Parameters<typeof tryOut>) {
  return (await tryOut(...given)).at(-1)
}

/** Status of a sign-in, and whether it came within the time that a caller may be left waiting. */
export async function statusInTime(service: Service, settings: Partial<DirectorySettings>): Promise<[number, boolean]> {
  const domain = await addDirectoryDomain(service, { settings })
  const started = performance.now()
  const { status } = await ssoLogin(service, domain, 'alice', passwordOf('alice'))
  return [status, performance.now() - started < 4700]
}
