import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { joinAtRandom } from '../../../support/likely.ts'
import { type NumberedListing, numberedListings } from '../../../support/listings.ts'
import { listingKey } from '../../../support/oracle.ts'
import { priceDrop, priceHistory } from '../../../support/oracle-history.ts'
import { bestPrice } from '../../../support/oracle-shopper.ts'
import type { Listing } from '../../../support/rows.ts'
import { moments, windows } from '../../../support/world-queries.ts'
import { worldUnderTest } from '../../../support/world-under-test.ts'
import { byBrandKey, worldSeeds } from '../../../support/worlds.ts'

/** The fields that say how a listing belongs to the product. */
type Matched = { product_uid: string; match_type: string; match_confidence: number; is_likely?: boolean }

describe.each(worldSeeds)('in the random world of seed %i with random likely products', (seed) => {
  const { rows, days, answerTo, engine } = worldUnderTest(seed, joinAtRandom)
  const listings = [...new Map(rows.map(({ listing }) => [listingKey(listing), listing])).values()]
  const runs = { seed, numRuns: 40 }
  let numbered: Map<string, NumberedListing>
  beforeAll(async () => {
    numbered = await numberedListings(engine())
  })
  const heldOf = (listing: Listing): NumberedListing => numbered.get(listingKey(listing))!
  const uidOf = (listing: Listing): string => heldOf(listing).product_uid

  const ofOne = (listing: Listing, isJoined: (a: NumberedListing, b: NumberedListing) => boolean): Listing[] =>
    listings.filter((other) => other.country === listing.country && isJoined(heldOf(other), heldOf(listing)))
  const entityOf = (listing: Listing) => ofOne(listing, (a, b) => a.entity_uid === b.entity_uid)
  const likelyOf = (listing: Listing) =>
    ofOne(listing, (a, b) => a.entity_uid === b.entity_uid || (a.likely_uid !== null && a.likely_uid === b.likely_uid))
  const alike = (best: Listing, members: readonly Listing[]): Listing[] =>
    members.filter((member) => heldOf(member).condition === heldOf(best).condition)
  const daysOf = (members: readonly Listing[]) => days.filter(({ listing }) => members.includes(listing))

  /** What each row must say of its listing, beside a listing that is meant. */
  const expectMatched = (rows: readonly Matched[], meant: Listing) => {
    const byUid = new Map(listings.map((listing) => [uidOf(listing), heldOf(listing)]))
    for (const row of rows) {
      const held = byUid.get(row.product_uid)!
      const isEntity = held.entity_uid === heldOf(meant).entity_uid
      expect(row).toMatchObject({
        match_type: isEntity ? 'entity' : 'title',
        match_confidence: isEntity ? 1 : Math.min(held.likely_probability!, heldOf(meant).likely_probability!) / 1000,
      })
      if ('is_likely' in row) expect(row.is_likely).toBe(!isEntity)
    }
  }

  const check = (answer: unknown, figures: object | null) => {
    if (figures === null) expect(answer).toBe('NO_RESULTS')
    else expect(byBrandKey(answer)).toMatchObject(figures)
  }
  const products = fc.constantFrom(...listings)
  const ofMoment = fc.constantFrom(...moments)

  test('best-price compares each listing of the likely product once, and with strict only those of the entity', () =>
    fc.assert(
      fc.asyncProperty(products, ofMoment, fc.boolean(), async (meant, as_of, strict) => {
        const { country } = meant
        const params = { product_uid: uidOf(meant), country, strict, days: 90, limit: 50 }
        const answer = await answerTo('shopper/best-price', params, as_of)
        const members = strict ? entityOf(meant) : likelyOf(meant)
        check(answer, bestPrice(daysOf(members), { country, as_of, days: 90, limit: 50, uidOf }))
        if (typeof answer === 'string') return
        expectMatched(answer.prices, meant)
        expect(answer.likely_count).toBe(answer.prices.filter((row: Matched) => row.is_likely).length)
        expect(answer.products_matched).toBe(
          strict ? new Set(answer.prices.map(({ entity_uid }: { entity_uid: string }) => entity_uid)).size : 1,
        )
      }),
      runs,
    ))

  test('price-history with likely=true is of the likely product, without it of the listing that was sent', () =>
    fc.assert(
      fc.asyncProperty(products, ofMoment, windows, fc.boolean(), async (meant, as_of, window, likely) => {
        const params = { product_uid: uidOf(meant), country: meant.country, likely, ...window }
        const answer = await answerTo('shopper/price-history', params, as_of)
        const members = likely ? alike(meant, likelyOf(meant)) : [meant]
        check(answer, priceHistory(daysOf(members), { ...window, as_of }, uidOf))
        if (typeof answer !== 'string') expectMatched(answer.offers, meant)
      }),
      runs,
    ))

  test('price-drop-alert likewise, by the entity, too', () =>
    fc.assert(
      fc.asyncProperty(products, ofMoment, windows, fc.boolean(), async (meant, as_of, { from, to }, likely) => {
        const { entity_uid } = heldOf(meant)
        const params = { entity_uid: entity_uid!, country: meant.country, likely, from, to }
        const answer = await answerTo('shopper/price-drop-alert', params, as_of)
        // The first of an entity is the most prominent.
        const [best] = entityOf(meant).toSorted((a, b) => heldOf(a).number - heldOf(b).number)
        const members = alike(best!, likely ? likelyOf(meant) : entityOf(meant))
        check(answer, priceDrop(daysOf(members), { as_of, from, to }, uidOf))
        if (typeof answer !== 'string') expectMatched(answer.offers, meant)
      }),
      runs,
    ))
})
