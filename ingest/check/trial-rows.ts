import { digitsOf, isCurrency, USUAL_COUNTRIES } from '../../engine/index.ts'
import type { Database } from '../database.ts'
import { COLUMNS_OF, type Column, FEEDS, type Feed, kindOf } from '../feeds/columns.ts'
import type { StagedFile } from '../feeds/stage.ts'
import { type AssumedColumnsByFile, UNDECIDED } from './propose/groups.ts'

/** A row as it would be kept: the columns that it fills, prices in units of the currency. */
export type TrialRow = { feed: Feed; file: string; values: Partial<Record<Column, unknown>> }

const MAX_ROWS = 10

type TrialValues = Readonly<Record<string, unknown>>

/** The decimals that the price of a row is stored with. */
const decimalsOf = (row: TrialValues, { decimals, constants }: StagedFile['description']): number => {
  const country = String(row.country ?? '')
  const currency = String(constants?.currency ?? row.currency ?? row.currency_text ?? '').toUpperCase()
  return decimals ?? USUAL_COUNTRIES[country]?.decimals ?? (isCurrency(currency) ? digitsOf(currency) : 2)
}

const displayValue = (column: Column, value: unknown, decimals: number): unknown => {
  if (value instanceof Date) return value.toISOString()
  if (kindOf(column) === 'cents') return (Number(value) / 10 ** decimals).toFixed(decimals)
  return typeof value === 'bigint' ? Number(value) : value
}

/** The rules leave the stock of a listing under another name. */
const nameOf = (column: Column): string => (column === 'availability' ? 'in_stock' : column)

type AssumedColumns = ReadonlyMap<Column, boolean>

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0)

const valuesOf = (row: TrialValues, feed: Feed, open: AssumedColumns, decimals: number): TrialRow['values'] =>
  Object.fromEntries(
    COLUMNS_OF[feed].flatMap((column) => {
      if (open.get(column) === false) return [[column, UNDECIDED]]
      const name = row[column] === undefined ? nameOf(column) : column
      const value = row[name]
      return isEmpty(value) || (column === 'in_stock' && row.availability === undefined)
        ? []
        : [
            [
              column,
              open.has(column)
                ? `${displayValue(column, value, decimals)} ${UNDECIDED}`
                : displayValue(column, value, decimals),
            ],
          ]
    }),
  )

/** The views of rows that a reading defines, by the number of the first file in each. */
const viewsOf = async (database: Database): Promise<number[]> => {
  const views = await database.execute<{ number: number }>(
    `SELECT regexp_extract(view_name, '^rows_(\\d+)$', 1)::INTEGER AS number FROM duckdb_views()
     WHERE regexp_matches(view_name, '^rows_\\d+$') ORDER BY number`,
  )
  return views.map(({ number }) => number)
}

const NO_COLUMNS: AssumedColumns = new Map()

/** The first rows of each feed that break no rule, from as many of its files as have one. */
export const readRows = async (
  database: Database,
  files: readonly StagedFile[],
  assumedColumns: AssumedColumnsByFile,
): Promise<TrialRow[]> => {
  const views = await viewsOf(database)
  const rows: TrialRow[] = []
  for (const feed of FEEDS) {
    const feedFiles = files.filter((file) => file.feed === feed)
    let remaining = MAX_ROWS
    for (const [index, { number, name, description }] of feedFiles.entries()) {
      const view = views.findLast((first) => first <= number)!
      const max_rows = Math.ceil(remaining / (feedFiles.length - index))
      const sound = await database.execute<Record<string, unknown>>(
        `SELECT * FROM rows_${view} WHERE fault IS NULL AND file = ${number} LIMIT ${max_rows}`,
      )
      remaining -= sound.length
      const open = assumedColumns.get(name) ?? NO_COLUMNS
      rows.push(
        ...sound.map((row) => ({ feed, file: name, values: valuesOf(row, feed, open, decimalsOf(row, description)) })),
      )
    }
  }
  return rows
}
