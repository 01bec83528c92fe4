import { expect, test } from 'vitest'
import { exampleApi } from '../support/examples.ts'
import { startService } from '../support/service.ts'
import { slowWrites } from '../support/slow-writes.ts'
import { putWorkflow, workflowOf, workflowPath } from '../support/workflow.ts'

const service = await startService()
const admin = await service.siteAdmin()

test('a workflow is put and removed at the first try while people add versions without pause', async () => {
  // Long enough that there is always one of them under way.
  await slowWrites(service.connection, 'api', 60)
  let writing = true
  let added = 0
  const writers = Array.from({ length: 4 }, async () => {
    const { APIID } = (await admin.post('/api/apis', exampleApi())).json
    for (let n = 0; writing; n++) {
      expect((await admin.post(`/api/apis/${APIID}/versions`, { Name: `steady ${n}` })).status).toBe(200)
      added++
    }
  })
  try {
    await expect.poll(() => added, { timeout: 5000 }).toBeGreaterThan(8)
    await putWorkflow(admin, workflowOf('open', ['open']))
    const between = added
    await expect.poll(() => added, { timeout: 5000 }).toBeGreaterThan(between + 4)
    expect((await admin.send('DELETE', workflowPath)).status).toBe(200)
  } finally {
    writing = false
    await Promise.all(writers)
  }
})
