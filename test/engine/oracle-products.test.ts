import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { joinAtRandom } from '../support/likely.ts'
import { numberedListings } from '../support/listings.ts'
import { listingKey, money, ratio } from '../support/oracle.ts'
import { currentPrices } from '../support/oracle-current.ts'
import { priceLeadership } from '../support/oracle-leads.ts'
import { assortment, basketCosts, retailerLevels } from '../support/oracle-products.ts'
import { type Products, retailerIndex } from '../support/oracle-tracker.ts'
import { ages, type Scope, scopes, windows } from '../support/world-queries.ts'
import { worldUnderTest } from '../support/world-under-test.ts'
import { retailers, WORLD_END, worldSeeds } from '../support/worlds.ts'

const paramsOf = ({ shelf, country }: Pick<Scope, 'shelf' | 'country'>) => ({ category: shelf.join(' > '), country })

describe.each(worldSeeds)('in the random world of seed %i', (seed) => {
  const { days, answerTo, check, engine } = worldUnderTest(seed, joinAtRandom)
  let products: Products
  let uidOf: (key: string) => string

  beforeAll(async () => {
    const listings = await numberedListings(engine())
    products = {
      certain: (key) => listings.get(key)!.entity_uid,
      likely: (key) => listings.get(key)!.likely_uid ?? listings.get(key)!.entity_uid,
    }
    uidOf = (key) => listings.get(key)!.product_uid
    expect([...listings.values()].filter(({ likely_uid }) => likely_uid !== null).length).toBeGreaterThan(20)
  })

  test('retailer-index equals its definition', () =>
    fc.assert(
      fc.asyncProperty(
        scopes,
        windows,
        fc.constantFrom(...retailers, 'alpha' as const),
        fc.constantFrom('category', 'department', null),
        async ({ shelf: wholeShelf, country, as_of }, window, retailer, scoped) => {
          const shelf = scoped === null ? [] : scoped === 'department' ? wholeShelf.slice(0, 1) : wholeShelf
          const scope = scoped === null ? {} : { [scoped]: shelf.join(' > ') }
          const params = { retailer, country, ...scope, ...window }
          const answer = await answerTo('analyst/retailer-index', params, as_of)
          const where = { shelf, country, retailer, as_of }
          check({ ...where, to: window.to }, answer, retailerIndex(days, { ...where, ...window }, products))
        },
      ),
      { seed, numRuns: 40 },
    ))

  const everyRetailer = scopes.map((scope) => ({ ...scope, retailer: undefined }))

  test('retailer-levels equals its definition', () =>
    fc.assert(
      fc.asyncProperty(everyRetailer, ages, async (scope, age) => {
        const answer = await answerTo('analyst/retailer-levels', { ...paramsOf(scope), days: age }, scope.as_of)
        const found = retailerLevels(days, { ...scope, days: age }, products)
        if (found?.isTied) return
        check(scope, answer, found?.figures ?? null)
      }),
      { seed, numRuns: 15 },
    ))

  test('assortment equals its definition', () =>
    fc.assert(
      fc.asyncProperty(everyRetailer, ages, async (scope, age) => {
        const answer = await answerTo('marketing/assortment', { ...paramsOf(scope), days: age }, scope.as_of)
        check(scope, answer, assortment(days, { ...scope, days: age }, products))
      }),
      { seed, numRuns: 15 },
    ))

  test('price-leadership equals its definition', () =>
    fc.assert(
      fc.asyncProperty(scopes, windows, async (scope, { from, to }) => {
        const params = { ...paramsOf(scope), retailer: scope.retailer, from, to }
        const answer = await answerTo('analyst/price-leadership', params, scope.as_of)
        check({ ...scope, to }, answer, priceLeadership(days, { ...scope, from, to }, products.certain, uidOf))
      }),
      { seed, numRuns: 25 },
    ))

  test('basket equals every choice of shops gone through', async () => {
    const listings = await numberedListings(engine())
    const ofUs = days.filter(({ listing }) => listing.country === 'us').map(({ listing }) => listingKey(listing))
    const pick = fc.record({ key: fc.constantFrom(...new Set(ofUs)), quantity: fc.integer({ min: 1, max: 9 }) })
    return fc.assert(
      fc.asyncProperty(fc.array(pick, { minLength: 1, maxLength: 6 }), ages, async (picked, age) => {
        const as_of = WORLD_END
        const items = picked.map(({ key, quantity }) => `${listings.get(key)!.product_uid}:${quantity}`).join()
        const answer = await answerTo('shopper/basket', { items, days: age }, as_of)
        const current = currentPrices(days, { shelf: [], days: age, as_of })
        const offersOf = (key: string) => {
          const { entity_uid, product_uid, condition } = listings.get(key)!
          return current.filter(({ listing }) => {
            const other = listings.get(listingKey(listing))!
            if (listing.country !== 'us' || other.condition !== condition) return false
            return other.product_uid === product_uid || (entity_uid !== null && other.entity_uid === entity_uid)
          })
        }
        const priced = picked.map(({ key, quantity }) => ({ quantity, rows: offersOf(key) }))
        if (priced.every(({ rows }) => rows.length === 0)) {
          expect(answer).toBe('NO_RESULTS')
          return
        }
        const { split, one, two } = basketCosts(
          priced.map(({ quantity, rows }) => ({
            quantity,
            offers: rows
              .filter(({ in_stock }) => in_stock !== false)
              .map(({ listing, price }) => ({ retailer: listing.platform, price })),
          })),
        )
        const texts = (missing: number[]) => missing.map((i) => listings.get(picked[i]!.key)!.product_uid)
        expect(answer).toMatchObject({
          split_cost: one.length === 0 ? null : money(split.cost),
          unavailable: texts(split.missing),
          one_stop: one.map(({ shop, cost, missing, cheapest }) => ({
            retailer: shop,
            cost: money(cost),
            missing: texts(missing),
            same_items_cheapest: money(cheapest),
            cost_index: ratio(cost / cheapest),
          })),
          best_two: two && { cost: money(two.cost), missing: texts(two.missing) },
        })
      }),
      { seed, numRuns: 30 },
    )
  })
})
