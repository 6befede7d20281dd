import fc from 'fast-check'
import { expect, test } from 'vitest'
import { likeForLike, namedContributions } from '../../../engine/statistics/like-for-like.ts'

const groups = fc.array(
  fc.record({
    name: fc.constantFrom('a', 'b', 'c', 'd', 'e', null),
    logs: fc.array(fc.constantFrom(-2e11, -1e10, 0, 3e9, 5e10), { minLength: 1, maxLength: 6 }),
  }),
  { minLength: 10, maxLength: 30 },
)

test('the parts that are listed and all others add up to the change, and whatever is listed is larger', () =>
  fc.assert(
    fc.property(groups, fc.integer({ min: 1, max: 7 }), (drawn, limit) => {
      const counted = drawn.map(({ name, logs }) => ({ name, logs, counts: logs.map(() => 1) }))
      const matched = counted.map((group) => ({ ...group, retailer_id: 0, is_cleared: false }))
      const sizes = ['2026-10-01', '2026-11-01'].map((date) => ({ date, product_count: 100, partial: false }))
      const { lfl_change_pct } = likeForLike(matched, 0, sizes)
      const nameOf = ({ name }: (typeof counted)[number]) => name
      const { listed, other_pp } = namedContributions(counted, nameOf, limit)
      const hundredths = (points: number) => Math.round(100 * points)
      const total = listed.reduce(
        (sum, { contribution_pp }) => sum + hundredths(contribution_pp),
        hundredths(other_pp!),
      )
      expect(total).toBe(hundredths(lfl_change_pct!))
      const all = namedContributions(counted, nameOf, 7).listed
      expect(listed).toHaveLength(Math.min(limit, all.length))
      const left = all.filter(({ of }) => listed.every((part) => part.of !== of))
      const smallest = Math.min(...listed.map(({ contribution_pp }) => Math.abs(contribution_pp)))
      // Rounding moves a part by a hundredth at most.
      for (const { contribution_pp } of left) expect(Math.abs(contribution_pp)).toBeLessThanOrEqual(smallest + 0.021)
    }),
    { numRuns: 300 },
  ))
