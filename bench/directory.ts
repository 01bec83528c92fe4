import type { Server as NetServer } from 'node:net'
import ldap from 'ldapjs'

export const people = 'ou=people,dc=example,dc=test'
export const directoryPassword = 'the password of everybody in the directory'

/** What is used of requests and answers. */
interface Request {
  credentials: string
  dn: { toString: () => string }
  filter: { value: string }
}
interface Answer {
  send: (entry: object) => void
  end: (status?: number) => void
}

/** Starts a directory in this process in which the names are found, and gives its address. */
export async function startDirectory(names: readonly string[]): Promise<{ url: string; stop: () => Promise<void> }> {
  const server = ldap.createServer() as ldap.Server & { server: NetServer }
  // Otherwise the end of an answer waits for the client's word that it has the beginning.
  server.server.on('connection', (socket) => socket.setNoDelay())
  const on = (kind: 'bind' | 'search', answer: (request: Request, answer: Answer) => void) =>
    (server[kind] as unknown as (dn: string, handler: object) => void)(
      '',
      (asked: Request, given: Answer, next: () => void) => {
        answer(asked, given)
        next()
      },
    )
  on('bind', ({ dn, credentials }, answer) => {
    const isKnown = dn.toString() === '' || names.some((name) => dn.toString().startsWith(`uid=${name},`))
    answer.end(dn.toString() === '' || (isKnown && credentials === directoryPassword) ? 0 : 49)
  })
  on('search', ({ filter: { value } }, answer) => {
    if (names.includes(value)) {
      answer.send({
        dn: `uid=${value},${people}`,
        attributes: { objectClass: ['person'], uid: [value] },
      })
    }
    answer.end(0)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', () => listening()))
  const stop = () => new Promise<void>((closed) => server.close(() => closed()))
  return { url: server.url, stop }
}
