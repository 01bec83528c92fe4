import { expect, test } from 'vitest'
import type { Document, Operation } from '../../src/own-description/openapi.ts'
import { appAlone, describedBy } from '../support/own-description.ts'

// After a change of routes: npx vitest run test/own-description/operations-page.test.ts -u
test('docs/operations.md lists what the service offers', async () => {
  const page = operationsPage(await describedBy(await appAlone()))
  await expect(page).toMatchFileSnapshot('../../docs/operations.md')
})

function operationsPage({ paths }: Document): string {
  const areas = new Map<string, string[]>()
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const area = operation.tags?.[0] ?? ''
      areas.set(area, [...(areas.get(area) ?? []), row(method, path, operation)])
    }
  }
  const tables = [...areas].map(
    ([area, rows]) => `## ${area}\n\n| Operation | What it does | Permission |\n|---|---|---|\n${rows.join('\n')}\n`,
  )
  return `# Operations\n\nAs the service describes itself at \`/openapi.json\`, where their parameters, bodies, answers and faults are as well.\n\n${tables.join('\n')}`
}

function row(method: string, path: string, operation: Operation): string {
  const replaced = operation['x-replaced-by']
  const what = `${operation.summary}${operation.deprecated ? `; deprecated, see \`${replaced}\`` : ''}`
  return `| \`${method.toUpperCase()} ${path}\` | ${what} | ${operation['x-permission'].replace(/\.$/, '')} |`
}
