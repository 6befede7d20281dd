import { dayNumber, dayText } from '../contract/days.ts'
import type { Bindings, Columns, TakeColumns } from '../duckdb/pool.ts'
import { lowerMedian } from '../statistics/lower-median.ts'
import { SALE_HISTORY_DAYS, writeRegular } from '../statistics/price-setting.ts'

/** Runs statements for the listing-months of a country. */
export type MonthReader = {
  columns(sql: string, bindings: Bindings): Promise<Columns>
  each(sql: string, bindings: Bindings, take: TakeColumns): Promise<void>
}

/** Some months from the first, numbered from January 1970: the posted price of each listing in each of them, by row. */
type PostedMonths = { rowsById: Int32Array; first: number; prices: readonly Int32Array[] }

const BLOCKS = `SELECT DISTINCT block::INTEGER AS block FROM listing_day WHERE country = $country::VARCHAR ORDER BY block`

/** A block at a time, which is sorted in little memory. */
const DAYS = `SELECT listing_id, (day - DATE '1970-01-01')::INTEGER AS day, price FROM listing_day
  WHERE country = $country::VARCHAR AND block = $block::INTEGER::VARCHAR
    AND year >= left($from::VARCHAR, 4) AND day >= $from::DATE
  ORDER BY listing_id, day`

type ListedDays = { listing_id: Int32Array; day: Int32Array; price: Int32Array }

/** The days of one listing, which are collected in columns that grow. */
const createHistory = () => {
  const columns = { days: new Int32Array(512), prices: new Int32Array(512), regular: new Int32Array(512) }
  const history = {
    columns,
    length: 0,
    add(day: number, price: number): void {
      if (history.length === columns.days.length)
        for (const name of ['days', 'prices', 'regular'] as const) {
          const grown = new Int32Array(2 * columns[name].length)
          grown.set(columns[name])
          columns[name] = grown
        }
      columns.days[history.length] = day
      columns.prices[history.length++] = price
    },
  }
  return history
}

/** The first days of some months, numbered from January 1970, and of the one after them. */
const firstDays = (first: number, count: number): number[] =>
  Array.from({ length: count + 1 }, (_, i) => dayNumber(new Date(Date.UTC(1970, first + i)).toISOString().slice(0, 10)))

/** The prices of listing-months without sales: the discrete median of their days. */
export const loadRegularPrices = async (
  reader: MonthReader,
  country: string,
  { rowsById, first, prices }: PostedMonths,
): Promise<Int32Array[]> => {
  const starts = firstDays(first, prices.length)
  const from = dayText(Math.max(0, starts[0]! - SALE_HISTORY_DAYS))
  const regularPrices = prices.map((price) => price.slice())
  const ofMonth = new Int32Array(31)
  const history = createHistory()

  /** Writes the months of a listing that have a sale. */
  const write = (row: number): void => {
    const { length, columns } = history
    const { days, prices: posted, regular } = columns
    history.length = 0
    if (!writeRegular(days, posted, length, regular)) return
    let month = 0
    for (let i = 0; i < length; ) {
      while (month < prices.length && starts[month + 1]! <= days[i]!) month += 1
      const [start, end] = [starts[month]!, starts[month + 1]]
      if (end === undefined) return
      let [count, isOnSale] = [0, false]
      for (; i < length && days[i]! < end; i += 1) {
        if (days[i]! < start) continue
        ofMonth[count++] = regular[i]!
        if (regular[i] !== posted[i]) isOnSale = true
      }
      if (isOnSale) regularPrices[month]![row] = lowerMedian(ofMonth, count)
    }
  }

  const { block: blocks } = (await reader.columns(BLOCKS, { country })) as { block: Int32Array }
  for (const block of blocks) {
    let listing = -1
    await reader.each(DAYS, { country, block, from } satisfies Bindings, async (piece, read) => {
      const { listing_id, day, price } = piece as ListedDays
      for (let i = 0; i < read; i += 1) {
        if (listing_id[i] !== listing && listing >= 0) write(rowsById[listing]!)
        listing = listing_id[i]!
        history.add(day[i]!, price[i]!)
      }
    })
    if (listing >= 0) write(rowsById[listing]!)
  }
  return regularPrices
}
