// Imported before DuckDB itself, whose own error does not say what to install.
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

const API = '@duckdb/node-api'

try {
  require(API)
} catch (cause) {
  const [, binary] = /^Cannot find module '(@duckdb\/node-bindings-[\w-]+)/.exec((cause as Error).message) ?? []
  if (!binary) throw cause
  const { dependencies } = require(`${API}/package.json`) as { dependencies: Record<string, string> }
  const message = `DuckDB's binary is not installed, since --omit=optional skips it. Add ${binary}@${dependencies['@duckdb/node-bindings']} to the same npm install.`
  throw new Error(message, { cause })
}
