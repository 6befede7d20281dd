import { readFileSync } from 'node:fs'
import type { Row } from '../duckdb/pool.ts'

/** A series of an office. */
export type OfficialSeries = {
  /** Its office and its id there: `bls:APU0000717311`. */
  series: string
  country: string
  /** The day of its first release. */
  released_from: string
  title: string | null
  unit: string | null
}

const sql = readFileSync(new URL('official-series.sql', import.meta.url), 'utf8')

/** Reads what official series there are. */
export const loadOfficialSeries = async (reader: {
  rows(sql: string, bindings: Record<string, never>): Promise<Row[]>
}): Promise<readonly OfficialSeries[]> => (await reader.rows(sql, {})) as OfficialSeries[]
