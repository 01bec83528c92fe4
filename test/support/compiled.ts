import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const project = fileURLToPath(new URL('../..', import.meta.url))
// Inside the project, so that what is compiled there finds its packages.
const cache = join(project, 'node_modules/.cache')

const folderOf = (run: string) => join(cache, `platform-api-${run}`)

let compiling: Promise<void> | undefined

/** Compiles src for tests that start processes, once in a test run; the folder that main.js is in. */
export async function compiledSource(run: string): Promise<string> {
  const folder = folderOf(run)
  compiling ??= existsSync(folder) ? Promise.resolve() : compile(folder)
  await compiling
  return join(folder, 'dist')
}

/** Workers that compile at the same time each do it in a folder of their own; the first one's is taken. */
async function compile(folder: string): Promise<void> {
  await mkdir(cache, { recursive: true })
  const draft = await mkdtemp(`${folder}-`)
  await writeFile(join(draft, 'package.json'), '{"type":"module"}')
  for (const name of ['migrations', 'examples']) await cp(join(project, name), join(draft, name), { recursive: true })
  const tsc = join(project, 'node_modules/typescript/bin/tsc')
  // It writes its output also when types are wrong somewhere, and that is no matter here.
  await promisify(execFile)(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', join(draft, 'dist')], {
    cwd: project,
  }).catch(() => {})
  await rename(draft, folder).catch(() => rm(draft, { recursive: true, force: true }))
}

/** Removes what `compiledSource` made, also what a worker left that was ended on the way. */
export async function removeCompiled(run: string): Promise<void> {
  for (const name of await readdir(cache).catch(() => [])) {
    if (join(cache, name).startsWith(folderOf(run))) await rm(join(cache, name), { recursive: true, force: true })
  }
}
