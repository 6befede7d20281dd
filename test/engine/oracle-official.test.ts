import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '../../engine/index.ts'
import { ask } from '../support/ask.ts'
import { ensureLake, openEngine } from '../support/given.ts'
import { addDays, type ListingDay, listingDays } from '../support/oracle.ts'
import { priceIndex } from '../support/oracle-index.ts'
import { monthAfter, type OfficialFigure, officialComparison } from '../support/oracle-official.ts'
import { officialOf } from '../support/reference.ts'
import { feedRow, listing, type Observation, observed } from '../support/rows.ts'
import { answerOr } from '../support/world-queries.ts'

const FIRST = '2025-01'
const MONTHS = 24
const CATEGORY = 'Grocery > Coffee'

/** Listings that are priced in most of twenty-four months, with a spike here and there. */
const listings: fc.Arbitrary<Observation[]> = fc
  .array(
    fc.record({
      base: fc.integer({ min: 200, max: 2000 }),
      months: fc.array(fc.option(fc.integer({ min: 90, max: 112 }), { freq: 5 }), {
        minLength: MONTHS,
        maxLength: MONTHS,
      }),
      spike: fc.option(fc.nat(MONTHS - 1), { freq: 4 }),
    }),
    { minLength: 26, maxLength: 34 },
  )
  .map((all) =>
    all.flatMap(({ base, months, spike }, i) =>
      observed(
        listing(String(i)),
        Object.fromEntries(
          months.flatMap((percent, t) => {
            if (percent === null) return []
            const price = Math.round(((base * percent) / 100) * 1.004 ** t)
            return [
              [`${monthAfter(FIRST, t)}-${String(3 + (i % 20)).padStart(2, '0')}`, t === spike ? price * 9 : price],
            ]
          }),
        ),
      ),
    ),
  )

/** Figures of most months, released within a month and a half, and some of them revised once or twice. */
const official: fc.Arbitrary<OfficialFigure[]> = fc
  .array(
    fc.record({
      values: fc.array(fc.integer({ min: 4500, max: 5500 }), { maxLength: 3 }),
      days: fc.integer({ min: 1, max: 45 }),
    }),
    { minLength: MONTHS + 6, maxLength: MONTHS + 6 },
  )
  .map((months) =>
    months.flatMap(({ values, days }, t) =>
      values.map((value, vintage) => ({
        period: monthAfter(FIRST, t - 3),
        value: value / 1000,
        released_on: addDays(`${monthAfter(FIRST, t - 2)}-01`, days + 40 * vintage),
      })),
    ),
  )

const moments = ['2027-03-01T00:00:00Z', '2027-01-14T23:59:59Z', '2026-10-10T00:00:00Z', '2026-05-20T15:00:00Z']

describe.each([1, 2])('in a random lake of two years, seed %i', (seed) => {
  const [rows, figures] = fc.sample(fc.tuple(listings, official), { seed, numRuns: 1 })[0]!
  let days: ListingDay[]
  let engine: Engine

  beforeAll(async () => {
    const lines = figures.map(
      ({ period, value, released_on }) => `sample,coffee,us,${period},${value},${released_on},,`,
    )
    const files = { 'official_series/figures.csv': officialOf(...lines) }
    const { lake } = await ensureLake({ observations: rows.map(feedRow), files })
    engine = await openEngine(lake)
    days = listingDays(rows)
  })

  const scopeAt = (as_of: string) => ({ shelf: ['Grocery', 'Coffee'], country: 'us' as const, as_of })

  test.each(moments.flatMap((as_of) => [25, 14, 4].map((months) => [as_of, months] as const)))(
    'official-comparison as of %s over %i months equals its definition',
    async (as_of, months) => {
      const params = { category: CATEGORY, series: 'sample:coffee', months }
      const answer = await answerOr(ask(engine, 'analyst/official-comparison', params, as_of))
      expect(answer).toMatchObject(officialComparison(days, figures, { ...scopeAt(as_of), months })!)
    },
  )

  test.each(['geks_jevons', 'tpd'] as const)('revisions of the index by %s equal their definition', async (method) => {
    const as_of = '2027-01-14T00:00:00Z'
    const answer = await ask(engine, 'analyst/price-index', { category: CATEGORY, method, months: 20 }, as_of)
    expect(answer.revisions.rmse_pp).toBeGreaterThan(0)
    expect(answer).toMatchObject(priceIndex(days, { ...scopeAt(as_of), method, months: 20 })!)
  })
})
