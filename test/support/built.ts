import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import config from '../../rolldown.config.ts'

const project = fileURLToPath(new URL('../..', import.meta.url))
// Inside the project, so that what is built there finds the packages that it leaves out.
const cache = join(project, 'node_modules/.cache')

const folderOf = (run: string) => join(cache, `platform-api-${run}`)

let building: Promise<void> | undefined

/** Builds the program for tests that start processes, once in a test run; the folder that main.js is in. */
export async function builtProgram(run: string): Promise<string> {
  const folder = folderOf(run)
  building ??= existsSync(folder) ? Promise.resolve() : buildIn(folder)
  await building
  return join(folder, 'dist')
}

/** Workers that build at the same time each do it in a folder of their own; the first one's is taken. */
async function buildIn(folder: string): Promise<void> {
  await mkdir(cache, { recursive: true })
  const draft = await mkdtemp(`${folder}-`)
  for (const name of ['package.json', 'migrations', 'examples']) {
    await cp(join(project, name), join(draft, name), { recursive: true })
  }
  const { input, output, ...options } = config
  await build({
    ...options,
    cwd: project,
    // Tests start the embedded database by itself too.
    input: { ...(input as Record<string, string>), embedded: 'src/database/embedded.ts' },
    output: { ...output, dir: join(draft, 'dist') },
  })
  await rename(draft, folder).catch(() => rm(draft, { recursive: true, force: true }))
}

/** Removes what `builtProgram` made, also what a worker left that was ended on the way. */
export async function removeBuilt(run: string): Promise<void> {
  for (const name of await readdir(cache).catch(() => [])) {
    if (join(cache, name).startsWith(folderOf(run))) await rm(join(cache, name), { recursive: true, force: true })
  }
}
