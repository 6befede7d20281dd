import type { MonthPrices } from '../../catalog/month-prices.ts'
import type { Bindings } from '../../duckdb/pool.ts'
import { BLOCK } from '../vectors.ts'
import { blockOf, type WrittenRows, writtenRows } from '../written-rows.ts'
import { cellRanges, cellsOf, monthNumber } from './cells.ts'

/** The listings of a scope that were priced in the last of its full months or the one before, and whether in an earlier one, too. */
export const listingTurnover = (prices: MonthPrices, bindings: Bindings): WrittenRows => {
  const cells = cellsOf(prices, bindings, false)
  const { listings, rows, months, places } = cells
  const last = monthNumber(String(bindings.whole_to)) - monthNumber(String(bindings.whole_from))
  const columns = blockOf('retailer_id', 'category_id', 'is_priced', 'was_priced', 'was_earlier')
  function* blocks() {
    let at = 0
    for (let i = 0; i < rows.length; i += 1) {
      const row = rows[i]!
      let [is_priced, was_priced, was_earlier] = [0, 0, 0]
      for (let month = 0; month < months.length; month += 1) {
        if (months[month]!.price[row] === 0) continue
        if (places[month] === last) is_priced = 1
        else if (places[month] === last - 1) was_priced = 1
        else was_earlier = 1
      }
      if (is_priced + was_priced === 0) continue
      columns.retailer_id[at] = listings.retailer_id[row]!
      columns.category_id[at] = listings.category_id[row]!
      columns.is_priced[at] = is_priced
      columns.was_priced[at] = was_priced
      columns.was_earlier[at] = was_earlier
      at += 1
      if (at === BLOCK) {
        yield at
        at = 0
      }
    }
    yield at
  }
  return writtenRows(columns, cellRanges(cells), rows.length, blocks)
}
