import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decompose } from '../../../engine/statistics/decomposition.ts'
import { LOG_UNIT } from '../../../engine/statistics/price-relative.ts'
import { chained, linksOf, type PeriodSums } from '../../../engine/statistics/series.ts'

type Pair = { base: number; price: number }

/** A period of listings that the period before has, too, all within the fence. */
const sumsOf = (prices: readonly number[], pairs: readonly Pair[], date = '2026-10-01'): PeriodSums => ({
  period: Date.parse(date) / 86_400_000,
  date,
  product_count: prices.length,
  observation_count: prices.length,
  price_sum: prices.reduce((sum, price) => sum + price, 0),
  min_price: Math.min(...prices),
  max_price: Math.max(...prices),
  median_price: 0,
  in_stock_count: 0,
  stock_known_count: 0,
  promo_count: 0,
  pair_count: pairs.length,
  matched_basket_size: pairs.length,
  log_sum: pairs.reduce((sum, { base, price }) => sum + BigInt(Math.round(LOG_UNIT * Math.log(price / base))), 0n),
  stable_count: 0,
  stable_sum: 0,
})

/** The sums of two parts of the listings of a period. */
const added = (a: PeriodSums, b: PeriodSums): PeriodSums => ({
  ...a,
  product_count: a.product_count + b.product_count,
  price_sum: a.price_sum + b.price_sum,
  pair_count: a.pair_count + b.pair_count,
  matched_basket_size: a.matched_basket_size + b.matched_basket_size,
  log_sum: a.log_sum + b.log_sum,
})

const price = fc.integer({ min: 100, max: 300 })
const pair = fc.record({ base: price, price })
const first = (pairs: readonly Pair[]) =>
  sumsOf(
    pairs.map(({ base }) => base),
    [],
    '2026-09-01',
  )
const second = (pairs: readonly Pair[]) =>
  sumsOf(
    pairs.map(({ price }) => price),
    pairs,
  )
const linksBetween = (...periods: PeriodSums[]) => linksOf(periods)

test('the added sums of two parts give the links of the whole', () => {
  fc.assert(
    fc.property(fc.array(pair, { minLength: 2, maxLength: 40 }), fc.nat(), (pairs, index) => {
      const cut = 1 + (index % (pairs.length - 1))
      const [one, other] = [pairs.slice(0, cut), pairs.slice(cut)]
      const whole = linksBetween(first(pairs), second(pairs))
      expect(linksBetween(added(first(one), first(other)), added(second(one), second(other)))).toEqual(whole)
      expect(whole[1]?.method).toBe(pairs.length < 10 ? 'naive' : 'matched')
    }),
  )
})

test('a link is a geometric mean from ten pairs on, otherwise the change of averages', () => {
  const pairs = Array.from({ length: 10 }, (_, i) => ({ base: 1000, price: i < 5 ? 1000 : 1210 }))
  const { change, method } = linksBetween(first(pairs), second(pairs))[1]!
  expect({ change: change?.toFixed(9), method }).toEqual({ change: '10.000000000', method: 'matched' })
  const few = linksBetween(first(pairs.slice(1)), second(pairs.slice(1)))[1]!
  expect({ change: few.change?.toFixed(6), method: few.method }).toEqual({ change: '11.666667', method: 'naive' })
})

test('a period without a pair within the fence breaks the chain', () => {
  const pairs = [{ base: 100, price: 1000 }]
  const fenced = { ...second(pairs), matched_basket_size: 0, log_sum: 0n }
  const links = linksBetween(first(pairs), fenced)
  expect(links[1]).toEqual({ change: null, method: null })
  expect(chained(links)).toEqual({ overall_change_pct: null, method: 'naive' })
  expect(chained([null])).toEqual({ overall_change_pct: null, method: 'naive' })
})

test('the parts of a change of averages add up to it', () => {
  const prices = fc.array(price, { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(fc.array(pair, { minLength: 1, maxLength: 20 }), prices, prices, (matched, leaving, entered) => {
      const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
      const [bases, lasts] = [matched.map(({ base }) => base), matched.map(({ price }) => price)]
      const parts = decompose({
        base_count: matched.length + leaving.length,
        base_sum: total(bases) + total(leaving),
        price_count: matched.length + entered.length,
        price_sum: total(lasts) + total(entered),
        matched_count: matched.length,
        matched_base_sum: total(bases),
        matched_price_sum: total(lasts),
      })
      expect(Math.abs(parts.matched! + parts.entry! + parts.exit! - parts.naive_change_pct)).toBeLessThan(0.021)
    }),
  )
})
