import { compareBytes } from '../../catalog/brand-counts.ts'
import { listedFields, listedPrices, type PageCandidate } from '../../cluster/listed.ts'
import { observedOf } from '../../cluster/lists.ts'
import type { ShardedQuery } from '../../cluster/sharded.ts'
import { readStatement } from '../../cluster/statement.ts'

const COUNTS = readStatement(import.meta, 'deal-finder')
const BEST = readStatement(import.meta, 'deal-finder-best')

type Deal = PageCandidate & { price: number; depth: number }

/** Orders deals as deal-finder.sql does; logarithms are taken here, since engines round them differently. */
const byScore = (a: Deal, b: Deal): number => {
  const [scoreA, scoreB] = [a.depth * Math.log(a.price / 100), b.depth * Math.log(b.price / 100)]
  return scoreB - scoreA || b.depth - a.depth || compareBytes(a.product_uid, b.product_uid)
}

/** The row of deal-finder.sql, counted on shards. Each shard sends as many deals as are listed at most. */
export const dealFinderOnShards: ShardedQuery = async (shards, bindings, names) => {
  const [counts, deals] = await Promise.all([
    shards.counts(COUNTS, bindings),
    shards.rows(BEST, bindings) as Promise<Deal[]>,
  ])
  const best = deals.sort(byScore).slice(0, Number(bindings.limit))
  const listed = await listedPrices(
    shards,
    bindings,
    best.map(({ listing_id }) => listing_id),
  )
  const isBranded = counts.keys.get('is_branded')!
  const n = counts.values.get('n')!
  const countOf = (branded: number): number => n[isBranded.indexOf(branded)] ?? 0
  return [
    {
      total_deals_found: countOf(1),
      unbranded_left_out: countOf(0),
      ...observedOf(counts, (row) => isBranded[row] === 1),
      deals:
        listed.length === 0
          ? null
          : listed.map((row, i) => {
              const { gpc_id, gpc_precision, gpc_source } = row
              return { ...listedFields(row, i + 1, names), gpc_id, gpc_precision, gpc_source }
            }),
    },
  ]
}
