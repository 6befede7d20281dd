import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Member } from '../../../engine/catalog/product-scope.ts'
import { toMoney } from '../../../engine/contract/round.ts'
import { type ProductDay, postedPrices } from '../../../engine/queries/posted-prices.ts'
import { extremesOf } from '../../../engine/queries/product-now.ts'
import { offersOf } from '../../../engine/queries/product-offers.ts'
import { productPeriods } from '../../../engine/queries/product-periods.ts'
import { addDays } from '../../support/oracle.ts'

const FIRST = '2026-01-01'
const DAYS = 120
const STANDS = 35
/** From the day on which every listing has been posted for long, to the day after the last one. */
const window = { from: addDays(FIRST, 40), to: addDays(FIRST, DAYS), before: addDays(FIRST, DAYS) }

const members: Member[] = ['alpha', 'beta', 'gamma'].map((platform, listing_id) => ({
  listing_id,
  product_uid: `p_${platform}`,
  product_name: 'Lamp',
  platform,
  condition: 'new',
  first_day: null,
  size_milli: null,
  size_unit: null,
  pack_count: null,
  match_type: 'entity',
  match_confidence: 1,
}))

/** What a shop shows on a day. */
type Shown = Pick<ProductDay, 'price' | 'list_price' | 'promo_flag' | 'in_stock'>
/** A listing as its shop shows it, by day, and the days on which somebody looked. */
type Posted = { shown: readonly Shown[]; seen: readonly number[] }

const rowsOf = (posted: readonly Posted[]): ProductDay[] =>
  posted
    .flatMap(({ shown, seen }, listing_id) =>
      seen.map((day) => ({
        ...shown[day]!,
        listing_id,
        day: addDays(FIRST, day),
        is_promoted: shown[day]!.promo_flag === true,
        observed_second: Date.parse(addDays(FIRST, day)) / 1000 + 43_200,
      })),
    )
    .sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : a.listing_id - b.listing_id))

/** All that is said of prices, without the counts of observations. */
const series = (posted: readonly Posted[], unit: 'day' | 'week' | 'month') => {
  const prices = postedPrices(rowsOf(posted), window)
  return {
    periods: productPeriods(prices, unit, members).map(({ observation_count, ...period }) => period),
    offers: offersOf(prices.window, window.to, members, toMoney(100)),
    extremes: extremesOf(prices.counting, members, toMoney(100)),
  }
}

const shown = fc.record({
  price: fc.integer({ min: 1, max: 5 }).map((price) => 100 * price),
  list_price: fc.constantFrom(null, null, 900),
  promo_flag: fc.constantFrom(null, false, true),
  in_stock: fc.constantFrom(null, true, true, false),
})

/** What is shown on each day: it changes now and then. */
const shownByDay = fc
  .array(fc.tuple(shown, fc.integer({ min: 1, max: 60 })), { minLength: 1, maxLength: 12 })
  .map((parts) => {
    const days = parts.flatMap(([part, length]) => Array.from({ length }, () => part))
    return Array.from({ length: DAYS }, (_, day) => days[day % days.length]!)
  })

const changeDays = (days: readonly Shown[]): number[] =>
  days.flatMap((day, i) => (i === 0 || JSON.stringify(days[i - 1]) !== JSON.stringify(day) ? [i] : []))

/** The days of a wish, and as many more that each change is seen and no price ends for not being seen. */
const scheduleOf = (days: readonly Shown[], wished: readonly number[]): number[] => {
  const seen = new Set([...changeDays(days), ...wished])
  for (let day = 0, last = 0; day < DAYS; day++) {
    if (day - last === STANDS) seen.add(day)
    if (seen.has(day)) last = day
  }
  return [...seen].sort((a, b) => a - b)
}

const wishes = fc.array(fc.nat(DAYS - 1), { maxLength: 60 })
const units = fc.constantFrom('day' as const, 'week' as const, 'month' as const)
const listings = fc.array(fc.tuple(shownByDay, wishes, wishes), { minLength: 1, maxLength: 3 })

describe('prices that stand', () => {
  test('are the same whatever the days on which they were observed', () =>
    fc.assert(
      fc.property(listings, units, (all, unit) => {
        const posted = (of: 1 | 2) =>
          all.map((listing) => ({ shown: listing[0], seen: scheduleOf(listing[0], listing[of]) }))
        expect(series(posted(1), unit)).toEqual(series(posted(2), unit))
      }),
    ))

  test('are the same without some observations that repeat the one before', () =>
    fc.assert(
      fc.property(listings, units, (all, unit) => {
        const daily = all.map(([shown]) => ({ shown, seen: shown.map((_, day) => day) }))
        const thinned = all.map(([shown, wished]) => ({ shown, seen: scheduleOf(shown, wished) }))
        expect(series(thinned, unit)).toEqual(series(daily, unit))
        const counted = ({ seen }: Posted) => seen.filter((day) => addDays(FIRST, day) >= window.from).length
        const prices = postedPrices(rowsOf(thinned), window)
        expect(prices.observed).toHaveLength(thinned.reduce((sum, posted) => sum + counted(posted), 0))
      }),
    ))

  test('of three constant listings are three constant lines, seen on whatever days', () =>
    fc.assert(
      fc.property(fc.tuple(wishes, wishes, wishes), units, (wished, unit) => {
        const posted = wished.map((days, i) => {
          const constant = { price: 1000 * (i + 1), list_price: null, promo_flag: null, in_stock: true }
          const shown = Array.from({ length: DAYS }, () => constant)
          return { shown, seen: scheduleOf(shown, days) }
        })
        const { periods, offers } = series(posted, unit)
        for (const { prices, retailer_count } of periods) {
          expect(prices).toEqual({ average: 2000, min: 1000, max: 3000, median: 2000 })
          expect(retailer_count).toBe(3)
        }
        expect(offers.map(({ changes }) => changes.map(({ date, price }) => [date, price]))).toEqual([
          [[window.from, 10]],
          [[window.from, 20]],
          [[window.from, 30]],
        ])
      }),
    ))

  test('lie between the lowest and the highest that was seen', () =>
    fc.assert(
      fc.property(listings, units, (all, unit) => {
        const { periods, extremes } = series(
          all.map(([shown, wished]) => ({ shown, seen: scheduleOf(shown, wished) })),
          unit,
        )
        for (const { prices } of periods) {
          if (!prices) continue
          expect(prices.min / 100).toBeGreaterThanOrEqual(extremes.lowest_seen)
          expect(prices.max / 100).toBeLessThanOrEqual(extremes.highest_seen)
        }
      }),
    ))

  // Seen on day 50, and on day 100, which is more than 35 days later.
  test('end 35 days after the last observation', () => {
    const constant = { price: 500, list_price: null, promo_flag: null, in_stock: true }
    const shown = Array.from({ length: DAYS }, () => constant)
    const { offers, periods } = series([{ shown, seen: [50, 100] }], 'day')
    expect(offers[0]?.changes).toMatchObject([
      { date: addDays(FIRST, 50), price: 5 },
      { date: addDays(FIRST, 85), price: null },
      { date: addDays(FIRST, 100), price: 5 },
    ])
    expect(periods).toHaveLength(35 + 20)
  })
})
