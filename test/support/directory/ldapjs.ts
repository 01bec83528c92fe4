import type { Socket } from 'node:net'
import ldap from 'ldapjs'
import { localhost } from './certificates.ts'
import { type Seed, seeds, service } from './seeds.ts'
import { startTlsBefore } from './start-tls.ts'
import type { TestDirectory } from './test-directory.ts'

/** What this file reads of a request and writes of an answer; the types of the package are those of an older one. */
interface Request {
  credentials: string
  dn: { toString: () => string }
  connection: Socket & { boundAs?: string }
  filter: Filter
  sizeLimit: number
}
interface Answer {
  attributes: string[]
  send: (entry: object) => void
  end: (status?: number) => void
}
interface Filter {
  type: string
  attribute: string
  value: string
  filters: Filter[]
}
type Server = ldap.Server & { server: { address: () => { port: number } } }

/** Starts a stand-in for a directory in this process. Its search is as lenient with names as some directories are. */
export async function startLdapjs(): Promise<TestDirectory> {
  let isFrozen = false
  const log = Object.fromEntries(['trace', 'debug', 'info', 'warn', 'error', 'fatal'].map((name) => [name, () => {}]))
  let servers: Server[] = []
  const ports = [0, 0]

  async function begin(): Promise<void> {
    const tls = { certificate: localhost.cert, key: localhost.key }
    servers = [{}, tls].map((options) => ldap.createServer({ log, ...options } as ldap.ServerOptions) as Server)
    for (const [at, server] of servers.entries()) {
      server.bind('', held(bind) as never)
      server.search('', held(search) as never)
      server.on('error', () => {})
      await new Promise<void>((listening) => server.listen(ports[at] as number, '127.0.0.1', () => listening()))
      ports[at] = server.server.address().port
    }
  }

  function held(handler: (request: Request, answer: Answer) => void) {
    return (request: Request, answer: Answer, next: () => void) => {
      if (isFrozen) return
      handler(request, answer)
      next()
    }
  }

  async function end(): Promise<void> {
    await Promise.all(servers.map((server) => new Promise((done) => server.close(done as () => void))))
  }

  await begin()
  const front = await startTlsBefore(() => ports[0] as number)
  return {
    port: ports[0] as number,
    tlsPort: ports[1] as number,
    startTlsPort: front.port,
    freeze: () => {
      isFrozen = true
    },
    thaw: () => {
      isFrozen = false
    },
    end,
    begin,
    remove: async () => {
      await Promise.all([end(), front.end()])
    },
  }
}

// The package escapes all that it may in names.
const unescaped = (name: string) =>
  name
    .replace(/(?:\\[0-9a-f]{2})+/gi, (hex) => Buffer.from(hex.replaceAll('\\', ''), 'hex').toString())
    .replace(/\\(.)/g, '$1')
const folded = (name: string) => unescaped(name).replace(/\s+/g, ' ').trim().toLowerCase()
const lenient = (text: string) => folded(unescaped(text).normalize('NFD').replace(/\p{M}/gu, ''))

// Result codes.
const [success, tooMany, noSuchObject, invalidCredentials] = [0, 4, 32, 49]

function bind({ dn, credentials, connection }: Request, answer: Answer): void {
  const name = folded(dn.toString())
  const entry = seeds.find((each) => folded(each.dn) === name)
  // A bind without a password binds as nobody.
  const isRight = credentials === '' || entry?.attributes.userPassword?.includes(credentials)
  connection.boundAs = isRight && credentials !== '' ? name : ''
  answer.end(isRight ? success : invalidCredentials)
}

function search({ dn, connection, filter, sizeLimit }: Request, answer: Answer): void {
  const base = folded(dn.toString())
  const isShown = connection.boundAs === service.dn && seeds.some((seed) => folded(seed.dn) === base)
  if (!isShown) {
    answer.end(noSuchObject)
    return
  }
  const found = seeds.filter((seed) => folded(seed.dn).endsWith(base)).filter((seed) => matches(seed, filter))
  const most = sizeLimit || found.length
  // The package compares them with names in lower case.
  answer.attributes = answer.attributes.map((name) => name.toLowerCase())
  for (const { dn, attributes } of found.slice(0, most)) answer.send({ dn, attributes: { ...attributes } })
  answer.end(found.length > most ? tooMany : success)
}

function matches(seed: Seed, { type, attribute, value, filters }: Filter): boolean {
  if (type === 'AndFilter') return filters.every((filter) => matches(seed, filter))
  const [, values = []] =
    Object.entries(seed.attributes).find(([name]) => name.toLowerCase() === attribute.toLowerCase()) ?? []
  if (type === 'ExtensibleFilter') return isWithin(seed, attribute, value)
  if (type === 'PresenceFilter') return values.length > 0
  return type === 'EqualityFilter' && values.some((each) => lenient(each.toString()) === lenient(value))
}

/** Members of members as well, as Active Directory's LDAP_MATCHING_RULE_IN_CHAIN finds them. */
function isWithin({ attributes }: Seed, attribute: string, value: string): boolean {
  const members = (attributes[attribute] ?? []).map((each) => folded(each.toString()))
  const inner = seeds.filter(({ dn }) => members.includes(folded(dn)))
  return members.includes(folded(value)) || inner.some((each) => isWithin(each, attribute, value))
}
