import { sql } from 'kysely'
import { beforeEach, expect, test, vi } from 'vitest'
import { preparedSql } from '../../src/database/prepared.ts'
import type { Database } from '../../src/database/tables.ts'
import { ahead, inTransaction } from '../../src/database/transaction.ts'
import { startService } from '../support/service.ts'

const { db } = await startService()
await sql`create table scratch (n integer primary key)`.execute(db)
beforeEach(async () => {
  await sql`truncate scratch`.execute(db)
})

const insert = preparedSql<{ n: number }, unknown>(({ n }) => sql`insert into scratch values (${n})`)
const stored = async () =>
  (await sql<{ n: number }>`select n from scratch order by n`.execute(db)).rows.map(({ n }) => n)

test('statements that are sent ahead are part of the transaction, in their order', async () => {
  await inTransaction(db, async (trx) => {
    ahead(trx, insert(trx, { n: 1 }))
    ahead(trx, insert(trx, { n: 2 }))
    await sql`update scratch set n = n + 10`.execute(trx)
    ahead(trx, insert(trx, { n: 3 }))
  })
  expect(await stored()).toEqual([3, 11, 12])
})

test('a failure takes back what was sent ahead', async () => {
  const refused = inTransaction(db, async (trx) => {
    ahead(trx, insert(trx, { n: 1 }))
    ahead(trx, insert(trx, { n: 2 }))
    throw new Error('no')
  })
  await expect(refused).rejects.toThrow('no')
  expect(await stored()).toEqual([])
})

test.each<[string, (n: (n: number) => Promise<unknown>) => Promise<unknown> | undefined]>([
  ['is the last', () => undefined],
  ['has others behind it', (n) => n(2)],
])('the error of a statement that was sent ahead is that of the transaction, if it %s', async (_which, more) => {
  await insert(db, { n: 1 })
  const refused = inTransaction(db, async (trx) => {
    ahead(trx, insert(trx, { n: 1 }))
    await more((n) => insert(trx, { n }))
  })
  await expect(refused).rejects.toMatchObject({ code: '23505' })
  expect(await stored()).toEqual([1])
})

test('a failure that was passed over is not taken for a commit', async () => {
  await insert(db, { n: 1 })
  const refused = inTransaction(db, async (trx) => {
    await insert(trx, { n: 1 }).catch(() => {})
  })
  await expect(refused).rejects.toThrow('rolled back')
})

test('of two transactions that wait for each other one runs again', async () => {
  await insert(db, { n: 1 })
  await insert(db, { n: 2 })
  const runs: number[] = []
  const change = (trx: Database, n: number) => sql`update scratch set n = n where n = ${n}`.execute(trx)
  const changeBoth = (first: number, second: number) =>
    inTransaction(db, async (trx) => {
      await change(trx, first)
      runs.push(first)
      await vi.waitUntil(() => runs.length >= 2, { interval: 5 })
      await change(trx, second)
    })
  await Promise.all([changeBoth(1, 2), changeBoth(2, 1)])
  expect(runs).toHaveLength(3)
})
