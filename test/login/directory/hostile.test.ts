import type { Socket } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { service as serviceAccount } from '../../support/directory/seeds.ts'
import { startTlsAnswer } from '../../support/directory/start-tls.ts'
import { listen as listenUntil } from '../../support/directory/tap.ts'
import { failureOf, statusInTime, tryOut } from '../../support/directory/trying.ts'
import { startService } from '../../support/service.ts'

const service = await startService({ LOGIN_ADDRESS_PER_MINUTE: '100000' })

const ends: (() => void)[] = []
const listen = (behave: (socket: Socket) => void) => listenUntil(behave, (end) => ends.push(end))
afterAll(() => {
  for (const end of ends) end()
})

/** A message of these bytes with its head. */
function ber(tag: number, ...parts: (Buffer | number[])[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as Buffer)))
  const head = Buffer.from([tag, 0x84, 0, 0, 0, 0])
  head.writeUInt32BE(body.length, 2)
  return Buffer.concat([head, body])
}

const bound = (id: number) => Buffer.from([0x30, 12, 2, 1, id, 0x61, 7, 0x0a, 1, 0, 4, 0, 4, 0])
const idOf = (message: Buffer) =>
  message[((message[1] as number) < 0x80 ? 2 : 2 + ((message[1] as number) & 0x7f)) + 2] as number

/** A directory that takes every bind, and answers a search with what is given. */
const answeringSearch = (answer: (id: number, socket: Socket) => void) => (socket: Socket) => {
  let messages = 0
  socket.on('data', (message) => {
    if (++messages === 1) socket.write(bound(idOf(message)))
    else if (messages === 2) answer(idOf(message), socket)
  })
}

describe('a hostile directory', () => {
  const entry = (id: number) => Buffer.from([0x30, 9, 2, 1, id, 0x64, 4, 4, 0, 0x30, 0])

  test.concurrent.each<[string, (id: number, socket: Socket) => void]>([
    ['hangs up', (_, socket) => socket.end()],
    ['resets', (_, socket) => socket.resetAndDestroy()],
    ['speaks something else', (_, socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n')],
    ['claims a length of 2 GB', (_, socket) => socket.write(Buffer.from([0x30, 0x84, 0x7f, 0xff, 0xff, 0xff]))],
    ['answers 8 MB', (id, socket) => socket.write(ber(0x30, [2, 1, id], ber(0x64, ber(4, Buffer.alloc(8e6)))))],
    ['answers many small things at once', (id, socket) => socket.write(Buffer.concat(Array(50_000).fill(entry(id))))],
    [
      'lies about a length within',
      (id, socket) => socket.write(Buffer.from([0x30, 9, 2, 1, id, 0x73, 4, 4, 127, 65, 65])),
    ],
    [
      'nests without end',
      (id, socket) =>
        socket.write(
          Array(5000)
            .fill(0)
            .reduce((inner: Buffer) => ber(0x30, inner), entry(id)),
        ),
    ],
    [
      'sends the client elsewhere',
      (id, socket) => socket.write(ber(0x30, [2, 1, id], ber(0x65, [0x0a, 1, 10, 4, 0, 4, 0]))),
    ],
    [
      'trickles',
      (_, socket) => {
        const trickle = setInterval(() => socket.write('0'), 100)
        socket.write(Buffer.from([0x30, 0x83, 0x0e, 0xff, 0xff]))
        socket.on('close', () => clearInterval(trickle))
      },
    ],
  ])('%s: 503 in time', async (_, answer) => {
    const { port } = await listen(answeringSearch(answer))
    expect(await statusInTime(service, { Url: `ldap://127.0.0.1:${port}` })).toEqual([503, true])
  })

  test('refuses StartTLS: nobody binds without it', async () => {
    const seen: Buffer[] = []
    const { port } = await listen((socket) =>
      socket.on('data', (message) => {
        seen.push(message)
        socket.write(startTlsAnswer(message, 2))
      }),
    )
    const settings = { Url: `ldap://127.0.0.1:${port}`, StartTls: true }
    expect(await statusInTime(service, settings)).toEqual([503, true])
    expect(await failureOf(settings)).toEqual({ step: 'Ask for TLS', failure: expect.stringContaining('code 2') })
    expect(Buffer.concat(seen).includes(serviceAccount.password)).toBe(false)
  })

  test.concurrent('says yes to StartTLS and then nothing: 503 in time', async () => {
    const { port } = await listen((socket) => {
      socket.once('data', (message) => socket.write(startTlsAnswer(message)))
    })
    expect(await statusInTime(service, { Url: `ldap://127.0.0.1:${port}`, StartTls: true })).toEqual([503, true])
  })

  test.each([
    ['a whole answer', bound(3)],
    ['the beginning of one', bound(3).subarray(0, 9)],
  ])('words put in before TLS do not count: %s', async (_, words) => {
    const { port } = await listen((socket) => {
      socket.once('data', (message) => socket.write(Buffer.concat([startTlsAnswer(message), words])))
    })
    const settings = { Url: `ldap://127.0.0.1:${port}`, StartTls: true }
    expect(await failureOf(settings)).toEqual({ step: 'Ask for TLS', failure: 'The directory goes on without TLS.' })
  })

  test('an address that must not be sent a password is not', async () => {
    expect(await statusInTime(service, { Url: 'ldap://directory.example.test' })).toEqual([503, true])
    expect(await tryOut({ Url: 'ldap://directory.example.test' })).toEqual([
      { step: 'Read the settings', failure: 'Url names no directory that a password may be sent to.' },
    ])
  })
})
