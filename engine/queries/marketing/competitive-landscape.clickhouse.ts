import { listedFields, listedPrices, type PageCandidate, sortCandidates } from '../../cluster/listed.ts'
import { observedOf, rowsThat, sumOf } from '../../cluster/lists.ts'
import type { ShardedQuery } from '../../cluster/sharded.ts'
import { readStatement } from '../../cluster/statement.ts'

const COUNTS = readStatement(import.meta, 'competitive-landscape')
const PAGE = readStatement(import.meta, 'competitive-landscape-page')

/** The row of competitive-landscape.sql, counted on shards. Each shard sends as many candidates as the page needs at most. */
export const competitiveLandscapeOnShards: ShardedQuery = async (shards, bindings, names) => {
  const [offset, limit] = [Number(bindings.offset), Number(bindings.limit)]
  const [counts, candidates] = await Promise.all([
    shards.counts(COUNTS, bindings),
    shards.rows(PAGE, { ...bindings, last_place: offset + limit }) as Promise<PageCandidate[]>,
  ])
  const page = sortCandidates(candidates).slice(offset, offset + limit)
  const listed = await listedPrices(
    shards,
    bindings,
    page.map(({ listing_id }) => listing_id),
  )
  const [kind, brand, retailer, value] = [...counts.keys.values()] as [Float64Array, ...Float64Array[]]
  const n = counts.values.get('n')!
  const [priced, named] = [0, 1].map((wanted) => rowsThat(counts, (row) => kind[row] === wanted)) as [
    number[],
    number[],
  ]
  const orNull = <T>(list: T[]): T[] | null => (counts.length === 0 ? null : list)
  return [
    {
      counts: {
        prices: orNull(priced.map((row) => value![row]!)),
        listings: orNull(priced.map((row) => n[row]!)),
        promoted: counts.length === 0 ? null : sumOf(priced.map((row) => counts.sums[row]![0]!)),
      },
      brand_ids: orNull(named.map((row) => brand![row]!)),
      retailer_ids: orNull(named.map((row) => retailer![row]!)),
      ...observedOf(counts, (row) => kind[row] === 1),
      products:
        listed.length === 0
          ? null
          : listed.map((row, i) => ({
              ...listedFields(row, i + 1, names),
              brand: names.brandsById.get(Number(row.brand_id))?.brand ?? null,
            })),
    },
  ]
}
