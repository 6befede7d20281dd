import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Engine, queries, queryId } from '../../engine/index.ts'
import { ask, type Given } from '../support/ask.ts'
import { sized } from '../support/full-size.ts'
import { givenEngine } from '../support/given.ts'
import { inScope, listingDays } from '../support/oracle.ts'
import { currentPrices } from '../support/oracle-current.ts'
import { postsOf } from '../support/posts.ts'
import type { Observation } from '../support/rows.ts'
import { ages, answerOr, given, paramsFor, scopes, windows } from '../support/world-queries.ts'
import { brandKeyOf, otherSpelling, WORLD_END, worldOf } from '../support/worlds.ts'

const SEED = 5
const rows = worldOf(SEED)
const posts = postsOf(SEED)
const as_of = new Date(WORLD_END)
const runs = { seed: SEED, numRuns: sized(3, 20) }

const window = { from: '2026-08-05', to: '2026-11-10', granularity: 'weekly' }
const cases: (readonly [string, Given])[] = [
  ...queries.map((query) => [queryId(query), paramsFor(query)] as const),
  ['analyst/inflation', { department: 'Grocery', ...window }],
  ['analyst/inflation', { department: 'Grocery', retailer: 'alpha', ...window, granularity: 'daily' }],
  ['marketing/brand-tracker', { brand: 'Acme', ...window }],
  [
    'marketing/promo-intelligence',
    { category: 'Grocery', ...window, granularity: undefined, aggregate_by: 'retailer' },
  ],
  ['marketing/competitive-landscape', { category: 'Grocery', sort: 'discount', limit: 200 }],
  ['analyst/retailer-index', { retailer: 'alpha', department: 'Grocery', ...window }],
  ['analyst/price-dispersion', { department: 'Grocery', retailer: 'alpha' }],
  ['analyst/category-summary', { department: 'Grocery', days: 20 }],
]
/** Every answer, or the refusal of a shopper whose words find a product without a price. */
const answersOf = (engine: Engine): Promise<Record<string, unknown>[]> =>
  Promise.all(
    cases.map(async ([id, given]) => {
      const answer = await (id.startsWith('shopper/') ? answerOr(ask(engine, id, given)) : ask(engine, id, given))
      return typeof answer === 'string' ? { refused: answer } : answer
    }),
  )

const shuffled = (list: readonly Observation[]): Observation[] =>
  fc.sample(fc.shuffledSubarray([...list], { minLength: list.length }), { seed: SEED, numRuns: 1 })[0]!

/** An answer without what it says of the lake rather than of the query. */
const figuresOf = ({ meta, resolved, last_updated, snapshot, next_since, ...figures }: Record<string, unknown>) =>
  figures

let engine: Engine
beforeAll(async () => {
  engine = await givenEngine(rows, { as_of, threads: 2 }, posts)
})

describe('the same observations give the same answers, byte for byte,', () => {
  // All but the moment of publication.
  const bytes = async (engine: Engine) =>
    (await answersOf(engine)).map((answer) =>
      JSON.stringify(answer, (key, value) => (['last_updated', 'published_at'].includes(key) ? undefined : value)),
    )

  test('when queried again', async () => {
    expect(await bytes(engine)).toEqual(await bytes(engine))
  })

  const variants = [
    ['with the rows of the feed shuffled, on one thread', shuffled(rows), 1],
    ['on one thread', rows, 1],
    ['with the rows of the feed reversed', rows.toReversed(), 2],
  ] as const
  test.each(sized(variants.slice(0, 1), [...variants]))('%s', async (_, others, threads) => {
    const other = await givenEngine(others, { as_of, threads }, posts.toReversed())
    expect(other.manifest.snapshot_id).toBe(engine.manifest.snapshot_id)
    expect(await bytes(other)).toEqual(await bytes(engine))
  })
})

test('the spelling of brands changes nothing but labels', async () => {
  const respelt = rows.map((row) => ({ ...row, listing: { ...row.listing, spelling: otherSpelling(row.listing) } }))
  const other = await givenEngine(respelt, { as_of }, posts)
  // Another snapshot, which an index names where it was first published.
  const unlabelled = (answer: Record<string, unknown>) =>
    JSON.stringify(figuresOf(answer), (key, value) => {
      if (key === 'first_published') return value !== null
      return key === 'brand' && value ? brandKeyOf(value) : value
    })
  expect((await answersOf(other)).map(unlabelled)).toEqual((await answersOf(engine)).map(unlabelled))
})

test('the answer for a window is the same in a lake that contains only that window', async () => {
  const { from, to } = window
  const within = rows.filter(({ observed_at }) => observed_at >= from && observed_at < to)
  const other = await givenEngine(within, { as_of })
  for (const granularity of ['daily', 'weekly', 'monthly'])
    for (const category of ['Grocery', 'Grocery > Coffee', 'Garden > Hoses']) {
      const params = { ...window, granularity, category }
      const [small, large] = await Promise.all([other, engine].map((each) => ask(each, 'analyst/inflation', params)))
      expect(figuresOf(small)).toEqual(figuresOf(large))
    }
})

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

test('every current listing is counted once, in the histogram or under one exclusion', () =>
  fc.assert(
    fc.asyncProperty(scopes, ages, async (scope, days) => {
      const answer = await answerOr(ask(engine, 'analyst/price-dispersion', { ...given(scope), days }, scope.as_of))
      if (typeof answer === 'string') return
      const { product_count, price_histogram, excluded, outliers_excluded } = answer
      expect(sum(price_histogram.map(({ count }: { count: number }) => count))).toBe(product_count)
      const current = currentPrices(listingDays(rows), { ...scope, days })
      const left_out = sum(Object.values(excluded))
      expect(product_count + left_out).toBe(current.filter(({ listing }) => inScope(listing, scope)).length)
      expect(outliers_excluded).toBe(excluded.price_outliers)
    }),
    runs,
  ))

test('a retailer filter does not change the representative floor', () =>
  fc.assert(
    fc.asyncProperty(scopes, async (scope) => {
      const floorOf = async (retailer: string | undefined) => {
        const params = { ...given(scope), retailer }
        const [floor, other] = await Promise.all(
          ['analyst/category-summary', 'analyst/price-dispersion'].map(async (id) => {
            const answer = await answerOr(ask(engine, id, params, scope.as_of))
            return typeof answer === 'string' ? null : answer.representative_floor
          }),
        )
        expect(other).toBe(floor)
        return floor
      }
      const [ofRetailer, all] = [await floorOf(scope.retailer), await floorOf(undefined)]
      if (ofRetailer !== null) expect(ofRetailer).toBe(all)
    }),
    runs,
  ))

test('the like-for-like counts and the parts of the naive change add up', () =>
  fc.assert(
    fc.asyncProperty(scopes, windows, async (scope, window) => {
      const answer = await answerOr(ask(engine, 'analyst/inflation', { ...given(scope), ...window }, scope.as_of))
      if (typeof answer === 'string') return
      expect(answer.lfl_rising + answer.lfl_stable + answer.lfl_falling).toBe(answer.lfl_matched)
      const { decomposition, naive_overall_change_pct } = answer
      if (decomposition === null || decomposition.matched === null) return
      const { matched, entry, exit, naive_change_pct } = decomposition
      expect(naive_change_pct).toBe(naive_overall_change_pct)
      // Each of four figures is rounded to the nearest hundredth.
      expect(Math.abs(matched + entry + exit - naive_change_pct)).toBeLessThan(0.0201)
    }),
    runs,
  ))
