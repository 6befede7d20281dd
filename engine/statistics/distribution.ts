import { z } from 'zod'
import { field } from '../contract/field.ts'
import type { LogCounts } from './log-counts.ts'
import { CHANGE_BOUNDS, changeBucket } from './price-relative.ts'

/** Counts by the size of a change: the same buckets in every answer, those without any included. */
export const distributionField = (description: string) =>
  field.list(
    z.object({
      from_pct: field.change('Lower bound of the bucket; null for the lowest.').nullable(),
      to_pct: field.change('Upper bound of the bucket; null for the highest.').nullable(),
      count: field.count(
        'Listings in the bucket. A change on a bound counts in the bucket that is nearer to no change.',
      ),
    }),
    description,
  )

/** What the buckets are, for definitions. */
export const BUCKETS_OF_CHANGES = `buckets bounded by ${CHANGE_BOUNDS.join(', ')} %, a bound itself in the bucket nearer to 0`

/** Pairs by the bucket of their change. */
export const bucketCounts = ({ logs, counts }: LogCounts): number[] => {
  const buckets = Array<number>(CHANGE_BOUNDS.length + 1).fill(0)
  for (let i = 0; i < logs.length; i += 1) buckets[changeBucket(logs[i]!)]! += counts[i]!
  return buckets
}

/** How many changes are between two bounds in percent; null without a bound. */
export type ChangeBucket = { from_pct: number | null; to_pct: number | null; count: number }

/** Counts by bucket with the bounds of each, from the largest fall to the largest rise. */
export const distributionOf = (buckets: readonly number[]): ChangeBucket[] =>
  buckets.map((count, i) => ({
    from_pct: CHANGE_BOUNDS[i - 1] ?? null,
    to_pct: CHANGE_BOUNDS[i] ?? null,
    count,
  }))
