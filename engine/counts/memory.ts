import type { Catalog } from '../catalog/catalog.ts'
import { currentRows, type Equality, rowsWhere } from '../catalog/current-prices.ts'
import { dealsIn } from '../catalog/deals.ts'
import type { Bindings } from '../duckdb/pool.ts'
import { MAX_FIRST } from '../search/first-rows.ts'
import type { Listings } from '../search/listing-columns.ts'
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
import { createCounter } from './counter.ts'
import { equalitiesIn, listingColumns } from './listing-columns.ts'
import { listRows } from './memory-lists.ts'
import type { Interpreter } from './read.ts'
import type { Relation } from './relations.ts'
import { pageOf } from './sql.ts'
import { BLOCK, type ColumnSource, createVectors } from './vectors.ts'

/** Relations over current prices, whose columns are those of the listings in memory. */
type InMemory = 'current_price' | 'deal'

const inMemory: Readonly<Partial<Record<Relation, InMemory>>> = {
  current_price: 'current_price',
  listed_price: 'current_price',
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

/** Blocks of all vectors over listings: a declaration is evaluated without waiting, and then the next one takes them. */
const blocks: Int32Array[] = []

/** Counts some rows of a relation as declared. */
const countRows = (declared: AnyCount, all: Int32Array, source: ColumnSource, bindings: Bindings): Counted => {
  const counter = createCounter(declared, source, bindings, all.length, blocks)
  // At least one block, so that counts of no rows have their columns too.
  for (let start = 0; start === 0 || start < all.length; start += BLOCK) counter.add(all.subarray(start, start + BLOCK))
  return counter.finish()
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
  const source = listingColumns(listings)
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
    return others.length === 0
      ? rows
      : createVectors((read as AnyCount).from, source, bound, blocks).filter(others, rows)
  }
  return {
    count: async (counts, bound) =>
      Object.fromEntries(
        Object.entries(counts).map(([name, count]) => [name, countRows(count, rowsFor(count, bound), source, bound)]),
      ),
    rows: async (read, bound) => listRows(read as AnyList, rowsFor(read, bound), listings, bound, listingAt),
  }
}
