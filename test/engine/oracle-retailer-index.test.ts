import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { joinAtRandom } from '../support/likely.ts'
import { numberedListings } from '../support/listings.ts'
import { type Products, retailerIndex } from '../support/oracle-tracker.ts'
import { scopes, windows } from '../support/world-queries.ts'
import { worldUnderTest } from '../support/world-under-test.ts'
import { retailers, worldSeeds } from '../support/worlds.ts'

describe.each(worldSeeds)('in the random world of seed %i', (seed) => {
  const { days, answerTo, check, engine } = worldUnderTest(seed, joinAtRandom)
  let products: Products

  beforeAll(async () => {
    const listings = await numberedListings(engine())
    products = {
      certain: (key) => listings.get(key)!.entity_uid,
      likely: (key) => listings.get(key)!.likely_uid ?? listings.get(key)!.entity_uid,
    }
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
})
