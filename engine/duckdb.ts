// Imported before DuckDB itself, which fails with a message that names no remedy.
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

const API = '@duckdb/node-api'

try {
  require(API)
} catch (cause) {
  const [, binary] = /^Cannot find module '(@duckdb\/node-bindings-[\w-]+)/.exec((cause as Error).message) ?? []
  if (!binary) throw cause
  const { dependencies } = require(`${API}/package.json`) as { dependencies: Record<string, string> }
  const advice = `DuckDB's binary is not installed: --omit=optional leaves it out. Add ${binary}@${dependencies['@duckdb/node-bindings']} to the same npm install.`
  throw new Error(advice, { cause })
}
