import type { DuckDBAppender } from '@duckdb/node-api'
import { literal } from '../tables.ts'
import { identifier, writeAtomically } from './files.ts'
import type { ResultColumn } from './result.ts'
import { openScratch } from './scratch.ts'

type TableRows = { columns: readonly ResultColumn[]; rows: readonly (readonly unknown[])[] }

/** How a kind of column is appended, and the type that it has in the file. */
type StagedColumn = { staged: string; type: string; append: (appender: DuckDBAppender, value: unknown) => void }

const text = (type: string): StagedColumn => ({
  staged: 'VARCHAR',
  type,
  append: (appender, value) =>
    appender.appendVarchar(typeof value === 'object' ? JSON.stringify(value) : String(value)),
})
const encodings: Record<ResultColumn['kind'], StagedColumn> = {
  text: text('VARCHAR'),
  list: text('VARCHAR'),
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

/** Writes a table as Parquet (zstd). Types follow the answer's schema, whatever its values; lists are JSON text. */
export const writeParquetTable = async (file: string, { columns, rows }: TableRows): Promise<void> => {
  const instance = await openScratch()
  const connection = await instance.connect()
  try {
    const staged = columns.map(({ name, kind }) => `${identifier(name)} ${encodings[kind].staged}`)
    await connection.run(`CREATE TABLE staged (${staged.join()})`)
    const appender = await connection.createAppender('staged')
    for (const row of rows) {
      for (const [at, { kind }] of columns.entries()) {
        const value = row[at] ?? null
        if (value === null) appender.appendNull()
        else encodings[kind].append(appender, value)
      }
      appender.endRow()
    }
    appender.closeSync()
    const typed = columns.map(({ name, kind }) => `${identifier(name)}::${encodings[kind].type} AS ${identifier(name)}`)
    await writeAtomically(file, async (path) => {
      await connection.run(
        `COPY (SELECT ${typed.join()} FROM staged) TO ${literal(path)} (FORMAT parquet, COMPRESSION zstd)`,
      )
    })
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
