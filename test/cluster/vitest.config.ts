import { defineConfig } from 'vitest/config'
import { sized } from '../support/full-size.ts'

/** Tests of queries over prices that also hold where a cluster computes the rows: their engines get one (`openEngine`). */
const ofQueries = [
  'test/engine/{contract,oracle}.test.ts',
  'test/engine/queries/{analyst/inflation,marketing/brand-tracker,shopper/history}.test.ts',
]
/** Those that the equality of random queries implies, or whose queries are mostly refused. */
const ofMoreQueries = [
  'test/engine/{from-memory,invariance,may-be-empty,newest-observed,oracle-*,properties}.test.ts',
  'test/engine/queries/{analyst,marketing,shopper}/*.test.ts',
]

export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    globalSetup: ['test/cluster/global-setup.ts'],
    setupFiles: ['test/support/setup.ts'],
    include: ['test/cluster/*.test.ts', ...ofQueries, ...sized([], ofMoreQueries)],
    testTimeout: sized(240_000, 600_000),
    hookTimeout: 300_000,
    // The nodes take the other core.
    maxWorkers: 1,
    isolate: false,
  },
})
