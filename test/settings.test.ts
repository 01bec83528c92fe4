import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig, settingsTable } from '../src/config.ts'
import { ConfigError } from '../src/setting.ts'

const withDatabase = { DATABASE_URL: 'postgres://app@db/app', SECRET_KEYS: 'k'.repeat(32) }

test('.env.example lists every setting with its default (npx vitest run -u writes it)', async () => {
  const lines = settingsTable.map(({ name, secret, fallback, about }) => {
    const value = fallback === undefined || (Array.isArray(fallback) && fallback.length === 0) ? '' : String(fallback)
    const file = secret ? ` Or ${name}_FILE names a file that holds it.` : ''
    return `# ${about}${file}\n#${name}=${value}\n`
  })
  await expect(lines.join('\n')).toMatchFileSnapshot('../.env.example')
})

test('README lists every setting', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  for (const { name } of settingsTable) expect(readme).toContain(`\`${name}\``)
})

test('every setting has a default or may be absent', () => {
  expect(readConfig({})).toMatchObject({ host: '127.0.0.1', port: 8080, fedmemberId: 'platform', dataDir: './data' })
})

test.each([
  ['PORT', 'http', 'PORT must be a whole number from 0 to 65535 (it is "http").'],
  ['PUBLIC_URL', 'ftp://x', /^PUBLIC_URL must be an http or https address/],
  ['PUBLIC_URL', 'https://x/path', /without a path/],
  ['DATABASE_URL', 'mysql://x', /^DATABASE_URL must be an address that starts with postgres:\/\/\.$/],
  ['SECRET_KEYS', 'short', /^SECRET_KEYS must be keys of at least 32 characters each/],
  ['FEDMEMBER_ID', 'a.b', /^FEDMEMBER_ID must be letters, digits, hyphens and underscores/],
  ['LOG_LEVEL', 'loud', /^LOG_LEVEL must be one of/],
  ['CSRF_ON_WRITES', 'yes', /^CSRF_ON_WRITES must be one of true, false/],
  ['SUNSET_DATE', 'soon', /^SUNSET_DATE must be a date/],
  ['ADMIN_EMAIL', 'nobody', /^ADMIN_EMAIL must be an e-mail address/],
  ['VENDOR_MEDIA_TREE', 'Platform', /^VENDOR_MEDIA_TREE must be/],
  ['COOKIE_SAME_SITE', 'None', /^COOKIE_SAME_SITE None needs a PUBLIC_URL/],
])('a wrong %s (%s) is one plain sentence', (name, value, sentence) => {
  expect(() => readConfig({ [name]: value })).toThrow(ConfigError)
  expect(() => readConfig({ [name]: value })).toThrow(sentence)
})

test('a wrong secret is not repeated', () => {
  expect(() => readConfig({ ADMIN_PASSWORD: 'short' })).toThrow(/^ADMIN_PASSWORD must be 8 to 256 characters\.$/)
})

test('SECRET_KEYS is required with DATABASE_URL', () => {
  expect(() => readConfig({ DATABASE_URL: withDatabase.DATABASE_URL })).toThrow(/^SECRET_KEYS is required/)
  expect(readConfig(withDatabase).secretKeys).toEqual(['k'.repeat(32)])
})

test('a secret comes from the file that its name with _FILE names', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'secret-')), 'keys')
  writeFileSync(file, `${'a'.repeat(32)},${'b'.repeat(32)}\n`)
  const { secretKeys } = readConfig({ DATABASE_URL: withDatabase.DATABASE_URL, SECRET_KEYS_FILE: file })
  expect(secretKeys).toEqual(['a'.repeat(32), 'b'.repeat(32)])
  expect(() => readConfig({ SECRET_KEYS_FILE: '/nowhere' })).toThrow(
    'SECRET_KEYS_FILE names /nowhere, which cannot be read.',
  )
})
