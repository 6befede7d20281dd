import { type Database, query, step } from '../database.ts'
import { type Outcome, outcomeSchema } from '../report.ts'

const TABLES = step(import.meta.url, 'tables')
const OUTCOMES = query(import.meta.url, 'outcomes', outcomeSchema)

/** Creates the tables that merging fills, and in which it notes what becomes of rows. */
export const createFactTables = (database: Database): Promise<void> => database.run(TABLES)

/** What has become of the rows of each file so far. */
export const readOutcomes = (database: Database): Promise<Outcome[]> => database.rows(OUTCOMES)
