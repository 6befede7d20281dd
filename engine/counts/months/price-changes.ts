import type { MonthPrices } from '../../catalog/month-prices.ts'
import type { Bindings } from '../../duckdb/pool.ts'
import { FENCE, isPlausible, logRelative } from '../../statistics/price-relative.ts'
import { sizeOf } from '../../statistics/price-setting.ts'
import { BLOCK } from '../vectors.ts'
import { blockOf, blockOfLong, type WrittenRows, writtenRows } from '../written-rows.ts'
import { cellRanges, cellsOf, createPanel } from './cells.ts'

/** The greatest size of a change within the fence. */
const MAX_SIZE = sizeOf(1, FENCE)

/** The price relatives of listings from a month to the next, of posted and of regular prices. */
export const priceChanges = (posted: MonthPrices, bindings: Bindings, regular: MonthPrices): WrittenRows => {
  const cells = [posted, regular].map((prices) => cellsOf(prices, bindings, true))
  const { listings, rows, months, days } = cells[0]!
  const columns = blockOf('period', 'category_id', 'is_regular', 'is_changed', 'is_rise', 'size')
  function* blocks() {
    for (const [is_regular, own] of cells.entries()) {
      const panel = createPanel(own)
      for (const some of panel.blocks()) {
        let at = 0
        for (let place = 1; place < months.length; place += 1) {
          const base = panel.prices[place - 1]!
          const price = panel.prices[place]!
          for (let i = 0; i < some.length; i += 1) {
            const before = base[i]!
            const now = price[i]!
            if (before === 0 || now === 0 || !isPlausible(before, now)) continue
            columns.period[at] = days[place]!
            columns.category_id[at] = listings.category_id[some[i]!]!
            columns.is_regular[at] = is_regular
            columns.is_changed[at] = now === before ? 0 : 1
            columns.is_rise[at] = now > before ? 1 : 0
            columns.size[at] = sizeOf(before, now)
            at += 1
          }
        }
        yield at
      }
    }
  }
  const ranges = { ...cellRanges(cells[0]!), size: () => ({ low: 0, size: MAX_SIZE + 1 }) }
  return writtenRows(columns, ranges, cells.length * rows.length * months.length, blocks)
}

/** The price relatives of listings from the first to the last of some months by regular prices. */
export const regularRelatives = (_: MonthPrices, bindings: Bindings, regular: MonthPrices): WrittenRows => {
  const { rows, months } = cellsOf(regular, bindings, true)
  const [base, price] = [months[0]?.price, months.at(-1)?.price]
  const logs = blockOfLong('log')
  function* blocks() {
    if (!base || !price) return
    let at = 0
    for (let i = 0; i < rows.length; i += 1) {
      const before = base[rows[i]!]!
      const now = price[rows[i]!]!
      if (before === 0 || now === 0 || !isPlausible(before, now)) continue
      logs.set(at, logRelative(before, now))
      at += 1
      if (at < BLOCK) continue
      yield at
      at = 0
    }
    yield at
  }
  return writtenRows(logs.columns, {}, rows.length, blocks)
}
