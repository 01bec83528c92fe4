import { expect, test } from 'vitest'
import { keyRing } from '../../src/access/keys.ts'
import { readToken, writeToken } from '../../src/access/token.ts'
import { readConfig } from '../../src/config.ts'
import { vendorNames } from '../../src/vendor.ts'

const keys = keyRing(['k'.repeat(32)])
const sessionId = '00000000-0000-4000-8000-000000000000'
const subject = { sessionId, claimedBy: 'x', userId: 'u', userFDN: 'u.x', issueTime: 1, expirationTime: 2 }
const write = (userName: string) => writeToken({ ...subject, userName }, 'main', vendorNames(readConfig({})), keys)

test.each([
  ['Zoë Ω', 'Zoë Ω'],
  ['a,b=c', 'a%2Cb%3Dc'],
  ['100%', '100%25'],
  ['a\r\n\0\u0085', 'a%0D%0A%00%C2%85'],
  ['x,sig=y', 'x%2Csig%3Dy'],
])('the name %j is one member of the list', (name, written) => {
  const token = write(name)
  expect(token.split(',')[4]).toBe(`UserName=${written}`)
  expect(readToken(encodeURIComponent(token), 'main', keys)).toEqual({ sessionId, expirationTime: 2 })
})
