import { defineConfig } from 'vitest/config'

/** What `npm run check` runs: tests that need no database. */
export default defineConfig({ test: { include: ['test/own-description/{lint,operations-page}.test.ts'] } })
