import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
    const page = await (await browser.newContext({ javaScriptEnabled })).newPage()
    const refused: string[] = []
    page.on('console', (message) => message.type() === 'error' && refused.push(message.text()))
    await page.goto(`${service.url}/oauth/login/`)
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
    expect(refused.filter((text) => !text.includes('401'))).toEqual([])
    await page.goto(`${service.url}/oauth/login/`)
    await page.getByRole('link', { name: 'Sign out' }).click()
    await page.goto(`${service.url}/oauth/login/`)
    expect(await page.getByRole('button', { name: 'Sign in' }).count()).toBe(1)
  })

  test('every field has a label and the page its language and title', async () => {
    const page = await browser.newPage()
    await page.goto(`${service.url}/oauth/login/`)
    expect(await page.title()).toBe('Sign in')
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
    const fields = page.locator('input:not([type=hidden])')
    for (const field of await fields.all()) {
      expect(await field.evaluate((input) => (input as unknown as { labels: unknown[] }).labels.length)).toBe(1)
    }
    expect(await fields.count()).toBe(2)
  })
})
