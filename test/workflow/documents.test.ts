import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startService } from '../support/service.ts'
import { exampleWorkflow } from '../support/workflow.ts'

const service = await startService()
const page = readFileSync(new URL('../../docs/workflows.md', import.meta.url), 'utf8')

test.each(['review', 'life'] as const)('docs/workflows.md draws the example %s as it is', async (name) => {
  const { client } = await service.person()
  const { Diagram } = (await client.post('/api/workflows/check', exampleWorkflow(name))).json
  expect(page).toContain(`\`\`\`mermaid\n${Diagram}\`\`\``)
})
