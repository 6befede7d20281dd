import type { Catalog } from '../catalog/catalog.ts'
import { currentRows, rowsWhere } from '../catalog/current-prices.ts'
import { dealsIn } from '../catalog/deals.ts'
import { MAX_FIRST } from '../catalog/first-rows.ts'
import type { Listings } from '../catalog/listings.ts'
import type { Country } from '../catalog/scope.ts'
import type { Bindings } from '../pool.ts'
import { createAdder } from './add-up.ts'
import {
  type AnyCount,
  type AnyList,
  type AnyRead,
  type Count,
  type Counted,
  isList,
  isStatement,
  type Reads,
} from './count.ts'
import { withMedians, withoutMedians } from './medians.ts'
import { listRows } from './memory-lists.ts'
import type { Interpreter } from './read.ts'
import type { Relation } from './relations.ts'
import { createVectors, type InMemory, rangeOfKey, type Vector } from './vectors.ts'

const inMemory: Readonly<Partial<Record<Relation, InMemory>>> = {
  current_price: 'current_price',
  listed_price: 'current_price',
  deal: 'deal',
}

const relationOf = (read: AnyRead): InMemory | undefined => (isStatement(read) ? undefined : inMemory[read.from])

/** The rows of a relation. */
const rowsOf = (relation: InMemory, listings: Listings, bindings: Bindings): Int32Array => {
  const { retailer_id: _, brand_id: __, ...scope } = bindings
  if (relation === 'current_price') return currentRows(listings, scope)
  const { scope: ofDeals, isDeal } = dealsIn(listings, bindings)
  return rowsWhere(currentRows(listings, ofDeals), isDeal)
}

/** Rows that are evaluated at a time: their columns stay in the processor's cache. */
const BLOCK = 2048

const blockFor = (rows: Int32Array): number => Math.max(1, Math.min(BLOCK, rows.length))

const mapValues = <T, R>(values: Readonly<Record<string, T>>, of: (value: T) => R): Map<string, R> =>
  new Map(Object.entries(values).map(([name, value]) => [name, of(value)]))

const evaluate = (vectors: ReadonlyMap<string, Vector>, rows: Int32Array) =>
  new Map([...vectors].map(([name, vector]) => [name, vector(rows)]))

/** Counts some rows of a relation. */
const countRows = (declared: AnyCount, all: Int32Array, listings: Listings, bindings: Bindings): Counted => {
  const { from, where = [], by = {}, value, sums = {}, min = {}, max = {} } = declared as Count<InMemory>
  const block = blockFor(all)
  const { vectorOf, addend, createFilter } = createVectors(from, listings, bindings, block)
  const filter = createFilter(where)
  const keys = mapValues(by, vectorOf)
  const valueVector = value === undefined ? null : vectorOf(value)
  const combined = {
    sums: mapValues(sums, (sum) => addend(sum, 0)),
    min: mapValues(min, vectorOf),
    max: mapValues(max, (of) => addend(of, -1)),
  }
  const ranges = mapValues(by, (key) => rangeOfKey(key, listings, bindings))
  const adder = createAdder(ranges, all.length, block)
  // At least one block, so that counts of no rows have their columns too.
  for (let start = 0; start === 0 || start < all.length; start += block) {
    const rows = filter(all.subarray(start, start + block))
    adder.add({
      length: rows.length,
      keys: evaluate(keys, rows),
      value: valueVector?.(rows) ?? null,
      n: null,
      sums: evaluate(combined.sums, rows),
      min: evaluate(combined.min, rows),
      max: evaluate(combined.max, rows),
      medians: new Map(),
    })
  }
  return adder.finish()
}

/** Of some rows those for which all conditions hold. */
const filterRows = (
  where: Count<InMemory>['where'],
  relation: InMemory,
  all: Int32Array,
  listings: Listings,
  bindings: Bindings,
) => {
  const block = blockFor(all)
  const filter = createVectors(relation, listings, bindings, block).createFilter(where ?? [])
  const kept = new Int32Array(all.length)
  let length = 0
  for (let start = 0; start < all.length; start += block) {
    const rows = filter(all.subarray(start, start + block))
    kept.set(rows, length)
    length += rows.length
  }
  return kept.subarray(0, length)
}

/** Whether a list is so deep that sorting it here would delay other queries. */
const isDeep = (read: AnyRead, bindings: Bindings): boolean => {
  if (!isList(read)) return false
  const numberOf = (operand = '$'): number => Number(bindings[operand.slice(1)] ?? 0)
  return read.limit === undefined || numberOf(read.limit) + numberOf(read.offset) > MAX_FIRST
}

/**
 * Reads current prices that are in memory. Null where they are not, or not all that a query reads.
 */
export const memoryInterpreter = (reads: Reads, bindings: Bindings, catalog: Catalog): Interpreter | null => {
  const all = Object.values(reads)
  if (all.length === 0 || all.some((read) => !relationOf(read) || isDeep(read, bindings))) return null
  const listings = catalog.prices(bindings.country as Country)
  if (!listings) return null
  const { listingAt } = catalog.search(bindings.country as Country)
  const rowsByRelation = new Map<InMemory, Int32Array>()
  const rowsFor = (read: AnyRead): Int32Array => {
    const relation = relationOf(read)!
    const rows = rowsByRelation.get(relation) ?? rowsOf(relation, listings, bindings)
    rowsByRelation.set(relation, rows)
    return rows
  }
  return {
    count: async (counts, bound) => {
      const additive = Object.entries(withoutMedians(counts))
      const counted = additive.map(([name, count]) => [name, countRows(count, rowsFor(count), listings, bound)])
      return withMedians(counts, Object.fromEntries(counted))
    },
    rows: async (read, bound) => {
      const list = read as AnyList
      const where = list.where as Count<InMemory>['where']
      const rows = filterRows(where, relationOf(list)!, rowsFor(list), listings, bound)
      return listRows(list, rows, listings, bound, listingAt)
    },
  }
}
