import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { projectFolder } from '../src/project-folder.ts'
import { temporaryPrefix } from './support/database.ts'
import { hasCurl } from './support/has-curl.ts'
import { adminPassword, startService } from './support/service.ts'

const project = fileURLToPath(projectFolder)
// Says of each answer what it was; what stands in a pipe has no exit status.
const report = `curl() { command curl -w '%{stderr}%{http_code} %{method} %{url}\\n' "$@"; }`

/** The lines for a shell in a document, or in one part of it. */
async function linesOf(document: string, heading?: string): Promise<string> {
  const text = await readFile(join(project, document), 'utf8')
  const part = heading ? text.split(/^(?=## )/m).find((part) => part.startsWith(`## ${heading}\n`)) : text
  const blocks = [...(part ?? '').matchAll(/^```sh\n(.*?)^```$/gms)].map(([, lines]) => lines)
  if (blocks.length === 0) throw new Error(`${document} has no lines for a shell${heading ? ` in "${heading}"` : ''}.`)
  return blocks.join('\n')
}

test('the lines of README and of the pages that go on from it work one after the other', async ({
  skip,
  onTestFinished,
}) => {
  skip(!(await hasCurl()), 'there is no curl on this machine')
  const { url } = await startService()
  const folder = await mkdtemp(join(tmpdir(), `${temporaryPrefix}${process.pid}-`))
  onTestFinished(() => rm(folder, { recursive: true }))
  await symlink(join(project, 'examples'), join(folder, 'examples'))

  const lines = [
    (await linesOf('README.md', 'A first session'))
      .replace('http://127.0.0.1:8080', url)
      .replace('<password>', adminPassword),
    await linesOf('README.md', 'A tour'),
    await linesOf('docs/workflows.md'),
    await linesOf('docs/deprecation.md'),
    await linesOf('docs/sign-in.md'),
  ].join('\n')
  const { stderr } = await promisify(execFile)('sh', ['-euc', `${report}\n${lines}`], { cwd: folder })
  const answers = stderr.trimEnd().split('\n')
  expect(answers.filter((line) => !line.startsWith('200 '))).toEqual([])
  expect(answers).toHaveLength(lines.match(/\bcurl -/g)?.length as number)

  const operationsOf = async (answer: string) => {
    const { Operations } = JSON.parse(await readFile(join(folder, answer), 'utf8'))
    return Operations.Operation.map(({ Method, Path }: { Method: string; Path: string }) => `${Method} ${Path}`)
  }
  const taken = await operationsOf('version.answer')
  expect(taken).toHaveLength(10)
  expect(await operationsOf('newer.answer')).toEqual(taken)
})
