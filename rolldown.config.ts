import { defineConfig } from 'rolldown'

/**
 * Makes few files of the program and its packages: loading each module by itself takes longer than all else at a start.
 * What is left out is made for one platform, or not there.
 */
export default defineConfig({
  input: { main: 'src/main.ts', worker: 'src/imports/worker.ts' },
  platform: 'node',
  external: ['@node-rs/argon2', 'pg-native'],
  // Files of other builds stay: a process that runs loads some of its own later on.
  output: { dir: 'dist' },
})
