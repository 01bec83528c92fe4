import { isEmailAddress } from './email-address.ts'
import {
  address,
  ConfigError,
  choice,
  date,
  hosts,
  keys,
  matching,
  postgres,
  proxies,
  readSetting,
  type Setting,
  secret,
  setting,
  truth,
  whole,
} from './setting.ts'

const text = matching(/^(?=.*\S)\P{Cc}+$/u, 'text without control characters')
const token = matching(/^[A-Za-z0-9-]+$/, 'letters, digits and hyphens')
const email = (text: string) => {
  if (isEmailAddress(text)) return text
  throw new ConfigError('must be an e-mail address without commas, semicolons and equals signs')
}
const password = matching(/^\P{Cc}{8,256}$/u, '8 to 256 characters without control characters')

const absent = <T>(): T | undefined => undefined

const settings = {
  host: setting('HOST', text, '127.0.0.1', 'Address to listen on; 0.0.0.0 for every one.'),
  port: setting('PORT', whole(0, 65535), 8080, 'Port to listen on; 0 takes a free one.'),
  publicUrl: setting('PUBLIC_URL', address, absent<string>(), 'Address that clients use; https makes cookies Secure.'),
  oauthUrl: setting(
    'OAUTH_URL',
    address,
    absent<string>(),
    'Address of the OAuth login service, where it is not PUBLIC_URL.',
  ),
  oauthPort: setting(
    'OAUTH_PORT',
    whole(0, 65535),
    absent<number>(),
    'Port of its own for the OAuth login service, which answers on PORT as well.',
  ),
  oauthProviderName: setting(
    'OAUTH_PROVIDER_NAME',
    matching(/^[A-Za-z0-9_-]{1,64}$/, 'letters, digits, hyphens and underscores, 64 at most'),
    'platform',
    'The end of the name of the OAuth login cookie.',
  ),
  finalUrlHosts: setting(
    'FINAL_URL_HOSTS',
    hosts,
    [] as string[],
    'Hosts, with the port if it is no usual one, to which signing in may lead beside our own; separated by commas.',
  ),
  trustedProxies: setting(
    'TRUSTED_PROXIES',
    proxies,
    [] as string[],
    'Addresses or networks, such as 10.0.0.0/8 or uniquelocal, whose X-Forwarded-* headers count; separated by commas.',
  ),
  logLevel: setting(
    'LOG_LEVEL',
    choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    'info logs changes, refusals and faults, debug every request; or fatal, error, warn, trace, silent.',
  ),
  databaseUrl: secret('DATABASE_URL', postgres, absent<string>(), 'PostgreSQL to use; none starts an embedded one.'),
  databasePoolSize: setting(
    'DATABASE_POOL_SIZE',
    whole(1, 200),
    10,
    'Most connections to PostgreSQL at a time, beside one that listens for changes.',
  ),
  databaseNamedStatements: setting(
    'DATABASE_NAMED_STATEMENTS',
    truth,
    true,
    'false behind a pooler in transaction mode, which cannot keep prepared statements.',
  ),
  dataDir: setting('DATA_DIR', text, './data', 'Folder of the embedded database and its generated keys.'),
  secretKeys: secret(
    'SECRET_KEYS',
    keys,
    absent<string[]>(),
    'Keys of at least 32 characters, separated by commas: the first signs and encrypts, all verify and decrypt. Required with DATABASE_URL, else generated.',
  ),
  adminEmail: setting('ADMIN_EMAIL', email, 'admin@localhost', 'E-mail address of the first Site Admin.'),
  adminPassword: secret(
    'ADMIN_PASSWORD',
    password,
    absent<string>(),
    'Password of the first Site Admin, read at the first start only; none makes one, shown once.',
  ),
  fedmemberId: setting(
    'FEDMEMBER_ID',
    matching(/^[A-Za-z0-9_-]{1,64}$/, 'letters, digits, hyphens and underscores, 64 at most'),
    'platform',
    'Id of the federation member: the end of every id, cookie name and header name. Fixed once data exists.',
  ),
  tenantName: setting('TENANT_NAME', text, absent<string>(), 'Name of the tenant for people; else FEDMEMBER_ID.'),
  tokenLifetimeSeconds: setting('TOKEN_LIFETIME_SECONDS', whole(2, 86_400), 1800, 'Life of an authorization token.'),
  sessionIdleSeconds: setting('SESSION_IDLE_SECONDS', whole(2, 86_400), 1800, 'A session unused for so long ends.'),
  sessionMaxSeconds: setting('SESSION_MAX_SECONDS', whole(2, 604_800), 43_200, 'A session ends after so long at most.'),
  cookieSameSite: setting(
    'COOKIE_SAME_SITE',
    choice('Lax', 'Strict', 'None'),
    'Lax',
    'SameSite of the cookies; None needs an https PUBLIC_URL, and OAUTH_URL if there is one.',
  ),
  csrfOnReads: setting('CSRF_ON_READS', truth, false, 'Whether GET needs the CSRF header.'),
  csrfOnWrites: setting('CSRF_ON_WRITES', truth, true, 'Whether other methods need the CSRF header.'),
  loginAddressPerMinute: setting(
    'LOGIN_ADDRESS_PER_MINUTE',
    whole(1, 100_000),
    60,
    'Failed sign-ins that one address may make in a minute; it may begin ten times as many at providers. Of IPv6 addresses the first 64 bits count.',
  ),
  anyUserMayAddApis: setting(
    'ANY_USER_MAY_ADD_APIS',
    truth,
    false,
    'Whether any signed-in user may add an API, not only a Business Admin.',
  ),
  jsonBodyLimit: setting('JSON_BODY_LIMIT', whole(1024, 104_857_600), 1_048_576, 'Largest JSON body in bytes.'),
  xmlBodyLimit: setting('XML_BODY_LIMIT', whole(1024, 10_485_760), 262_144, 'Largest XML body in bytes.'),
  dropboxFileLimit: setting(
    'DROPBOX_FILE_LIMIT',
    whole(1024, 20_971_520),
    5_242_880,
    'Largest file in bytes that can be sent to import.',
  ),
  requestTimeoutSeconds: setting('REQUEST_TIMEOUT_SECONDS', whole(1, 600), 15, 'A request must have arrived by then.'),
  sunsetDate: setting('SUNSET_DATE', date, absent<Date>(), 'Day on which the deprecated operations go, if decided.'),
  vendorTokenCookie: setting('VENDOR_TOKEN_COOKIE', token, 'PlatformAuthToken', 'Token cookie, before _{fedmember}.'),
  vendorCsrfCookie: setting('VENDOR_CSRF_COOKIE', token, 'Csrf-Token', 'CSRF cookie; its header has X- before it.'),
  vendorRenewHeader: setting('VENDOR_RENEW_HEADER', token, 'Platform-Renew-Token', 'Header that asks for a renewal.'),
  vendorMediaTree: setting(
    'VENDOR_MEDIA_TREE',
    matching(/^vnd\.[a-z0-9.-]+$/, 'lower case and start with vnd.'),
    'vnd.platform',
    'Media types: application/{this}.v80+json.',
  ),
  vendorIdentifierPrefix: setting(
    'VENDOR_IDENTIFIER_PREFIX',
    matching(/^[A-Za-z0-9.-]+$/, 'letters, digits, dots and hyphens'),
    'com.platform',
    'Start of state, visibility and identity system names. Fixed once data exists.',
  ),
  vendorCategoryPrefix: setting(
    'VENDOR_CATEGORY_PREFIX',
    matching(/^[A-Za-z0-9:.-]+$/, 'letters, digits, colons, dots and hyphens'),
    'uddi:platform.com',
    'Start of the domains of categories in lists.',
  ),
  vendorUserStore: setting('VENDOR_USER_STORE', text, 'Platform Manager', 'IdSystemType of the built-in domain.'),
  vendorClaimedIdPrefix: setting(
    'VENDOR_CLAIMED_ID_PREFIX',
    matching(/^[A-Za-z0-9:.-]+$/, 'letters, digits, colons, dots and hyphens'),
    'urn:platform',
    'Start of claimed_id inside the token.',
  ),
}

