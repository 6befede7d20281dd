import { type MonthPrices, WAS_IN_STOCK, WAS_PROMOTED, WAS_STOCK_OBSERVED } from '../../catalog/month-prices.ts'
import type { Bindings } from '../../duckdb/pool.ts'
import { lowerMedian } from '../../statistics/lower-median.ts'
import { isOnClearance, isPlausible, logRelative } from '../../statistics/price-relative.ts'
import { BLOCK } from '../vectors.ts'
import { blockOf, blockOfLong, type WrittenRows, writtenRows } from '../written-rows.ts'
import { cellRanges, cellsOf, createPanel, occupied } from './cells.ts'

/** The listing-months of a scope, of all retailers. */
export const periodPrices = (prices: MonthPrices, bindings: Bindings): WrittenRows => {
  const cells = cellsOf(prices, bindings, false)
  const { listings, rows, months, days } = cells
  const columns = blockOf('period', 'retailer_id', 'price')
  const panel = createPanel(cells)
  function* blocks() {
    for (const some of panel.blocks()) {
      let length = 0
      for (const [place, price] of panel.prices.entries())
        for (let i = 0; i < some.length; i += 1) {
          if (price[i] === 0) continue
          columns.period[length] = days[place]!
          columns.retailer_id[length] = listings.retailer_id[some[i]!]!
          columns.price[length] = price[i]!
          length += 1
        }
      yield length
    }
  }
  return writtenRows(columns, cellRanges(cells), rows.length * months.length, blocks)
}

/** The listing-months of a series with their links. */
export const seriesPrices = (prices: MonthPrices, bindings: Bindings): WrittenRows => {
  const cells = occupied(cellsOf(prices, bindings, true))
  const { listings, rows, months, days } = cells
  const columns = blockOf(
    'period',
    'retailer_id',
    'price',
    'observation_count',
    'is_in_stock',
    'is_stock_known',
    'is_promoted',
    'is_stable',
    'before',
    'base',
  )
  const logs = blockOfLong('log')
  const panel = createPanel(cells)
  const hasBase = months.length > 1
  const isStable = new Uint8Array(BLOCK)
  function* blocks() {
    for (const some of panel.blocks()) {
      isStable.fill(1)
      for (const price of panel.prices) for (let i = 0; i < some.length; i += 1) if (price[i] === 0) isStable[i] = 0
      let at = 0
      for (const [place, price] of panel.prices.entries()) {
        const { observation_count, flags } = months[place]!
        const [base, before] = [panel.prices[0]!, panel.prices[place - 1]]
        for (let i = 0; i < some.length; i += 1) {
          if (price[i] === 0) continue
          const row = some[i]!
          const previous = before?.[i] || -1
          columns.period[at] = days[place]!
          columns.retailer_id[at] = listings.retailer_id[row]!
          columns.price[at] = price[i]!
          columns.observation_count[at] = observation_count[row]!
          columns.is_in_stock[at] = flags[row]! & WAS_IN_STOCK ? 1 : 0
          columns.is_stock_known[at] = flags[row]! & WAS_STOCK_OBSERVED ? 1 : 0
          columns.is_promoted[at] = flags[row]! & WAS_PROMOTED ? 1 : 0
          columns.is_stable[at] = isStable[i]!
          columns.before[at] = previous
          columns.base[at] = (hasBase && base[i]) || -1
          if (previous > 0 && isPlausible(previous, price[i]!)) logs.set(at, logRelative(previous, price[i]!))
          else logs.setUnknown(at)
          at += 1
        }
      }
      yield at
    }
  }
  return writtenRows({ ...columns, ...logs.columns }, cellRanges(cells), rows.length * months.length, blocks)
}

/** Those of a series after its first month whose price relative to that is plausible. */
export const seriesRelatives = (prices: MonthPrices, bindings: Bindings): WrittenRows => {
  const cells = occupied(cellsOf(prices, bindings, true))
  const { listings, rows, months, days } = cells
  const columns = blockOf('period', 'retailer_id', 'category_id', 'brand_id', 'is_last', 'is_cleared')
  const logs = blockOfLong('log')
  const panel = createPanel(cells)
  const priced = new Int32Array(months.length)
  const cleared = new Uint8Array(BLOCK)

  /** Whether a listing ends at a price far below its median, of which its highest price is a bound. */
  const isCleared = (i: number): boolean => {
    const last = panel.prices.at(-1)![i]!
    if (last === 0) return false
    let [length, highest] = [0, 0]
    for (const price of panel.prices) {
      if (price[i] === 0) continue
      priced[length++] = price[i]!
      if (price[i]! > highest) highest = price[i]!
    }
    return isOnClearance(last, highest) && isOnClearance(last, lowerMedian(priced, length))
  }

  function* blocks() {
    if (months.length < 2) return
    for (const some of panel.blocks()) {
      const [base, ...later] = panel.prices as [Int32Array, ...Int32Array[]]
      for (let i = 0; i < some.length; i += 1) cleared[i] = isCleared(i) ? 1 : 0
      let at = 0
      for (const [place, price] of later.entries()) {
        const is_last = place === later.length - 1
        for (let i = 0; i < some.length; i += 1) {
          if (price[i] === 0 || base[i] === 0 || !isPlausible(base[i]!, price[i]!)) continue
          const row = some[i]!
          columns.period[at] = days[place + 1]!
          columns.retailer_id[at] = listings.retailer_id[row]!
          columns.category_id[at] = listings.category_id[row]!
          columns.brand_id[at] = listings.brand_id[row]!
          columns.is_last[at] = is_last ? 1 : 0
          columns.is_cleared[at] = cleared[i]!
          logs.set(at, logRelative(base[i]!, price[i]!))
          at += 1
        }
      }
      yield at
    }
  }
  return writtenRows({ ...columns, ...logs.columns }, cellRanges(cells), rows.length * months.length, blocks)
}
