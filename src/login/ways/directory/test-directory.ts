import type { DirectorySettings } from '../../../login-domains/settings.ts'
import type { DomainOf, Step } from '../way.ts'
import { bindService } from './binds.ts'
import { withDirectory } from './connection.ts'
import { findGroups, searchPeople, textsOf } from './entries.ts'
import { DirectoryFailure, directoryReason, type Stepper } from './failure.ts'
import { idOf } from './identity.ts'

/** Tries what signing in needs, up to the first step that fails. */
export async function testDirectory(domain: DomainOf<DirectorySettings>): Promise<Step[]> {
  const { settings } = domain
  const steps: Step[] = []
  const noting: Stepper = async (step, work) => {
    const noted: Step = { step }
    steps.push(noted)
    try {
      return await work()
    } catch (error) {
      noted.failure = directoryReason(error)
      throw new DirectoryFailure(noted.failure)
    }
  }
  try {
    await withDirectory(settings, noting, async (client) => {
      await noting('Sign in as the service account', () => bindService(client, domain))
      const entry = await noting(`Find a person below ${settings.BaseDn}`, async () => {
        const [found] = await searchPeople(client, settings, { most: 1 })
        if (!found) throw new DirectoryFailure(`No entry with ${settings.NameAttribute} is there, or shown.`)
        return found
      })
      await noting(`Read ${settings.IdAttribute} of that person`, async () => idOf(settings, entry))
      if (!settings.GroupBaseDn) return
      const [userName = ''] = textsOf(entry, settings.NameAttribute)
      const person = { dn: entry.dn, userName }
      await noting(`Find groups below ${settings.GroupBaseDn}`, () => findGroups(client, settings, person))
    })
  } catch (error) {
    if (!(error instanceof DirectoryFailure)) throw error
    // Settings that name no directory fail before the first step.
    if (steps.length === 0) return [{ step: 'Read the settings', failure: error.message }]
  }
  return steps
}
