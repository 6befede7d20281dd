import { defineConfig } from 'vitest/config'

/** Tests of queries over prices that also hold where a cluster computes the rows: their engines get one (`openEngine`). */
const ofQueries = [
  'test/engine/{oracle*,contract,properties,invariance,from-memory,may-be-empty,newest-observed}.test.ts',
  'test/engine/queries/{analyst,marketing,shopper}/*.test.ts',
]

export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    globalSetup: ['test/cluster/global-setup.ts'],
    setupFiles: ['test/support/setup.ts'],
    include: ['test/cluster/*.test.ts', ...ofQueries],
    testTimeout: 240_000,
    hookTimeout: 300_000,
    // The nodes take the other core.
    maxWorkers: 1,
    isolate: false,
  },
})
