import { resolve } from 'node:path'
import { EngineError } from '../../contract/errors.ts'
import { snapshotFolder } from '../../lake/manifest.ts'
import type { Engine } from '../../query/engine.ts'
import { shortened } from '../readable.ts'
import type { SnapshotFiles } from './definitions.ts'
import { columnsOf, rowsOf } from './result.ts'
import { SqlInterrupted, SqlSession } from './session.ts'

/** The files of the snapshot that an engine serves. */
export const snapshotFiles = ({ manifest, countries }: Engine, lake: string): SnapshotFiles => ({
  files: manifest.files,
  thin_below: manifest.thin_below,
  countries: countries.accepted,
  folder: resolve(snapshotFolder(lake, manifest.snapshot_id)),
})

/** The first rows of a result, and how many it has. */
export type SqlRows = { rows: Record<string, unknown>[]; row_count: number }

/** What a statement may take of the machine: its result is held in memory before it is read. */
const LIMITS = { memory_limit: '1GB', max_temp_directory_size: '1GB', threads: '2' }
const TIMEOUT_MS = 20_000
const MAX_CELL_LENGTH = 1000

const cellOf = (value: unknown): unknown => {
  if (typeof value === 'bigint') return String(value)
  const text = typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : undefined
  return text !== undefined && text.length > MAX_CELL_LENGTH ? shortened(text, MAX_CELL_LENGTH) : value
}

/**
 * Runs SQL over the tables of a snapshot in a session of its own, which reads nothing but its files, and returns the first
 * rows of the last result. Throws INVALID_PARAMS for what is wrong or could write, NOT_READY for what takes too much.
 */
export const readRows = async (
  engine: Engine,
  lake: string,
  sql: string,
  { signal, limit, timeout_ms = TIMEOUT_MS }: { signal: AbortSignal; limit: number; timeout_ms?: number },
): Promise<SqlRows> => {
  const session = await SqlSession.open(snapshotFiles(engine, lake), LIMITS)
  const timeout = AbortSignal.timeout(timeout_ms)
  try {
    return await session.run(sql, AbortSignal.any([signal, timeout]), async (result) => {
      if (!result) return { rows: [], row_count: 0 }
      const names = columnsOf(result).map(({ name }) => name)
      const rows: SqlRows['rows'] = []
      let row_count = 0
      for await (const chunk of rowsOf(result, signal)) {
        row_count += chunk.length
        for (const row of chunk.slice(0, limit - rows.length))
          rows.push(Object.fromEntries(names.map((name, at) => [name, cellOf(row[at])])))
      }
      return { rows, row_count }
    })
  } catch (cause) {
    if (!(cause instanceof SqlInterrupted)) throw cause
    throw new EngineError(
      'NOT_READY',
      timeout.aborted
        ? `The statement took longer than ${timeout_ms / 1000} seconds; filter by days, categories or retailers.`
        : 'The statement was cancelled.',
    )
  } finally {
    session.close()
  }
}
