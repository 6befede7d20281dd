import { z } from 'zod'
import { type Database, query } from '../database.ts'
import type { Merged } from '../facts/merge.ts'
import { READINGS } from './reading-rules.ts'

const WRITE_READINGS = query(import.meta.url, 'write-readings', z.strictObject({ readings: z.int() }))

/**
 * Writes the readings of the texts of listings, which the next refresh reuses. Returns the rows of the new file, by its
 * path.
 */
export const writeReadings = async (database: Database): Promise<Merged['rows']> => {
  const { readings } = await database.row(WRITE_READINGS)
  return { [`${READINGS}.parquet`]: readings }
}
