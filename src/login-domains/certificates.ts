import { X509Certificate } from 'node:crypto'

/** What `isPem` asks for, as the end of a sentence. */
export const pemRule = 'must be certificates in PEM and nothing else'

/** Whether a text is certificates in PEM and nothing else: a private key beside them has come there by mistake. */
export function isPem(text: string): boolean {
  const block = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g
  const blocks = text.match(block) ?? []
  return blocks.length > 0 && text.replace(block, '').trim() === '' && blocks.every(isCertificate)
}

function isCertificate(block: string): boolean {
  try {
    return Boolean(new X509Certificate(block))
  } catch {
    return false
  }
}
