import { hash } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { startService } from '../support/service.ts'

const service = await startService()

test('signing in stores a hash with the parameters of today, once', async () => {
  const { id, email, password } = await service.person()
  const users = service.db.selectFrom('app_user').where('id', '=', id.slice(0, 36))
  const stored = async () => (await users.select('password_hash').executeTakeFirstOrThrow()).password_hash as string
  const signIn = async (given: string) => (await service.client().signIn(email, given)).status

  const old = await hash(password, { memoryCost: 8192, timeCost: 1, parallelism: 1 })
  const user = service.db.updateTable('app_user').where('id', '=', id.slice(0, 36))
  await user.set({ password_hash: old }).execute()
  expect([await signIn('wrong'), await stored()]).toEqual([401, old])
  expect(await signIn(password)).toBe(200)
  const newer = await stored()
  expect(newer).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect([await signIn(password), await stored()]).toEqual([200, newer])
})

test('many sign-ins at once with a hash of older parameters all come in', async () => {
  const { id, email, password } = await service.person()
  const old = await hash(password, { memoryCost: 8192, timeCost: 1, parallelism: 1 })
  const user = service.db.updateTable('app_user').where('id', '=', id.slice(0, 36))
  await user.set({ password_hash: old }).execute()
  const answers = await Promise.all(Array.from({ length: 4 }, () => service.client().signIn(email, password)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
})
