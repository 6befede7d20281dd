import type { Catalog } from '../catalog/catalog.ts'
import { currentRows, type Equality, rowsWhere } from '../catalog/current-prices.ts'
import { dealsIn } from '../catalog/deals.ts'
import type { Bindings } from '../duckdb/pool.ts'
import { MAX_FIRST } from '../search/first-rows.ts'
import type { Listings } from '../search/listings.ts'
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
import { listRows } from './memory-lists.ts'
import type { Interpreter } from './read.ts'
import type { Relation } from './relations.ts'
import { pageOf } from './sql.ts'
import { BLOCK, createVectors, equalitiesIn, type InMemory, rangeOfKey, type Vector } from './vectors.ts'

const inMemory: Readonly<Partial<Record<Relation, InMemory>>> = {
  current_price: 'current_price',
  listed_price: 'current_price',
  offer: 'current_price',
  deal: 'deal',
}

const relationOf = (read: AnyRead): InMemory | undefined => (isStatement(read) ? undefined : inMemory[read.from])

type Where = NonNullable<Count<InMemory>['where']>

/** Parameters that a relation itself applies, besides the scope that all have. */
const scopeOf: Readonly<Record<InMemory, Where>> = {
  current_price: [],
  deal: [['is', 'retailer_id', '$retailer_id']],
}

/** The rows of a relation for which equalities hold. */
const rowsOf = (
  relation: InMemory,
  equalities: readonly Equality[],
  listings: Listings,
  bindings: Bindings,
): Int32Array => {
  const rows = currentRows(listings, bindings, equalities)
  return relation === 'deal' ? rowsWhere(rows, dealsIn(listings, bindings).isDeal) : rows
}

const evaluate = (vectors: readonly Vector[], rows: Int32Array): Int32Array[] => vectors.map((vector) => vector(rows))

/** Counts some rows of a relation as declared. */
const countRows = (declared: AnyCount, all: Int32Array, listings: Listings, bindings: Bindings): Counted => {
  const { by = {}, median, value = median, sums = {}, min = {}, max = {} } = declared as Count<InMemory>
  const { vectorOf, addend } = createVectors(declared.from, listings, bindings)
  const keys = Object.values(by)
  const valueVector = value === undefined ? null : vectorOf(value)
  const vectors = {
    keys: keys.map(vectorOf),
    sums: Object.values(sums).map((sum) => addend(sum, 0)),
    min: Object.values(min).map(vectorOf),
    max: Object.values(max).map((of) => addend(of, -1)),
  }
  const ranges = keys.map((key) => rangeOfKey(key, listings, bindings))
  const adder = createAdder(declared, ranges, all.length, Math.min(BLOCK, all.length))
  // At least one block, so that counts of no rows have their columns too.
  for (let start = 0; start === 0 || start < all.length; start += BLOCK) {
    const rows = all.subarray(start, start + BLOCK)
    adder.add({
      length: rows.length,
      keys: evaluate(vectors.keys, rows),
      value: valueVector?.(rows) ?? null,
      n: null,
      sums: evaluate(vectors.sums, rows),
      min: evaluate(vectors.min, rows),
      max: evaluate(vectors.max, rows),
      median: [],
    })
  }
  return adder.finish()
}

/** Whether a list is so deep that sorting it here would delay other queries. */
const isDeep = (read: AnyRead, bindings: Bindings): boolean => isList(read) && pageOf(read, bindings).end > MAX_FIRST

/**
 * Reads current prices that are in memory. Null where they are not, or not all that a query reads.
 */
export const memoryInterpreter = async (
  reads: Reads,
  bindings: Bindings,
  catalog: Catalog,
): Promise<Interpreter | null> => {
  const all = Object.values(reads)
  if (all.length === 0 || all.some((read) => !relationOf(read) || isDeep(read, bindings))) return null
  const listings = catalog.prices(String(bindings.country))
  if (!listings) return null
  const { listingAt } = await catalog.search(String(bindings.country))
  const scanned = new Map<string, Int32Array>()
  /** The rows that a declaration is about; several may begin with the same ones. */
  const rowsFor = (read: AnyRead, bound: Bindings): Int32Array => {
    const relation = relationOf(read)!
    const where = [...scopeOf[relation], ...(((read as Count<InMemory>).where ?? []) as Where)]
    const { equalities, others } = equalitiesIn(where, listings, bound)
    const key = JSON.stringify([relation, equalities.map(({ name, value }) => [name, value])])
    const rows = scanned.get(key) ?? rowsOf(relation, equalities, listings, bound)
    scanned.set(key, rows)
    return others.length === 0 ? rows : createVectors((read as AnyCount).from, listings, bound).filter(others, rows)
  }
  return {
    count: async (counts, bound) =>
      Object.fromEntries(
        Object.entries(counts).map(([name, count]) => [name, countRows(count, rowsFor(count, bound), listings, bound)]),
      ),
    rows: async (read, bound) => listRows(read as AnyList, rowsFor(read, bound), listings, bound, listingAt),
  }
}
