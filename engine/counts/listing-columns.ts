import type { Equality } from '../catalog/current-prices.ts'
import type { Bindings } from '../duckdb/pool.ts'
import { IS_IN_STOCK, IS_NEW, IS_PROMOTED, IS_STOCK_KNOWN, type Listings } from '../search/listing-columns.ts'
import { isParameter, type Scalar } from './count.ts'
import { type KeyRange, rangeOf } from './numbering.ts'
import type { Relation } from './relations.ts'
import { type ColumnSource, holdsOfAll } from './vectors.ts'

const flags: Readonly<Record<string, number>> = {
  is_new: IS_NEW,
  is_promoted: IS_PROMOTED,
  is_in_stock: IS_IN_STOCK,
  is_stock_known: IS_STOCK_KNOWN,
}

/** Columns that have another name in memory. */
const names: Readonly<Record<string, keyof Listings>> = { rating: 'star_rating' }

const ranges = new WeakMap<object, KeyRange>()

/** The range of a column of all listings of a country, which is read once. */
export const rangeOfListings = (column: ArrayLike<number>): KeyRange => {
  const range = ranges.get(column) ?? rangeOf(column)
  ranges.set(column, range)
  return range
}

/** The columns of relations over current prices: those of the listings in memory. */
export const listingColumns = (listings: Listings): ColumnSource => {
  const column = (name: string) => listings[names[name] ?? (name as keyof Listings)]
  return {
    column: (name) => (flags[name] === undefined ? column(name) : { bits: listings.flags, flag: flags[name] }),
    range: (name) => (flags[name] === undefined ? rangeOfListings(column(name)) : { low: 0, size: 2 }),
  }
}

/** A condition without the parameters that are false. */
const withoutFalse = (condition: Scalar<Relation>, bindings: Bindings): Scalar<Relation> => {
  if (typeof condition !== 'object' || condition[0] !== 'or') return condition
  const [, ...operands] = condition as readonly ['or', ...Scalar<Relation>[]]
  const others = operands.filter((one) => !(isParameter(one) && bindings[one.slice(1)] === false))
  return others.length === 1 ? others[0]! : condition
}

/** The conditions that a column has a value that was sent, as equalities, and all other conditions. */
export const equalitiesIn = (where: readonly Scalar<Relation>[], listings: Listings, bindings: Bindings) => {
  const equalities: Equality[] = []
  const open = where.filter((condition) => !holdsOfAll(condition, bindings))
  const others = open
    .map((condition) => withoutFalse(condition, bindings))
    .filter((condition) => {
      if (typeof condition !== 'object' || (condition[0] !== '=' && condition[0] !== 'is')) return true
      const [, name, operand] = condition as readonly [string, Scalar<Relation>, Scalar<Relation>]
      const column = typeof name === 'string' ? listings[name as 'brand_id'] : undefined
      const value = typeof operand === 'string' && isParameter(operand) ? bindings[operand.slice(1)] : null
      if (!(column instanceof Int32Array) || typeof value !== 'number' || value < 0) return true
      equalities.push({ name: String(name), column, value })
      return false
    })
  return { equalities, others }
}
