import { type Database, step } from '../database.ts'
import { copiedObservations, copiedPlaces, copyMonths, countObservations, NO_OBSERVATIONS, stagedPath } from './rows.ts'
import type { Batch } from './stage.ts'

const ARRIVALS = step(import.meta.url, 'arrivals#arrivals')
const CARRY = step(import.meta.url, 'arrivals#carry')

/** The valid observations of a refresh: where they are, and of which months. */
export type Arrivals = {
  /** The batches that are read in place. */
  inPlace: readonly Batch[]
  /** The folder that the rows of all other batches were copied to; null if there are none. */
  copied: string | null
  /** The number of the first file of each batch, by the numbers of its other files: copies are named by it. */
  firsts: ReadonlyMap<number, number>
}

/** A country's month, such as `2026-10`, and the numbers of the files with valid rows of it. */
export type MonthScope = { country: string; month: string; files: readonly number[] }

const COLUMNS = '* EXCLUDE (row, is_sound, fault, remark)'

const NO_ROWS = `SELECT ${COLUMNS} FROM ${NO_OBSERVATIONS}`

const unionOf = (queries: readonly string[]): string => [NO_ROWS, ...queries].join('\nUNION ALL BY NAME\n')

const keptRows = (rows: string, { has_faults }: Batch): string =>
  `SELECT ${COLUMNS} FROM ${has_faults ? `${rows} ANTI JOIN refused_in_place USING (file, row)` : rows}`

/** A query of all rows that arrived, with every column of an observation. */
const allRows = ({ inPlace, copied }: Arrivals): string =>
  unionOf([
    ...inPlace.map((batch) => keptRows(batch.rows, batch)),
    ...(copied === null ? [] : [`SELECT ${COLUMNS} FROM ${copiedObservations(copied)} WHERE month > 0`]),
  ])

/**
 * A query of the rows of some months of a country that arrived, with every column of an observation: of all its months with
 * rows from the first to the last of these. Reads only the files that have some.
 */
export const monthRows = async (
  { inPlace, copied, firsts }: Arrivals,
  months: readonly MonthScope[],
): Promise<string> => {
  const [{ country, month }] = months as [MonthScope]
  const [start, last] = [month, months.at(-1)!.month].map((month) => `TIMESTAMP '${month}-01'`)
  const unread = new Set(months.flatMap(({ files }) => files))
  const queries: string[] = []
  for (const batch of inPlace) {
    const numbers = batch.files.flatMap(({ number }) => (unread.delete(number) ? number : []))
    if (numbers.length === 0) continue
    // Comparing the time itself, not its month, lets Parquet skip rows of other months.
    queries.push(`${keptRows(await batch.narrow(numbers), batch)} WHERE country = '${country}'
      AND observed_at >= ${start} AND observed_at < ${last} + INTERVAL 1 MONTH`)
  }
  if (copied !== null && unread.size > 0) {
    const places = months.flatMap(({ month, files }) => {
      const numbers = new Set(files.filter((file) => unread.has(file)).map((number) => firsts.get(number) ?? number))
      return [...numbers].map((number) => ({ number, month: Number(month.replace('-', '')) }))
    })
    queries.push(`SELECT ${COLUMNS} FROM ${copiedPlaces(copied, country, places)}`)
  }
  return unionOf(queries)
}

const isChangePoints = ({ files }: Batch): boolean =>
  files.some(({ description }) => description.kind === 'change_points')

/** Creates a row for each day between the change points of a refresh; they have no file. Returns how many. */
const carry = async (database: Database, points: readonly Batch[], staged: string): Promise<number> => {
  const kept = points.map((batch) => keptRows(batch.rows, batch))
  await database.execute(`CREATE TEMP VIEW change_point AS ${unionOf(kept)}`)
  await database.run(CARRY)
  await countObservations(database, { rows: 'carried', format: 'text', number: 0, columns: [] }, staged)
  return copyMonths(database, 'carried', stagedPath('price_observations', 0, staged, true))
}

/**
 * Defines the views of valid rows over all files: `arrival` of observations, including those carried between change
 * points, and `described` of the catalogue.
 */
export const defineArrivals = async (
  database: Database,
  batches: readonly Batch[],
  staged: string,
): Promise<Arrivals> => {
  const observed = batches.filter(({ feed }) => feed === 'price_observations')
  const points = observed.filter(isChangePoints)
  const carried = points.length > 0 ? await carry(database, points, staged) : 0
  const inPlace = observed.filter(({ is_copied }) => !is_copied)
  const hasCopies = carried > 0 || observed.some(({ is_copied }) => is_copied)
  const firsts = new Map(
    observed.flatMap(({ files }) => files.map(({ number }) => [number, files[0]!.number] as const)),
  )
  const arrivals = { inPlace, copied: hasCopies ? staged : null, firsts }
  await database.execute(`CREATE TEMP VIEW kept_observation AS ${allRows(arrivals)}`)
  await database.run(ARRIVALS)
  return arrivals
}
