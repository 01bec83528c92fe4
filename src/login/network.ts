import { isIP } from 'node:net'

/**
 * What one customer of a network has: an IPv4 address as it is, of an IPv6 address the first 64 bits. A proxy may have
 * added the port, or passed on what is none; all of that counts as one.
 */
export function networkOf(address: string): string {
  const withoutPort = address.replace(/^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/, '$1$2')
  const [withoutZone = ''] = withoutPort.split('%', 1)
  const family = isIP(withoutZone)
  if (family === 0) return 'unknown'
  if (family === 4) return withoutZone
  const canonical = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1)
  const [, high, low] = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(canonical) ?? []
  if (high && low) return [high, low].flatMap(bytesOf).join('.')
  const [before = [], after = []] = canonical.split('::').map((half) => half.split(':').filter(Boolean))
  const zeros = Array<string>(8 - before.length - after.length).fill('0')
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`
}

function bytesOf(group: string): number[] {
  const bits = Number.parseInt(group, 16)
  return [bits >> 8, bits & 255]
}
