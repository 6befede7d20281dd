import { type Database, step } from '../database.ts'
import { checkedRows, copiedObservations, copyRows, countObservations, stagedPath } from './rows.ts'
import type { Batch } from './stage.ts'

const ARRIVALS = step(import.meta.url, 'arrivals')
const CARRY = step(import.meta.url, 'carry')

/** The observations of a refresh that keep every rule: where they are, and of which months. */
export type Arrivals = {
  /** The relations of batches that are read where they are. */
  inPlace: readonly Batch[]
  /** Where the rows of all other batches were copied; null where there are none. */
  copied: string | null
}

/** A country and a month as `202610`; null is all of them. */
type Scope = { country: string; month: number } | null

const COLUMNS = '* EXCLUDE (row, is_sound, fault, remark)'

const monthStart = (month: number): string => `TIMESTAMP '${String(month).slice(0, 4)}-${String(month).slice(4)}-01'`

const rowsInPlace = ({ rows, has_faults }: Batch, scope: Scope): string => {
  const kept = has_faults ? `${rows} ANTI JOIN refused_in_place USING (file, row)` : rows
  if (scope === null) return `SELECT ${COLUMNS} FROM ${kept}`
  const start = monthStart(scope.month)
  // The time itself, not its month, lets Parquet skip what is not of the month.
  return `SELECT ${COLUMNS} FROM ${kept} WHERE country = '${scope.country}'
    AND observed_at >= ${start} AND observed_at < ${start} + INTERVAL 1 MONTH`
}

const rowsCopied = (staged: string, scope: Scope): string => {
  const condition = scope ? `country = '${scope.country}' AND month = ${scope.month}` : 'month > 0'
  return `SELECT ${COLUMNS} FROM ${copiedObservations(staged)} WHERE ${condition}`
}

const NO_ROWS = `SELECT ${COLUMNS} FROM ${checkedRows('price_observations', 'source_of_price_observations')}`

/** A query of the rows that arrived, all of them or those of a country's month, with every column of an observation. */
export const arrivedRows = ({ inPlace, copied }: Arrivals, scope: Scope = null): string =>
  [
    NO_ROWS,
    ...inPlace.map((batch) => rowsInPlace(batch, scope)),
    ...(copied === null ? [] : [rowsCopied(copied, scope)]),
  ].join('\nUNION ALL BY NAME\n')

const isChangePoints = ({ files }: Batch): boolean =>
  files.some(({ description }) => description.kind === 'change_points')

/** Copies a row for each day between the change points of a refresh; they have no file. */
const carry = async (database: Database, points: readonly Batch[], staged: string): Promise<void> => {
  const kept = points.map((batch) => rowsInPlace(batch, null))
  await database.execute(`CREATE TEMP VIEW change_point AS ${[NO_ROWS, ...kept].join('\nUNION ALL BY NAME\n')}`)
  await database.run(CARRY)
  await countObservations(database, 'carried', 'text')
  await copyRows(database, 'price_observations', 'carried', stagedPath('price_observations', 0, staged))
}

/**
 * Defines the views of rows that keep every rule, over all files: `arrival` of observations, those carried between
 * change points among them, and `described` of the catalogue.
 */
export const defineArrivals = async (
  database: Database,
  batches: readonly Batch[],
  staged: string,
): Promise<Arrivals> => {
  const observed = batches.filter(({ feed }) => feed === 'price_observations')
  const points = observed.filter(isChangePoints)
  if (points.length > 0) await carry(database, points, staged)
  const inPlace = observed.filter(({ is_copied }) => !is_copied)
  const hasCopies = points.length > 0 || observed.some(({ is_copied }) => is_copied)
  const arrivals = { inPlace, copied: hasCopies ? staged : null }
  await database.execute(`CREATE TEMP VIEW kept_observation AS ${arrivedRows(arrivals)}`)
  await database.run(ARRIVALS)
  return arrivals
}
