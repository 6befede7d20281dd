import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '../../engine/index.ts'
import { ask, type Given } from '../support/ask.ts'
import { givenEngine } from '../support/given.ts'
import { type ListingDay, listingDays } from '../support/oracle.ts'
import { isServing } from '../support/oracle-coverage.ts'
import { categorySummary, priceDispersion } from '../support/oracle-current.ts'
import { inflation } from '../support/oracle-inflation.ts'
import { ages, answerOr, given, type Scope, scopes, windows } from '../support/world-questions.ts'
import { brandKeyOf, worldOf } from '../support/worlds.ts'

const QUESTIONS = 60

/** A summary with its top brands by their keys, since a label may be any of the most frequent spellings. */
const byBrandKey = (answer: { top_brands: { brand: string }[] }): unknown => {
  const { top_brands, ...figures } = answer
  const brands = top_brands.map(({ brand, ...figures }) => [brandKeyOf(brand), figures])
  return { ...figures, brands: Object.fromEntries(brands) }
}

describe.each([1, 2, 3])('the world of seed %i', (seed) => {
  const rows = worldOf(seed)
  const days: ListingDay[] = listingDays(rows)
  const runs = { seed, numRuns: QUESTIONS }
  let engine: Engine

  beforeAll(async () => {
    engine = await givenEngine(rows)
  })

  const asked = (id: string, scope: Scope, more: Given) =>
    answerOr(ask(engine, id, { ...given(scope), ...more }, scope.as_of))

  /** What is refused for the retailer or for want of observations, and otherwise the figures. */
  const check = (scope: Scope, answer: unknown, figures: object | null) => {
    const { country, as_of, retailer: platform } = scope
    const isRefused =
      platform !== undefined && !isServing(days, { platform, country, department: scope.shelf[0]!, as_of })
    if (isRefused) expect(answer).toBe('RETAILER_NOT_SERVING_ELIGIBLE')
    else if (figures === null) expect(answer).toBe('NO_RESULTS')
    else expect(answer).toMatchObject(figures)
  }

  test('inflation is as defined', () =>
    fc.assert(
      fc.asyncProperty(scopes, windows, async (scope, window) => {
        const answer = await asked('analyst/inflation', scope, window)
        check(scope, answer, inflation(days, { ...scope, ...window }))
      }),
      runs,
    ))

  test('price-dispersion is as defined', () =>
    fc.assert(
      fc.asyncProperty(scopes, ages, async (scope, age) => {
        const answer = await asked('analyst/price-dispersion', scope, { days: age })
        check(scope, answer, priceDispersion(days, { ...scope, days: age }))
      }),
      runs,
    ))

  test('category-summary is as defined', () =>
    fc.assert(
      fc.asyncProperty(scopes, ages, async (scope, age) => {
        const answer = await asked('analyst/category-summary', scope, { days: age })
        const figures = categorySummary(days, { ...scope, days: age })
        check(scope, typeof answer === 'string' ? answer : byBrandKey(answer), figures)
      }),
      runs,
    ))
})
