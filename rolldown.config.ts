import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'rolldown'

/**
 * Makes few files of the program and its packages: loading each module by itself takes longer than all else at a start.
 * What is left out is made for one platform, or not there.
 */
export default defineConfig({
  // Threads have a file each, named by their folder.
  input: {
    main: 'src/main.ts',
    'imports-thread': 'src/imports/thread.ts',
    'descriptions-thread': 'src/descriptions/thread.ts',
    'representation-thread': 'src/representation/thread.ts',
  },
  platform: 'node',
  external: ['@node-rs/argon2', 'pg-native'],
  plugins: [licences()],
  // A package that is not found would be a warning only, and the start would fail.
  onLog: (level, log, handle) => {
    if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message)
    handle(level, log)
  },
  // Files of other builds stay: a process that runs loads some of its own later on.
  output: { dir: 'dist' },
})

/** Writes licences.txt beside the program: what is made of packages may be passed on with their licences only. */
function licences(): Plugin {
  return {
    name: 'licences',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((made) => (made.type === 'chunk' ? made.moduleIds : []))
      const folders = modules.map((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0])
      const packages = [...new Set(folders)].filter((folder) => folder !== undefined).sort()
      this.emitFile({ type: 'asset', fileName: 'licences.txt', source: packages.map(licenceOf).join('\n\n') })
    },
  }
}

function licenceOf(folder: string): string {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const texts = (names: RegExp) =>
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && names.test(entry.name))
      .map((file) => readFileSync(join(folder, file.name), 'utf8').trim())
  const own = texts(/^(licen[cs]e|copying|notice)/i)
  const said = texts(/^readme/i).map((text) => /^#+ *licen[cs]e\b[^\n]*\n(.*)$/ims.exec(text)?.[1]?.trim())
  const found = own.length > 0 ? own : said.filter((text) => text !== undefined)
  if (found.length === 0 && !(license && author)) throw new Error(`${name} has no licence.`)
  const holder = `Copyright ${author?.name ?? author}; licensed under the terms of ${license}.`
  return [`## ${name} ${version} (${license})`, ...(found.length > 0 ? found : [holder])].join('\n\n')
}
