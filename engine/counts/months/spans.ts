import type { MonthPrices } from '../../catalog/month-prices.ts'
import type { Bindings } from '../../duckdb/pool.ts'
import { lowerBound } from '../../search/lower-bound.ts'
import { blockOf, type WrittenRows, writtenRows } from '../written-rows.ts'
import { monthNumber } from './cells.ts'

/** When a scope was first and last observed in full months; no row without an observation. */
export const observedSpans = ({ shelves }: MonthPrices, bindings: Bindings): WrittenRows => {
  const { category_id, retailer_id, month, first_second, last_second } = shelves
  const [from, to] = [monthNumber(String(bindings.whole_from)), monthNumber(String(bindings.whole_to))]
  const columns = blockOf('first_second', 'last_second')
  let [least, most] = [Number.POSITIVE_INFINITY, -1]
  const end = lowerBound(category_id, Number(bindings.last) + 1)
  for (let i = lowerBound(category_id, Number(bindings.first)); i < end; i += 1) {
    if (month[i]! < from || month[i]! > to) continue
    if ((bindings.retailer_id ?? null) !== null && retailer_id[i] !== bindings.retailer_id) continue
    least = Math.min(least, first_second[i]!)
    most = Math.max(most, last_second[i]!)
  }
  columns.first_second[0] = least
  columns.last_second[0] = most
  const ranges = { first_second: () => ({ low: least, size: 1 }), last_second: () => ({ low: most, size: 1 }) }
  return writtenRows(columns, ranges, 1, () => (most < 0 ? [] : [1]))
}
