import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { categorySummary, priceDispersion } from '../support/oracle-current.ts'
import { priceIndex } from '../support/oracle-index.ts'
import { inflation } from '../support/oracle-inflation.ts'
import { priceSetting } from '../support/oracle-setting.ts'
import { availability } from '../support/oracle-stock.ts'
import { ages, scopes, windows } from '../support/world-queries.ts'
import { worldUnderTest } from '../support/world-under-test.ts'
import { brandKeyOf, worldSeeds } from '../support/worlds.ts'

/** A summary with its top brands by their keys, since a label may be any of the most frequent spellings. */
const byBrandKey = (answer: { top_brands: { brand: string }[] }): unknown => {
  const { top_brands, ...figures } = answer
  const brands = top_brands.map(({ brand, ...figures }) => [brandKeyOf(brand), figures])
  return { ...figures, brands: Object.fromEntries(brands) }
}

type Contribution = { contribution_pp: number }
const hundredthsOf = (parts: readonly Contribution[]): number =>
  parts.reduce((sum, { contribution_pp }) => sum + Math.round(100 * contribution_pp), 0)

describe.each(worldSeeds)('in the random world of seed %i', (seed) => {
  const { days, answerInScope, check } = worldUnderTest(seed)
  const runs = { seed, numRuns: 40 }

  test('inflation equals its definition', () =>
    fc.assert(
      fc.asyncProperty(scopes, windows, fc.boolean(), async (scope, window, regular) => {
        const answer = await answerInScope('analyst/inflation', scope, { ...window, regular })
        check({ ...scope, to: window.to }, answer, inflation(days, { ...scope, ...window, regular }))
        if (typeof answer === 'string' || answer.lfl_change_pct === null) return
        const whole = Math.round(100 * answer.lfl_change_pct)
        const { lfl_contributions, lfl_categories, lfl_brands, lfl_other_categories_pp, lfl_other_brands_pp } = answer
        expect(hundredthsOf(lfl_contributions)).toBe(whole)
        expect(hundredthsOf(lfl_categories) + Math.round(100 * lfl_other_categories_pp)).toBe(whole)
        expect(hundredthsOf(lfl_brands) + Math.round(100 * lfl_other_brands_pp)).toBe(whole)
      }),
      runs,
    ))

  test('price-dispersion equals its definition', () =>
    fc.assert(
      fc.asyncProperty(scopes, ages, async (scope, age) => {
        const answer = await answerInScope('analyst/price-dispersion', scope, { days: age })
        check(scope, answer, priceDispersion(days, { ...scope, days: age }))
      }),
      runs,
    ))

  test('category-summary equals its definition', () =>
    fc.assert(
      fc.asyncProperty(scopes, ages, async (scope, age) => {
        const answer = await answerInScope('analyst/category-summary', scope, { days: age })
        const figures = categorySummary(days, { ...scope, days: age })
        check(scope, typeof answer === 'string' ? answer : byBrandKey(answer), figures)
      }),
      runs,
    ))

  test('price-index equals its definition, and contributions add up to the change', () => {
    const methods = fc.constantFrom('geks_jevons' as const, 'tpd' as const)
    const by = fc.constantFrom('category', 'retailer', 'brand')
    return fc.assert(
      fc.asyncProperty(
        scopes,
        methods,
        fc.constantFrom(2, 4, 25),
        by,
        async (scope, method, months, contributions_by) => {
          const more = { method, months, contributions_by }
          const answer = await answerInScope('analyst/price-index', scope, more)
          const to = `${scope.as_of.slice(0, 7)}-01`
          check({ ...scope, to }, answer, priceIndex(days, { ...scope, method, months }))
          if (typeof answer === 'string' || answer.window_change_pct === null) return
          const others = { contribution_pp: answer.other_contribution_pp }
          expect(hundredthsOf([others, ...answer.contributions])).toBe(Math.round(100 * answer.window_change_pct))
        },
      ),
      { ...runs, endOnFailure: true },
    )
  })

  test('price-setting equals its definition', () =>
    fc.assert(
      fc.asyncProperty(scopes, fc.constantFrom(2, 4, 13), async (scope, months) => {
        const answer = await answerInScope('analyst/price-setting', scope, { months })
        const [year = 0, month = 0] = scope.as_of.split('-').map(Number)
        const from = new Date(Date.UTC(year, month - 1 - months)).toISOString().slice(0, 10)
        const to = `${scope.as_of.slice(0, 7)}-01`
        check({ ...scope, to }, answer, priceSetting(days, { ...scope, from, to }))
      }),
      { ...runs, endOnFailure: true },
    ))

  test('availability equals its definition', () =>
    fc.assert(
      fc.asyncProperty(scopes, windows, async (scope, { from, to }) => {
        const answer = await answerInScope('analyst/availability', scope, { from, to })
        check({ ...scope, to }, answer, availability(days, { ...scope, from, to }))
      }),
      { ...runs, endOnFailure: true },
    ))
})
