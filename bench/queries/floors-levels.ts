import { ratio, share } from '../../engine/contract/round.ts'
import type { Floor } from './floor.ts'
import { isCurrent, metaOf, OBSERVED, type Platform, platforms, rowsOf } from './sql.ts'

/** Fewer shared products have no level and no share of equal prices. */
const MIN_SHARED = 10

type Shared = { a: number; b: number; n: number; equal: number; weight: number; deviation: number }

/** Solves a symmetric positive system, by elimination without pivots. */
const solved = (matrix: number[][], side: number[]): number[] => {
  const size = side.length
  for (let i = 0; i < size; i++)
    for (let row = i + 1; row < size; row++) {
      const factor = matrix[row]![i]! / matrix[i]![i]!
      for (let column = i; column < size; column++) matrix[row]![column]! -= factor * matrix[i]![column]!
      side[row]! -= factor * side[i]!
    }
  const result = new Array<number>(size).fill(0)
  for (let i = size - 1; i >= 0; i--) {
    const known = result.reduce((sum, value, column) => (column > i ? sum + matrix[i]![column]! * value : sum), 0)
    result[i] = (side[i]! - known) / matrix[i]![i]!
  }
  return result
}

/** Pairs of the sellers of a product and, of a seller with itself, how far its log is from the mean of the product. */
export const retailerLevels: Floor = {
  statements: (files, values) => [
    `WITH lowest AS (
       SELECT entity_uid, retailer_id, min(price) AS price FROM ${files.listings}
       WHERE ${isCurrent(values)} AND condition = 'new' AND entity_uid IS NOT NULL GROUP BY ALL
     ), sold AS MATERIALIZED (
       SELECT entity_uid, retailer_id, price, count(*) OVER product AS sellers, ln(price) - avg(ln(price)) OVER product AS deviation
       FROM lowest WINDOW product AS (PARTITION BY entity_uid) QUALIFY sellers > 1
     )
     SELECT own.retailer_id AS a, other.retailer_id AS b, count(*)::INTEGER AS n, count(*) FILTER (own.price = other.price)::INTEGER AS equal,
       sum(1 / own.sellers) AS weight, sum(own.deviation) AS deviation
     FROM sold AS own JOIN sold AS other ON own.entity_uid = other.entity_uid AND own.retailer_id <= other.retailer_id
     GROUP BY ALL ORDER BY ALL`,
    `SELECT count(*)::INTEGER AS listings, count(entity_uid)::INTEGER AS identified, ${OBSERVED} FROM ${files.listings}
     WHERE ${isCurrent(values)} AND condition = 'new'`,
    platforms(files),
  ],
  figures: ([columns, counts, names]) => {
    const pairs = rowsOf<Shared>(columns!)
    const named = new Map(rowsOf<Platform>(names!).map(({ retailer_id, platform }) => [retailer_id, platform]))
    const own = pairs.filter(({ a, b }) => a === b)
    const matrix = own.map(({ a, n }) =>
      own.map(({ a: b }) => {
        const { weight } = pairs.find((pair) => pair.a === Math.min(a, b) && pair.b === Math.max(a, b)) ?? { weight: 0 }
        return (a === b ? n : 0) - weight
      }),
    )
    const logs = [
      0,
      ...solved(
        matrix.slice(1).map((row) => row.slice(1)),
        own.slice(1).map(({ deviation }) => deviation),
      ),
    ]
    const leveled = logs.filter((_, i) => own[i]!.n >= MIN_SHARED)
    const mean = leveled.reduce((sum, log) => sum + log, 0) / leveled.length
    const [{ listings, identified } = { listings: 0, identified: 0 }] = rowsOf<{
      listings: number
      identified: number
    }>(counts!)
    return {
      listing_count: listings,
      identified_pct: share(identified, listings),
      shared_products: Math.round(own.reduce((sum, { weight }) => sum + weight, 0)),
      price_count: own.reduce((sum, { n }) => sum + n, 0),
      retailers: own
        .map(({ a, n }, i) => ({
          retailer: named.get(a)!,
          level: n < MIN_SHARED ? null : ratio(Math.exp(logs[i]! - mean)),
          shared_products: n,
        }))
        .sort((a, b) => (b.level ?? 0) - (a.level ?? 0) || (a.retailer < b.retailer ? -1 : 1)),
      pairs: pairs
        .filter(({ a, b }) => a !== b)
        .map(({ a, b, n, equal }) => {
          const [retailer, other_retailer] = [named.get(a)!, named.get(b)!].sort()
          const identical_pct = n < MIN_SHARED ? null : share(equal, n)
          return { retailer, other_retailer, shared_products: n, identical_pct }
        })
        .sort(
          (a, b) =>
            b.shared_products - a.shared_products ||
            (`${a.retailer} ${a.other_retailer}` < `${b.retailer} ${b.other_retailer}` ? -1 : 1),
        )
        .slice(0, 100),
      meta: metaOf(counts!.observed_min!, counts!.observed_max!),
    }
  },
}
