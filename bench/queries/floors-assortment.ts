import { ratio, share } from '../../engine/contract/round.ts'
import type { Floor } from './floor.ts'
import { type Files, isCurrent, type Platform, platforms, rowsOf, type Values } from './sql.ts'

type Sold = { sellers: number[]; n: number }
type Turnover = { retailer_id: number; priced: number; before: number; stayed: number; returned: number }

/** How many products each set of retailers sells. */
const soldBy = (files: Files, values: Values, product: string): string => `
  SELECT sellers, count(*)::INTEGER AS n FROM (
    SELECT list_sort(list(DISTINCT retailer_id)) AS sellers FROM ${files.listings}
    WHERE ${isCurrent(values)} AND condition = 'new' AND ${product} IS NOT NULL GROUP BY ${product})
  GROUP BY sellers`

/** The products of each retailer, those that it alone sells, and those of each pair. */
const rangesOf = (rows: readonly Sold[]) => {
  const all = new Map<number, number>()
  const alone = new Map<number, number>()
  const shared = new Map<string, number>()
  for (const { sellers, n } of rows) {
    for (const retailer of sellers) all.set(retailer, (all.get(retailer) ?? 0) + n)
    if (sellers.length === 1) alone.set(sellers[0]!, (alone.get(sellers[0]!) ?? 0) + n)
    for (const [i, a] of sellers.entries())
      for (const b of sellers.slice(i + 1)) shared.set(`${a} ${b}`, (shared.get(`${a} ${b}`) ?? 0) + n)
  }
  return { all, alone, shared }
}

/** Products by the sets of retailers that sell them, and listings by the months in which they are priced. */
export const assortment: Floor = {
  statements: (files, values) => [
    soldBy(files, values, 'entity_uid'),
    soldBy(files, values, 'coalesce(likely_uid, entity_uid)'),
    `WITH priced AS (
       SELECT any_value(retailer_id) AS retailer_id, max(period) AS last,
         bool_or(period = DATE '${values.whole_to}-01' - INTERVAL 1 MONTH) AS before, min(period) AS first
       FROM ${files.listingMonths(String(values.whole_from), String(values.whole_to))}
       WHERE category_id BETWEEN ${values.first} AND ${values.last}
         AND period BETWEEN DATE '${values.whole_from}-01' AND DATE '${values.whole_to}-01' GROUP BY listing_id
     ), month AS (
       SELECT retailer_id, last = DATE '${values.whole_to}-01' AS priced, before, first < DATE '${values.whole_to}-01' AS earlier FROM priced
     )
     SELECT retailer_id, count(*) FILTER (priced)::INTEGER AS priced, count(*) FILTER (before)::INTEGER AS before,
       count(*) FILTER (priced AND before)::INTEGER AS stayed, count(*) FILTER (priced AND NOT before AND earlier)::INTEGER AS returned
     FROM month WHERE priced OR before GROUP BY retailer_id`,
    platforms(files),
  ],
  figures: ([certain, likely, months, names]) => {
    const named = new Map(rowsOf<Platform>(names!).map(({ retailer_id, platform }) => [retailer_id, platform]))
    const lists = (columns: NonNullable<typeof certain>): Sold[] =>
      rowsOf<Sold>(columns).map(({ sellers, n }) => ({ sellers: [...sellers], n }))
    const [own, ownLikely] = [rangesOf(lists(certain!)), rangesOf(lists(likely!))]
    const turnover = new Map(rowsOf<Turnover>(months!).map((row) => [row.retailer_id, row]))
    return {
      retailers: [...new Set([...own.all.keys(), ...ownLikely.all.keys(), ...turnover.keys()])]
        .map((id) => {
          const { priced = 0, before = 0, stayed = 0, returned = 0 } = turnover.get(id) ?? {}
          return {
            retailer: named.get(id)!,
            product_count: own.all.get(id) ?? 0,
            only_here_pct: share(own.alone.get(id) ?? 0, own.all.get(id) ?? 0),
            likely_only_here_pct: share(ownLikely.alone.get(id) ?? 0, ownLikely.all.get(id) ?? 0),
            listing_count: priced,
            new_count: priced - stayed - returned,
            returned_count: returned,
            stayed_count: stayed,
            left_count: before - stayed,
          }
        })
        .sort((a, b) => b.product_count - a.product_count || (a.retailer < b.retailer ? -1 : 1)),
      pairs: [...own.shared]
        .map(([ids, shared_products]) => {
          const [a, b] = ids.split(' ').map(Number) as [number, number]
          const [first, second] = named.get(a)! < named.get(b)! ? [a, b] : [b, a]
          const [of, ofOther] = [own.all.get(first)!, own.all.get(second)!]
          return {
            retailer: named.get(first)!,
            other_retailer: named.get(second)!,
            shared_products,
            jaccard: ratio(shared_products / (of + ofOther - shared_products)),
            share_of_retailer_pct: share(shared_products, of),
            share_of_other_pct: share(shared_products, ofOther),
            likely_shared_products: ownLikely.shared.get(ids) ?? 0,
          }
        })
        .sort(
          (a, b) =>
            b.shared_products - a.shared_products ||
            (`${a.retailer} ${a.other_retailer}` < `${b.retailer} ${b.other_retailer}` ? -1 : 1),
        )
        .slice(0, 100),
    }
  },
}
