import { once } from 'node:events'
import { isIP, connect as openSocket, type Socket } from 'node:net'
import { connect as openTls } from 'node:tls'
import type { Client } from 'ldapts'
import { directoryAddress } from '../../../login-domains/directory-settings.ts'
import type { DirectorySettings } from '../../../login-domains/settings.ts'
import { DirectoryFailure, type Stepper } from './failure.ts'
import { MessageStream } from './message-stream.ts'

const answerMs = 2000
const totalMs = 4000
const startTls = '1.3.6.1.4.1.1466.20037'

/**
 * Gives a client of a connection of its own, which ends with the work: a client that is kept connects again by itself,
 * without a bind and without TLS.
 * @throws DirectoryFailure, also when all of it takes too long
 */
export async function withDirectory<T>(
  settings: DirectorySettings,
  step: Stepper,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const address = directoryAddress(settings)
  if (!address) throw new DirectoryFailure('Url names no directory that a password may be sent to.')
  const { host, port, protection } = address
  const started = performance.now()
  const limit = () => Math.min(answerMs, Math.max(1, totalMs - (performance.now() - started)))

  let socket = openSocket({ host, port, noDelay: true })
  socket.on('error', () => {})
  const timer = setTimeout(() => socket.destroy(new Error('The directory does not answer in time.')), totalMs)
  let client: Client | undefined
  try {
    await step(`Connect to ${host}, port ${port}`, () => within(limit(), socket, once(socket, 'connect')))
    if (protection === 'startTls') await step('Ask for TLS', () => askForTls(socket))
    if (protection !== 'none') {
      socket = await step('Agree on TLS', () => agreeOnTls(socket, host, settings.CaCertificates, limit()))
    }
    client = await clientOver(new MessageStream(socket))
    return await work(client)
  } finally {
    clearTimeout(timer)
    leave(socket, client)
  }
}

async function askForTls(socket: Socket): Promise<void> {
  const stream = new MessageStream(socket)
  await (await clientOver(stream)).exop(startTls)
  // Somebody on the way may have put words of their own before what is protected.
  if (!stream.release()) throw new DirectoryFailure('The directory goes on without TLS.')
}

async function agreeOnTls(socket: Socket, host: string, ca: string | undefined, limitMs: number): Promise<Socket> {
  const names = isIP(host) ? { host } : { host, servername: host }
  const secure = openTls({ ...names, socket, ca: ca || undefined, rejectUnauthorized: true })
  secure.on('error', () => {})
  await within(limitMs, secure, once(secure, 'secureConnect'))
  return secure
}

async function within(limitMs: number, socket: Socket, done: Promise<unknown>): Promise<void> {
  const timer = setTimeout(() => socket.destroy(new Error('The directory does not answer in time.')), limitMs)
  await done.finally(() => clearTimeout(timer))
}

/** Loaded when the first person comes: most deployments have no directory. */
async function clientOver(stream: MessageStream): Promise<Client> {
  const { Client } = await import('ldapts')
  let isTaken = false
  const createConnection = () => {
    if (isTaken) throw new DirectoryFailure('The directory breaks the connection off.')
    isTaken = true
    return stream
  }
  return new Client({
    url: 'ldap://given',
    timeout: answerMs,
    createConnection: createConnection as unknown as typeof openSocket,
  })
}

function leave(socket: Socket, client: Client | undefined): void {
  const unbound = client?.unbind() ?? Promise.resolve()
  unbound.catch(() => {}).finally(() => socket.destroy())
}
