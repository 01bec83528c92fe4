import { isIP } from 'node:net'

/** Whether a host, as addresses write it, is this machine, so that nothing said to it without TLS leaves it. */
export function isThisMachine(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'))
}
