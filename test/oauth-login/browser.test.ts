import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addOpenIdDomain } from '../support/open-id/domain.ts'
import { clientSecret, startProvider } from '../support/open-id/provider.ts'
import { startService } from '../support/service.ts'

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)
if (!executablePath) console.info('The login page is not tried in a browser: no Chromium is installed here.')

describe.skipIf(!executablePath)('in Chromium', () => {
  let browser: Browser
  let service: Awaited<ReturnType<typeof startService>>
  beforeAll(async () => {
    service = await startService()
    browser = await chromium.launch({ executablePath: executablePath as string, args: ['--no-sandbox'] })
  })
  afterAll(() => browser?.close())

  test.each([true, false])('somebody signs in and out, with scripts: %s', async (javaScriptEnabled) => {
    const person = await service.person()
    const { page, complaints } = await open({ javaScriptEnabled })
    const section = page.getByRole('region', { name: 'Site Users' })
    await section.getByLabel('User name').fill(person.email)
    await section.getByLabel('Password').fill('wrong')
    await section.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByRole('alert').textContent()).resolves.toContain('is wrong')
    await section.getByLabel('User name').fill(person.email)
    await section.getByLabel('Password').fill(person.password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Signed in' }).waitFor()
    expect(await page.getByText(person.email).count()).toBe(1)
    expect(complaints.filter((text) => !text.includes('401'))).toEqual([])
    await page.getByRole('link', { name: 'Sign out' }).click()
    await page.goto(`${service.url}/oauth/login/`)
    expect(await page.getByRole('button', { name: 'Sign in' }).count()).toBe(1)
  })

  test('every field has a label and the page its language and title', async () => {
    const { page } = await open()
    expect(await page.title()).toBe('Sign in')
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
    const fields = page.locator('input:not([type=hidden])')
    for (const field of await fields.all()) {
      expect(await field.evaluate((input) => (input as unknown as { labels: unknown[] }).labels.length)).toBe(1)
    }
    expect(await fields.count()).toBe(2)
  })

  describe('through a provider in a pop-up', () => {
    const link = 'Continue to A provider'
    beforeAll(async () => {
      const id = randomUUID()
      const provider = await startProvider([`${service.url}/oauth/login/ssoLogin/${id}`])
      provider.person = { sub: 'bob', preferred_username: 'Bob' }
      await addOpenIdDomain(service, { Issuer: provider.issuer }, { id, secret: clientSecret })
      await service.db
        .updateTable('login_domain')
        .set({ serves_oauth: true, display_mode: 'POPUP' })
        .where('id', '=', id)
        .execute()
    })

    test.each([
      ['that they are signed in', '', '/oauth/login/'],
      ['where they were going', '?finalUrl=/livez', '/livez'],
    ])('with scripts it goes away by itself, and the page shows %s', async (_what, query, there) => {
      const { page, complaints } = await open({}, query)
      const opened = page.waitForEvent('popup')
      await page.getByRole('link', { name: link }).click()
      const popUp = await opened
      if (!popUp.isClosed()) await popUp.waitForEvent('close')
      if (query) await page.waitForURL(`${service.url}${there}`)
      else await page.getByText('You are signed in as Bob').waitFor()
      expect(new URL(page.url()).pathname).toBe(there)
      expect(page.context().pages()).toHaveLength(1)
      expect(complaints).toEqual([])
    })

    test('without scripts it is a tab, which says that they are signed in', async () => {
      const { page } = await open({ javaScriptEnabled: false })
      const opened = page.context().waitForEvent('page')
      await page.getByRole('link', { name: link }).click()
      const tab = await opened
      await tab.getByText('You are signed in as Bob').waitFor()
      expect(tab.url()).toBe(`${service.url}/oauth/login/`)
      await page.reload()
      await page.getByText('You are signed in as Bob').waitFor()
    })
  })

  /** The login page in a browser that knows nobody, and what the browser complains of. */
  async function open(options: { javaScriptEnabled?: boolean } = {}, query = ''): Promise<Opened> {
    const page = await (await browser.newContext(options)).newPage()
    const complaints: string[] = []
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    await page.goto(`${service.url}/oauth/login/${query}`)
    return { page, complaints }
  }
})

interface Opened {
  page: Page
  complaints: string[]
}
