// DuckDB as everything here opens it. Its allocator reads its settings when it is loaded, and its own error does not say what to
// install. It is required, since an import of its 180 CommonJS files reads each once more to list what it exports: a fifth of a
// second of every command.
import { createRequire } from 'node:module'
import type * as Api from '@duckdb/node-api'

const require = createRequire(import.meta.url)

const API = '@duckdb/node-api'

// Freed memory is kept for the next statement for ten seconds, as jemalloc itself does: DuckDB gives it back to the system after
// one, and then a third of the CPU time of a small refresh is spent on getting it again.
process.env.DUCKDB_JE_MALLOC_CONF ??= 'dirty_decay_ms:10000,muzzy_decay_ms:10000'

const load = (): typeof Api => {
  try {
    return require(API) as typeof Api
  } catch (cause) {
    const [, binary] = /^Cannot find module '(@duckdb\/node-bindings-[\w-]+)/.exec((cause as Error).message) ?? []
    if (!binary) throw cause
    const { dependencies } = require(`${API}/package.json`) as { dependencies: Record<string, string> }
    const message = `DuckDB's binary is not installed, since --omit=optional skips it. Add ${binary}@${dependencies['@duckdb/node-bindings']} to the same npm install.`
    throw new Error(message, { cause })
  }
}

export const {
  DuckDBArrayValue,
  DuckDBDecimalValue,
  DuckDBInstance,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBPendingResultState,
  DuckDBStructValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTypeId,
  DuckDBUnionValue,
  LIST,
  ResultReturnType,
  StatementType,
  VARCHAR,
} = load()

/** Types of the values above of the same names. */
export type DuckDBInstance = Api.DuckDBInstance
export type DuckDBTypeId = Api.DuckDBTypeId
export type StatementType = Api.StatementType
