import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    setupFiles: ['test/support/setup.ts'],
    include: ['test/**/*.test.ts'],
    testTimeout: 240_000,
    hookTimeout: 300_000,
    // DuckDB already uses every core: more workers only contend.
    maxWorkers: 2,
  },
})
