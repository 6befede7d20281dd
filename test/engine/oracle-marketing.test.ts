import fc from 'fast-check'
import { describe, test } from 'vitest'
import { promotionReality } from '../support/oracle-claims.ts'
import { labelsOf } from '../support/oracle-labels.ts'
import { promoCalendar, promoIntelligence } from '../support/oracle-promo.ts'
import {
  brandBreakdown,
  competitiveLandscape,
  pricePositioning,
  type Sort,
  shareOfShelf,
} from '../support/oracle-shelf.ts'
import { brandTracker } from '../support/oracle-tracker.ts'
import { ages, scopes, windows } from '../support/world-queries.ts'
import { worldUnderTest } from '../support/world-under-test.ts'
import { brandSpellings, worldSeeds } from '../support/worlds.ts'

const brands = fc.constantFrom(...brandSpellings)
/** A key that no listing carries: a placeholder is no brand. */
const NONE = '(none)'

const pages = fc.record({
  sort: fc.constantFrom<Sort[]>('price', '-price', 'discount', 'reviews'),
  limit: fc.constantFrom(1, 7, 50, 200),
  offset: fc.constantFrom(0, 0, 3, 40),
})

describe.each(worldSeeds)('in the random world of seed %i', (seed) => {
  const { days, answerInScope, answerTo, check } = worldUnderTest(seed)
  const runs = { seed, numRuns: 25 }
  const labels = labelsOf(days)
  const labelled = <T extends { key: string }>({ key, ...figures }: T, name: string) => ({
    ...figures,
    [name]: name === 'brand' ? labels.get(key) : key,
  })

  test('share-of-shelf equals its definition', () =>
    fc.assert(
      fc.asyncProperty(scopes, ages, async (scope, age) => {
        const answer = await answerInScope('marketing/share-of-shelf', scope, { days: age })
        check(scope, answer, shareOfShelf(days, { ...scope, days: age }))
      }),
      runs,
    ))

  test('brand-tracker equals its definition', () =>
    fc.assert(
      fc.asyncProperty(scopes, windows, brands, async ({ country, retailer, as_of }, window, { key, spelling }) => {
        const where = { country, retailer, as_of }
        const answer = await answerTo(
          'marketing/brand-tracker',
          { country, retailer, brand: spelling, ...window },
          as_of,
        )
        const figures = brandTracker(days, { ...where, ...window, brand: key ?? NONE })
        check({ ...where, to: window.to }, answer, figures && { brand: labels.get(key!), ...figures })
      }),
      runs,
    ))

  test('promotion-reality equals its definition', () => {
    const dimensions = fc.constantFrom('brand' as const, 'retailer' as const)
    return fc.assert(
      fc.asyncProperty(scopes, windows, dimensions, async (scope, { from, to }, aggregate_by) => {
        const answer = await answerInScope('marketing/promotion-reality', scope, { from, to, aggregate_by })
        const figures = promotionReality(days, { ...scope, from, to, aggregate_by })
        check(
          { ...scope, to },
          answer,
          figures && {
            meta: figures.meta,
            ...figures.all,
            [`${aggregate_by}s`]: figures.ranked.map((row) => labelled(row, aggregate_by)),
          },
        )
      }),
      runs,
    )
  })

  test('promo-calendar equals its definition', () =>
    fc.assert(
      fc.asyncProperty(scopes, fc.constantFrom(1, 3), async (scope, years) => {
        const answer = await answerInScope('marketing/promo-calendar', scope, { years })
        const to = `${scope.as_of.slice(0, 7)}-01`
        check({ ...scope, to }, answer, promoCalendar(days, { ...scope, years }))
      }),
      { ...runs, endOnFailure: true },
    ))

  test('promo-intelligence equals its definition', () => {
    const filters = fc.option(brands, { freq: 2, nil: undefined })
    const dimensions = fc.constantFrom('brand' as const, 'retailer' as const)
    return fc.assert(
      fc.asyncProperty(scopes, windows, filters, dimensions, async (scope, { from, to }, brand, aggregate_by) => {
        const params = { from, to, brand: brand?.spelling, aggregate_by }
        const answer = await answerInScope('marketing/promo-intelligence', scope, params)
        const filter = brand ? { brand: brand.key ?? NONE } : {}
        const figures = promoIntelligence(days, { ...scope, from, to, aggregate_by, ...filter })
        const label = brand ? (labels.get(brand.key ?? NONE) ?? null) : null
        check(
          { ...scope, to },
          answer,
          figures && {
            meta: figures.meta,
            brand: label,
            [`${aggregate_by}s`]: figures.ranked.map((row) => ({
              brand: label,
              retailer: scope.retailer ?? null,
              ...labelled(row, aggregate_by),
            })),
          },
        )
      }),
      runs,
    )
  })

  test('brand-breakdown equals its definition', () =>
    fc.assert(
      fc.asyncProperty(scopes, ages, brands, async ({ country, as_of }, age, { key, spelling }) => {
        const answer = await answerTo('marketing/brand-breakdown', { country, brand: spelling, days: age }, as_of)
        const isListed = key !== null && labels.has(key)
        check(
          { country, as_of, retailer: undefined },
          answer,
          isListed ? brandBreakdown(days, { country, as_of, days: age, brand: key }) : null,
        )
      }),
      runs,
    ))

  test('competitive-landscape equals its definition', () =>
    fc.assert(
      fc.asyncProperty(scopes, ages, pages, async (scope, age, page) => {
        const answer = await answerInScope('marketing/competitive-landscape', scope, { days: age, ...page })
        check(scope, answer, competitiveLandscape(days, { ...scope, days: age, ...page }))
      }),
      runs,
    ))

  test('price-positioning equals its definition', () =>
    fc.assert(
      fc.asyncProperty(scopes, ages, brands, fc.boolean(), async (scope, age, { key, spelling }, inCategory) => {
        const { country, retailer, as_of } = scope
        const params = { country, retailer, brand: spelling, days: age }
        const shelf = inCategory ? scope.shelf : []
        const category = inCategory ? { category: scope.shelf.join(' > ') } : {}
        const answer = await answerTo('marketing/price-positioning', { ...params, ...category }, as_of)
        const figures = pricePositioning(days, { ...scope, shelf, days: age, brand: key ?? NONE })
        check({ ...scope, shelf }, answer, figures)
      }),
      runs,
    ))
})
