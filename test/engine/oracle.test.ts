import fc from 'fast-check'
import { describe, test } from 'vitest'
import { categorySummary, priceDispersion } from '../support/oracle-current.ts'
import { inflation } from '../support/oracle-inflation.ts'
import { ages, scopes, windows } from '../support/world-queries.ts'
import { worldUnderTest } from '../support/world-under-test.ts'
import { brandKeyOf, worldSeeds } from '../support/worlds.ts'

/** A summary with its top brands by their keys, since a label may be any of the most frequent spellings. */
const byBrandKey = (answer: { top_brands: { brand: string }[] }): unknown => {
  const { top_brands, ...figures } = answer
  const brands = top_brands.map(({ brand, ...figures }) => [brandKeyOf(brand), figures])
  return { ...figures, brands: Object.fromEntries(brands) }
}

describe.each(worldSeeds)('in the random world of seed %i', (seed) => {
  const { days, answerInScope, check } = worldUnderTest(seed)
  const runs = { seed, numRuns: 40 }

  test('inflation equals its definition', () =>
    fc.assert(
      fc.asyncProperty(scopes, windows, async (scope, window) => {
        const answer = await answerInScope('analyst/inflation', scope, window)
        check({ ...scope, to: window.to }, answer, inflation(days, { ...scope, ...window }))
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
})
