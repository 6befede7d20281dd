import { CELL_COLUMNS, type ListedCells, type MonthColumns, type MonthPrices } from '../../catalog/month-prices.ts'
import type { Bindings, RunOptions } from '../../duckdb/pool.ts'
import type { SnapshotStatements } from '../duckdb.ts'
import { monthNumber } from './cells.ts'

const CUT_MONTHS = `SELECT ${CELL_COLUMNS} FROM listing_period_days`

/** The months of a window as if all were full ones. */
export const asFullMonths = ({ month_from, month_to, ...bindings }: Bindings): Bindings => ({
  ...bindings,
  whole_from: month_from!,
  whole_to: month_to!,
})

/** Listing-months in which those that a window cuts are of its days, which are read for a scope. */
export const withCutMonths = async (
  prices: MonthPrices,
  read: SnapshotStatements['columns'],
  bindings: Bindings,
  options: RunOptions,
): Promise<MonthPrices> => {
  const { listings, rowsById, first } = prices
  const cells = (await read(CUT_MONTHS, bindings, options)) as ListedCells
  const emptyMonth = (): MonthColumns => ({
    price: new Int32Array(listings.price.length),
    observation_count: new Uint8Array(listings.price.length),
    flags: new Uint8Array(listings.price.length),
  })
  const { month_from, month_to, whole_from, whole_to } = bindings
  const cut = [month_from !== whole_from && month_from, month_to !== whole_to && month_to]
  const numbers = cut.filter(Boolean).map((month) => monthNumber(String(month)) - first)
  // Without one in memory nothing was observed in a month.
  const months = prices.months.map((month, number) => (numbers.includes(number) ? emptyMonth() : month))
  for (let i = 0; i < cells.listing_id.length; i += 1) {
    const { price, observation_count, flags } = months[cells.month[i]! - first]!
    const row = rowsById[cells.listing_id[i]!]!
    price[row] = cells.price[i]!
    observation_count[row] = cells.observation_count[i]!
    flags[row] = cells.flags[i]!
  }
  return { ...prices, months }
}
