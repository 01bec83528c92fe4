import { defineConfig } from 'rolldown'

/**
 * Makes few files of the program and its packages: loading each module by itself takes longer than all else at a start.
 * What is left out is made for one platform, or not there.
 */
export default defineConfig({
  input: { main: 'src/main.ts', worker: 'src/imports/worker.ts' },
  platform: 'node',
  external: ['@node-rs/argon2', 'pg-native'],
  // A package that is not found would be a warning only, and the start would fail.
  onLog: (level, log, handle) => {
    if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message)
    handle(level, log)
  },
  // Files of other builds stay: a process that runs loads some of its own later on.
  output: { dir: 'dist' },
})
