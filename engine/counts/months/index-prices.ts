import type { MonthPrices } from '../../catalog/month-prices.ts'
import type { Bindings } from '../../duckdb/pool.ts'
import { lowerMedian } from '../../statistics/lower-median.ts'
import { CHANGE_BOUNDS, changeBucket, isPlausible, logRelative } from '../../statistics/price-relative.ts'
import { BLOCK } from '../vectors.ts'
import { blockOf, blockOfLong, type WrittenRows, writtenRows } from '../written-rows.ts'
import { cellRanges, cellsOf } from './cells.ts'

/** The months of a mask; those after them are in the late one. */
const MASK_MONTHS = 25
const MASK = 2 ** MASK_MONTHS

const groups: Readonly<Record<string, 'brand_id' | 'retailer_id'>> = { brand: 'brand_id', retailer: 'retailer_id' }

/** The listing-months of an index with the months in which their listing is plausibly priced. */
export const indexPrices = (prices: MonthPrices, bindings: Bindings): WrittenRows => {
  const scope = cellsOf(prices, bindings, true)
  const { listings, rows, months, places } = scope
  const columns = blockOf(
    'place',
    'mask',
    'late_mask',
    'window_mask',
    'is_in_window',
    'is_plausible',
    'group_id',
    'change_bucket',
  )
  const logs = blockOfLong('log')
  const group = groups[String(bindings.contributions_by)] ?? 'category_id'
  const window_from = Number(bindings.window_from)
  const priced = new Int32Array(months.length)
  const length = (places.at(-1) ?? 0) + 1
  const ofMonths = (number: number) => () => ({ low: 0, size: 2 ** Math.max(0, Math.min(MASK_MONTHS, number)) })
  function* blocks() {
    let at = 0
    for (let i = 0; i < rows.length; i += 1) {
      const row = rows[i]!
      let cells = 0
      for (const { price } of months) if (price[row]! > 0) priced[cells++] = price[row]!
      if (cells === 0) continue
      if (at + cells > BLOCK) {
        yield at
        at = 0
      }
      const median = lowerMedian(priced, cells)
      let mask = 0
      for (let month = 0; month < months.length; month += 1) {
        const price = months[month]!.price[row]!
        if (price > 0 && isPlausible(median, price)) mask += 2 ** places[month]!
      }
      // The plausible price of the month before; 0 without one.
      let before = 0
      for (let month = 0; month < months.length; month += 1) {
        const price = months[month]!.price[row]!
        const isKept = price > 0 && isPlausible(median, price)
        const last = before
        before = isKept ? price : 0
        if (price === 0) continue
        columns.place[at] = places[month]!
        columns.mask[at] = mask % MASK
        columns.late_mask[at] = Math.floor(mask / MASK)
        columns.window_mask[at] = Math.floor(mask / 2 ** window_from)
        columns.is_in_window[at] = places[month]! >= window_from ? 1 : 0
        columns.is_plausible[at] = isKept ? 1 : 0
        columns.change_bucket[at] = isKept && last > 0 ? changeBucket(logRelative(last, price)) : -1
        columns.group_id[at] = listings[group][row]!
        logs.set(at, logRelative(median, price))
        at += 1
      }
    }
    yield at
  }
  return writtenRows(
    { ...columns, ...logs.columns },
    {
      place: () => ({ low: 0, size: length }),
      mask: ofMonths(length),
      late_mask: ofMonths(length - MASK_MONTHS),
      window_mask: ofMonths(length - window_from),
      group_id: cellRanges(scope)[group]!,
      change_bucket: () => ({ low: -1, size: CHANGE_BOUNDS.length + 2 }),
    },
    rows.length * months.length,
    blocks,
  )
}
