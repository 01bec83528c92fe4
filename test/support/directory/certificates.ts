import { readFileSync } from 'node:fs'

const read = (name: string) => readFileSync(new URL(`../../fixtures/tls/${name}`, import.meta.url), 'utf8')

/** Who vouches for the certificate of the test directories. */
export const authority = read('authority.pem')
export const localhost = { cert: read('localhost.pem'), key: read('localhost.key') }
