import { type Database, query } from '../database.ts'
import { outcomeSchema, type RowOutcome } from '../report.ts'

const OUTCOMES = query(import.meta.url, 'report#outcomes', outcomeSchema)

/** The outcome of the rows of each file so far. */
export const readOutcomes = (database: Database): Promise<RowOutcome[]> => database.rows(OUTCOMES)
