import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/** Signs, verifies and encrypts text; what was made for one purpose is of no use for another. */
export interface KeyRing {
  sign: (purpose: string, text: string) => string
  verify: (purpose: string, text: string, signature: string) => boolean
  /** AES-256-GCM, another text each time. */
  encrypt: (purpose: string, text: string) => string
  /** Undefined when none of the keys opens it. */
  decrypt: (purpose: string, encrypted: string) => string | undefined
}

const mostVerified = 10_000

/** Remembers what a reader made of signed texts, so many at once: a signature that was good stays good. */
export function verifiedOnce<Texts extends string[], Read>(
  read: (...texts: Texts) => Read | undefined,
): (...texts: Texts) => Read | undefined {
  const known = new Map<string, Read>()
  return (...texts) => {
    const key = texts.join('\n')
    const before = known.get(key)
    if (before !== undefined) return before
    const found = read(...texts)
    if (found === undefined) return undefined
    if (known.size >= mostVerified) known.clear()
    known.set(key, found)
    return found
  }
}

const cipher = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/**
 * HMAC-SHA-256 and AES-256-GCM with a list of keys: the first signs and encrypts, all verify and decrypt, so that keys
 * can be changed without signing anybody out.
 */
export function keyRing(keys: readonly string[]): KeyRing {
  const mac = (key: string, purpose: string, text: string) => createHmac('sha256', key).update(`${purpose}\n${text}`)
  const derived = (key: string, purpose: string) => Buffer.from(hkdfSync('sha256', key, '', `encrypt\n${purpose}`, 32))
  return {
    sign: (purpose, text) => mac(keys[0] as string, purpose, text).digest('base64url'),
    verify: (purpose, text, signature) => {
      const given = Buffer.from(signature)
      return keys.some((key) => {
        const genuine = Buffer.from(mac(key, purpose, text).digest('base64url'))
        return genuine.length === given.length && timingSafeEqual(genuine, given)
      })
    },
    encrypt: (purpose, text) => {
      const iv = randomBytes(ivBytes)
      const encryption = createCipheriv(cipher, derived(keys[0] as string, purpose), iv)
      const bytes = Buffer.concat([encryption.update(text, 'utf8'), encryption.final()])
      return Buffer.concat([iv, encryption.getAuthTag(), bytes]).toString('base64url')
    },
    decrypt: (purpose, encrypted) => {
      const bytes = Buffer.from(encrypted, 'base64url')
      for (const key of keys) {
        const opened = decryptWith(derived(key, purpose), bytes)
        if (opened !== undefined) return opened
      }
      return undefined
    },
  }
}

function decryptWith(key: Buffer, bytes: Buffer): string | undefined {
  try {
    // Without the length a tag of four bytes would do, which can be guessed.
    const decryption = createDecipheriv(cipher, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
    decryption.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
    return decryption.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + decryption.final('utf8')
  } catch {
    return undefined
  }
}
