import { type Database, query, step } from '../database.ts'
import { outcomeSchema, type RowOutcome } from '../report.ts'

const TABLES = step(import.meta.url, 'tables')
const OUTCOMES = query(import.meta.url, 'outcomes', outcomeSchema)

/** Creates the tables of merging, including those that record the outcome of rows. */
export const createFactTables = (database: Database): Promise<void> => database.run(TABLES)

/** The outcome of the rows of each file so far. */
export const readOutcomes = (database: Database): Promise<RowOutcome[]> => database.rows(OUTCOMES)
