import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig, settingsTable } from '../src/config.ts'
import { ConfigError } from '../src/setting.ts'

const withDatabase = { DATABASE_URL: 'postgres://app@db/app', SECRET_KEYS: 'k'.repeat(32) }

function shown(fallback: unknown): string {
  return fallback === undefined || (Array.isArray(fallback) && fallback.length === 0) ? '' : String(fallback)
}

test('.env.example lists every setting with its default (npx vitest run -u writes it)', async () => {
  const lines = settingsTable.map(({ name, secret, fallback, about }) => {
    const file = secret ? ` Or ${name}_FILE names a file that holds it.` : ''
    return `# ${about}${file}\n#${name}=${shown(fallback)}\n`
  })
  await expect(lines.join('\n')).toMatchFileSnapshot('../.env.example')
})

test('cookies that other sites send need https, on both addresses', () => {
  const both = { ...withDatabase, COOKIE_SAME_SITE: 'None', PUBLIC_URL: 'https://apis.example.com' }
  expect(() => readConfig({ ...both, OAUTH_URL: 'http://oauth.example.com' })).toThrow(
    'COOKIE_SAME_SITE None needs an OAUTH_URL that starts with https.',
  )
  expect(readConfig({ ...both, OAUTH_URL: 'https://oauth.example.com' }).cookieSameSite).toBe('None')
})

test('README lists every setting with its default and meaning, of which it may say more', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const rows = readme.match(/^\| `[A-Z_]+`.*$/gm) ?? []
  const expected = settingsTable.map(({ name, secret, fallback, about }) => {
    const value = shown(fallback)
    return `| \`${name}\`${secret ? ' (secret)' : ''} | ${value && `\`${value}\``} | ${about}`
  })
  expect(rows.map((row, index) => row.slice(0, expected[index]?.length))).toEqual(expected)
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
  ['PORT', '8080\r', 'PORT must be a whole number from 0 to 65535 (it is "8080\\r").'],
  ['OAUTH_PORT', '8080', 'OAUTH_PORT must differ from PORT.'],
  ['HOST', ' ', /^HOST must be text without control characters/],
  ['TENANT_NAME', 'Acme\r', /^TENANT_NAME must be text without control characters/],
  [
    'DATABASE_URL',
    'postgres://app:a/b#c@db/app',
    /^DATABASE_URL must be an address such as postgres:[^']+percent-encoded\.$/,
  ],
  ['DATABASE_URL', 'postgres://app@db:99999/app', /^DATABASE_URL must be an address such as/],
  ['DATABASE_URL', 'postgres://app@db/app?port=abc', /^DATABASE_URL must be an address such as/],
  ['DATABASE_URL', 'postgres://app@db/app?port=99999', /^DATABASE_URL must be an address such as/],
  [
    'DATABASE_URL',
    'postgres://app@db/app?sslrootcert=/nowhere',
    /^DATABASE_URL must name certificates that can be read/,
  ],
  ['SUNSET_DATE', '2027-02-30', /^SUNSET_DATE must be a date/],
  ['ADMIN_EMAIL', 'a,b@example.com', /^ADMIN_EMAIL must be an e-mail address/],
  ['ADMIN_EMAIL', `${'a'.repeat(250)}@example.com`, /^ADMIN_EMAIL must be an e-mail address/],
  ['TRUSTED_PROXIES', 'proxy', /^TRUSTED_PROXIES must be addresses such as 10.0.0.1, 10.0.0.0\/8/],
  ['TRUSTED_PROXIES', '10.0.0.0/8, 10.0.0.0/33', /^TRUSTED_PROXIES must be addresses/],
  ['FINAL_URL_HOSTS', 'https://app.example.com', /^FINAL_URL_HOSTS must be hosts such as app.example.com/],
  ['FINAL_URL_HOSTS', 'app.example.com, *.example.com', /^FINAL_URL_HOSTS must be hosts/],
  ['VENDOR_CSRF_COOKIE', 'PlatformAuthToken', 'VENDOR_TOKEN_COOKIE and VENDOR_CSRF_COOKIE must differ.'],
])('a wrong %s (%s) is one plain sentence', (name, value, sentence) => {
  expect(() => readConfig({ [name]: value })).toThrow(ConfigError)
  expect(() => readConfig({ [name]: value })).toThrow(sentence)
})

test.each(['short', 'a good password\r'])('a wrong secret is not repeated: %j', (ADMIN_PASSWORD) => {
  expect(() => readConfig({ ADMIN_PASSWORD })).toThrow(
    /^ADMIN_PASSWORD must be 8 to 256 characters without control characters\.$/,
  )
})

test.each([
  ['PUBLIC_URL', 'https://apis.example.com', 'publicUrl', 'https://apis.example.com'],
  ['TRUSTED_PROXIES', '127.0.0.1,::1 loopback', 'trustedProxies', ['127.0.0.1', '::1', 'loopback']],
  ['TRUSTED_PROXIES', '10.0.0.0/8, fd00::/8', 'trustedProxies', ['10.0.0.0/8', 'fd00::/8']],
  [
    'FINAL_URL_HOSTS',
    'APP.example.com localhost:3000,[::1]:80',
    'finalUrlHosts',
    ['APP.example.com', 'localhost:3000', '[::1]:80'],
  ],
  ['DATABASE_URL', 'postgres://app@%2Frun%2Fpg/app', 'databaseUrl', 'postgres://app@%2Frun%2Fpg/app'],
  ['DATABASE_URL', 'postgresql:///app?host=/run/pg', 'databaseUrl', 'postgresql:///app?host=/run/pg'],
  ['OAUTH_PORT', '8081', 'oauthPort', 8081],
])('%s may be %s', (name, value, key, read) => {
  expect(readConfig({ ...withDatabase, [name]: value })).toMatchObject({ [key]: read })
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
  expect(() => readConfig({ ...withDatabase, SECRET_KEYS_FILE: file })).toThrow(
    'SECRET_KEYS and SECRET_KEYS_FILE are both set: leave one of them out.',
  )
  expect(() => readConfig({ SECRET_KEYS_FILE: '/nowhere' })).toThrow(
    'SECRET_KEYS_FILE names /nowhere, which cannot be read.',
  )
  writeFileSync(file, ' \n')
  expect(() => readConfig({ DATABASE_URL_FILE: file })).toThrow(`DATABASE_URL_FILE names ${file}, which is empty.`)
})
