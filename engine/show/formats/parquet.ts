import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DuckDBAppender, DuckDBConnection } from '@duckdb/node-api'
import { giveWay } from '../../contract/turn.ts'
import { identifier, literal } from '../../duckdb/tables.ts'
import type { Kind } from '../answer-fields.ts'
import type { Table } from '../cli/table.ts'
import { withKept } from '../standalone/scratch.ts'

/** How a kind of column is appended, and the type that it has in the file. */
type StagedColumn = { staged: string; type: string; append: (appender: DuckDBAppender, value: unknown) => void }

const text = (type: string): StagedColumn => ({
  staged: 'VARCHAR',
  type,
  append: (appender, value) =>
    appender.appendVarchar(typeof value === 'object' ? JSON.stringify(value) : String(value)),
})
const encodings: Record<Kind, StagedColumn> = {
  text: text('VARCHAR'),
  json: text('VARCHAR'),
  date: text('DATE'),
  time: text('TIMESTAMPTZ'),
  integer: {
    staged: 'BIGINT',
    type: 'BIGINT',
    append: (appender, value) => appender.appendBigInt(BigInt(value as number)),
  },
  number: { staged: 'DOUBLE', type: 'DOUBLE', append: (appender, value) => appender.appendDouble(value as number) },
  boolean: {
    staged: 'BOOLEAN',
    type: 'BOOLEAN',
    append: (appender, value) => appender.appendBoolean(value as boolean),
  },
}

/** A table as Parquet (zstd). Types follow the answer's schema, whatever its values; lists are JSON text. */
export const parquet = async ({ columns, rows }: Table): Promise<Uint8Array> => {
  // DuckDB writes Parquet to files only.
  const file = join(tmpdir(), `shelfmark-${randomUUID()}.parquet`)
  const write = async (connection: DuckDBConnection): Promise<void> => {
    const staged = columns.map(({ name, kind }) => `${identifier(name)} ${encodings[kind].staged}`)
    await connection.run(`CREATE TEMP TABLE staged (${staged.join()})`)
    const appender = await connection.createAppender('staged')
    for (const row of rows) {
      for (const [index, { kind }] of columns.entries()) {
        const value = row[index] ?? null
        if (value === null) appender.appendNull()
        else encodings[kind].append(appender, value)
      }
      appender.endRow()
      await giveWay()
    }
    appender.closeSync()
    const typed = columns.map(({ name, kind }) => `${identifier(name)}::${encodings[kind].type} AS ${identifier(name)}`)
    await connection.run(
      `COPY (SELECT ${typed.join()} FROM staged) TO ${literal(file)} (FORMAT parquet, COMPRESSION zstd)`,
    )
  }
  try {
    await withKept(write)
    return await readFile(file)
  } finally {
    await rm(file, { force: true })
  }
}
