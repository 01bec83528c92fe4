import { expect, test } from 'vitest'
import { addTwoVersions, deprecate, said } from '../support/deprecations.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const admin = await service.siteAdmin()
const nobody = service.client()

test('who may read a successor is known however writers of both and readers meet', async () => {
  const deprecated = await addTwoVersions(admin)
  const successors = await Promise.all([1, 2, 3].map(() => addTwoVersions(admin)))
  const first = successors[0]?.newer
  for (const id of [deprecated.older, deprecated.newer]) await deprecate(admin, id, { SuccessorVersionID: first })
  const statuses = new Set<number>()
  const many = async (send: (n: number) => Promise<{ status: number }>) => {
    for (let n = 0; n < 25; n++) statuses.add((await send(n)).status)
  }
  const pick = (n: number) => successors[n % successors.length] as (typeof successors)[number]
  const turn = (n: number) => (n % 2 ? 'Public' : 'Limited')
  await Promise.all([
    many((n) => deprecate(admin, deprecated.older, { SuccessorVersionID: pick(n).newer })),
    many((n) => deprecate(admin, deprecated.newer, { SuccessorVersionID: pick(n + 1).newer })),
    many((n) => admin.send('PUT', `/api/apis/${pick(n).apiId}`, { body: { Visibility: turn(n) } })),
    many((n) =>
      admin.send('PUT', `/api/apis/versions/${pick(n).newer}`, { body: { Name: '2.0', Visibility: turn(n + 1) } }),
    ),
    many((n) =>
      admin.send('PUT', `/api/apis/versions/${deprecated.older}`, { body: { Name: '1.0', Description: `${n}` } }),
    ),
    many(() => nobody.get(`/api/apis/versions/${deprecated.older}`)),
    many(async () => {
      await service.app.writeReads()
      return { status: 200 }
    }),
  ])
  // 400 where the successor was too narrow at that moment.
  expect([...statuses].sort()).toEqual([200, 400])

  for (const id of [deprecated.older, deprecated.newer]) {
    const version = await service.db
      .selectFrom('api_version')
      .where('id', '=', id.replace('.platform', ''))
      .select('successor_id')
      .executeTakeFirstOrThrow()
    const isReadable = (await nobody.get(`/api/apis/versions/${version.successor_id}.platform`)).status === 200
    const isTold = String(said(await nobody.get(`/api/apis/versions/${id}`)).link).includes(
      String(version.successor_id),
    )
    expect(isTold).toBe(isReadable)
  }
})
