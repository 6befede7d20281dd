import { defineConfig } from 'vitest/config'
import { isFullSize, sized } from './support/full-size.ts'

// Refreshes and queries of tests are small: DuckDB need not give memory back between them (engine/lake/duckdb.ts).
process.env.DUCKDB_JE_MALLOC_CONF ??= 'dirty_decay_ms:60000,muzzy_decay_ms:60000'

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/setup.ts'],
    include: ['test/**/*.test.ts'],
    // Kills, attacks and real data that take minutes; test/cluster/ has a configuration of its own.
    exclude: ['test/cluster/**', ...(isFullSize ? [] : ['test/**/*.full.test.ts'])],
    // Hundreds of kills and of random cases take minutes.
    testTimeout: sized(240_000, 1_200_000),
    hookTimeout: 300_000,
    // Many tests wait, for a chain or another process: twice the cores it is meant for. At full size more of them compute.
    maxWorkers: sized(4, 3),
    // Modules are loaded once a worker: loading them takes longer than most test files.
    isolate: false,
  },
})