type Settings = typeof settings

/** Every setting, read and checked; frozen. Times are in seconds, sizes in bytes. */
export type Config = { readonly [Key in keyof Settings]: Settings[Key] extends Setting<infer T> ? T : never }

/** Name, default and meaning of every setting, for documents. A secret may also come from a file: its name with _FILE. */
export const settingsTable: readonly { name: string; secret: boolean; fallback: unknown; about: string }[] =
  Object.values(settings)

/**
 * Reads the settings from environment variables.
 * @throws ConfigError naming the variable and what it must be.
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const config: Record<string, unknown> = {}
  for (const [key, setting] of Object.entries(settings)) config[key] = readSetting(setting, environment)
  const checked = config as Config
  if (checked.databaseUrl && !checked.secretKeys) {
    throw new ConfigError('SECRET_KEYS is required with DATABASE_URL: set at least one key of 32 or more characters.')
  }
  if (checked.oauthPort && checked.oauthPort === checked.port)
    throw new ConfigError('OAUTH_PORT must differ from PORT.')
  if (checked.vendorTokenCookie === checked.vendorCsrfCookie) {
    throw new ConfigError('VENDOR_TOKEN_COOKIE and VENDOR_CSRF_COOKIE must differ.')
  }
  if (checked.cookieSameSite === 'None') {
    if (!checked.publicUrl?.startsWith('https:'))
      throw new ConfigError('COOKIE_SAME_SITE None needs a PUBLIC_URL that starts with https.')
    if (checked.oauthUrl && !checked.oauthUrl.startsWith('https:'))
      throw new ConfigError('COOKIE_SAME_SITE None needs an OAUTH_URL that starts with https.')
  }
  return Object.freeze(checked)
}
