import { createHmac, timingSafeEqual } from 'node:crypto'

/** Signs and verifies text; what was signed for one purpose does not verify for another. */
export interface KeyRing {
  sign: (purpose: string, text: string) => string
  verify: (purpose: string, text: string, signature: string) => boolean
}

/** HMAC-SHA-256 with a list of keys: the first signs, all verify, so that keys can be changed without signing anybody out. */
export function keyRing(keys: readonly string[]): KeyRing {
  const mac = (key: string, purpose: string, text: string) => createHmac('sha256', key).update(`${purpose}\n${text}`)
  return {
    sign: (purpose, text) => mac(keys[0] as string, purpose, text).digest('base64url'),
    verify: (purpose, text, signature) => {
      const given = Buffer.from(signature)
      return keys.some((key) => {
        const genuine = Buffer.from(mac(key, purpose, text).digest('base64url'))
        return genuine.length === given.length && timingSafeEqual(genuine, given)
      })
    },
  }
}
