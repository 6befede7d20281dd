import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Engine, type Plan, readParams } from '../../../../engine/index.ts'
import { ask, type Given, queryNamed } from '../../../support/ask.ts'
import { givenEngine } from '../../../support/given.ts'
import { type NumberedListing, numberedListings } from '../../../support/listings.ts'
import { type ListingDay, listingDays, listingKey, unseenDay } from '../../../support/oracle.ts'
import { priceReality } from '../../../support/oracle-claims.ts'
import { isServing } from '../../../support/oracle-coverage.ts'
import { priceDrop, priceHistory } from '../../../support/oracle-history.ts'
import { bestPrice, dealFinder } from '../../../support/oracle-shopper.ts'
import type { Listing } from '../../../support/rows.ts'
import { strict } from '../../../support/strict.ts'
import { ages, answerOr, given, scopes, windows } from '../../../support/world-queries.ts'
import { brandKeyOf, byBrandKey, worldOf, worldSeeds } from '../../../support/worlds.ts'

const RUNS = 40

const byUid = (a: { product_uid: string }, b: { product_uid: string }) => (a.product_uid < b.product_uid ? -1 : 1)

describe.each(worldSeeds)('in the random world of seed %i', (seed) => {
  const rows = worldOf(seed)
  const days: ListingDay[] = listingDays(rows)
  const listings = [...new Map(rows.map(({ listing }) => [listingKey(listing), listing])).values()]
  const runs = { seed, numRuns: RUNS }
  let engine: Engine
  let numbered: Map<string, NumberedListing>

  beforeAll(async () => {
    engine = await givenEngine(rows)
    numbered = await numberedListings(engine)
  })

  const numberedOf = (listing: Listing): NumberedListing => numbered.get(listingKey(listing))!
  const uidOf = (listing: Listing): string => numberedOf(listing).product_uid

  /** Some listings of one country, as if they were one product, the first of them the best. */
  const products = fc
    .tuple(fc.constantFrom(...listings), fc.array(fc.constantFrom(...listings), { maxLength: 6 }))
    .map(([best, others]) => [best, ...others.filter(({ country }) => country === best.country)])
    .map((some) => [...new Set(some)])
  const moments = scopes.map(({ as_of }) => as_of)

  /** The members that a history is made of: those in the condition of the best. */
  const alike = (members: readonly Listing[]): Listing[] =>
    members.filter((member) => numberedOf(member).condition === numberedOf(members[0]!).condition)

  /** A plan for one listing, however long ago it was observed: it will be run over others. */
  const planFor = async (id: string, { country }: Listing, uid: string, given: Given, as_of: string): Promise<Plan> => {
    const text = Object.entries({ ...given, product_uid: uid, country }).map(([name, value]) => [name, String(value)])
    const query = queryNamed(id)
    const params = readParams(query, Object.fromEntries(text))
    const catalog = await engine.catalog(new Date(as_of))
    const { bindings, context } = await query.resolve(params, { ...catalog, is_latest: false })
    const source = { snapshot_id: engine.manifest.snapshot_id, as_of }
    return { query: id, params, bindings, context: { ...context, ...source }, may_be_empty: true, ...source }
  }

  /** The answer of a plan that was made for one listing, over all the members of a product. */
  const askOf = async (id: string, members: readonly Listing[], given: Given, as_of: string) => {
    const begun = members.find((member) => numberedOf(member).first_day! < unseenDay(as_of))
    if (!begun) return 'NO_RESULTS'
    const plan = await planFor(id, begun, uidOf(begun), given, as_of)
    const numbers = (column: 'category_id' | 'listing_id') => members.map((member) => numberedOf(member)[column])
    const isOfDays = id !== 'shopper/best-price'
    const bindings = {
      ...plan.bindings,
      first: Math.min(...numbers('category_id')),
      last: Math.max(...numbers('category_id')),
      first_listing: Math.min(...numbers('listing_id')),
      last_listing: Math.max(...numbers('listing_id')),
      listing_ids: (isOfDays ? alike(members) : members).map((member) => numberedOf(member).listing_id).join(','),
      listing_numbers: members.map((member) => numberedOf(member).number).join(','),
    }
    const context = {
      ...(plan.context as object),
      members: members.map((member) => ({
        ...numberedOf(member),
        platform: member.platform,
        match_type: 'entity',
        match_confidence: 1,
      })),
      of_entity: numbers('listing_id').slice(0, 1),
      plain: numbers('listing_id'),
    }
    const answer = await answerOr(engine.run({ ...plan, bindings, context } as Plan))
    return typeof answer === 'string' ? answer : byBrandKey(strict(queryNamed(id).answer).parse(answer))
  }

  const of = (members: readonly Listing[]): ListingDay[] => {
    const keys = new Set(members.map(listingKey))
    return days.filter(({ listing }) => keys.has(listingKey(listing)))
  }

  const check = (answer: unknown, figures: object | null) => {
    if (figures === null) expect(answer).toBe('NO_RESULTS')
    else expect(answer).toMatchObject(figures)
  }

  test('best-price equals its definition', () =>
    fc.assert(
      fc.asyncProperty(products, moments, ages, fc.nat(3), async (members, as_of, days, limit) => {
        const answer = await askOf('shopper/best-price', members, { days, limit: limit + 1 }, as_of)
        check(answer, bestPrice(of(members), { as_of, days, limit: limit + 1, uidOf }))
      }),
      runs,
    ))

  test('deal-finder equals its definition', () =>
    fc.assert(
      fc.asyncProperty(
        scopes,
        ages,
        fc.constantFrom(undefined, undefined, 'Acme', 'tefal'),
        fc.constantFrom(10, 1, 16.5, 33, 70),
        fc.constantFrom(1, 5, 50),
        fc.boolean(),
        async (scope, age, brand, least, limit, unbranded) => {
          const more = { brand, min_discount_pct: least, limit, days: age, include_unbranded: unbranded }
          const { country, as_of, retailer: platform } = scope
          const answer = await answerOr(ask(engine, 'shopper/deal-finder', { ...given(scope), ...more }, as_of))
          const isRefused =
            platform !== undefined && !isServing(days, { platform, country, department: scope.shelf[0]!, as_of })
          if (isRefused) {
            expect(answer).toBe('RETAILER_NOT_SERVING_ELIGIBLE')
            return
          }
          const key = brand === undefined ? undefined : brandKeyOf(brand === 'Acme' ? 'Acme' : 'Tefal')!
          const figures = dealFinder(days, { ...scope, days: age, brand: key, unbranded, least, limit, uidOf })
          check(typeof answer === 'string' ? answer : byBrandKey(answer), figures)
        },
      ),
      runs,
    ))

  test('price-drop-alert equals its definition', () =>
    fc.assert(
      fc.asyncProperty(products, moments, windows, async (members, as_of, { from, to }) => {
        const answer = await askOf('shopper/price-drop-alert', members, { from, to }, as_of)
        check(answer, priceDrop(of(alike(members)), { as_of, from, to }, uidOf))
      }),
      runs,
    ))

  test('best-price is hardly dearer than the cheapest and fresh where it says so', () =>
    fc.assert(
      fc.asyncProperty(products, moments, ages, async (members, as_of, days) => {
        const answer = await askOf('shopper/best-price', members, { days, limit: 50 }, as_of)
        if (typeof answer === 'string') return
        const { best_price: best, fresh_best_price: fresh, prices } = answer
        const seconds = ({ observed_at }: { observed_at: string }) =>
          (Date.parse(as_of) - Date.parse(observed_at)) / 1000
        const first = prices[0]
        expect(100 * best.price).toBeLessThanOrEqual(102 * first.price + 1e-9)
        expect(seconds(best)).toBeLessThanOrEqual(seconds(first))
        const isFresh = prices.map((price: { observed_at: string }) => seconds(price) <= 259_200)
        expect(fresh !== null).toBe(isFresh.includes(true))
        if (fresh === null) return
        const firstFresh = prices[isFresh.indexOf(true)]
        expect(seconds(fresh)).toBeLessThanOrEqual(259_200)
        expect(fresh.in_stock ?? false).toBe(firstFresh.in_stock ?? false)
        expect(100 * fresh.price).toBeLessThanOrEqual(102 * firstFresh.price + 1e-9)
      }),
      runs,
    ))

  test('price-drop-alert compares each listing with itself, whatever other listings there are', () =>
    fc.assert(
      fc.asyncProperty(products, moments, windows, async (members, as_of, { from, to }) => {
        const answer = await askOf('shopper/price-drop-alert', members, { from, to }, as_of)
        if (typeof answer === 'string') return
        for (const offer of answer.offers) {
          const member = members.find((each) => uidOf(each) === offer.product_uid)!
          const alone = await askOf('shopper/price-drop-alert', [member], { from, to }, as_of)
          // Where another one can be bought, prices of what never could do not count.
          if (offer.avg_price !== null) expect(alone.offers).toEqual([offer])
          else if (typeof alone !== 'string') expect(alone.offers[0].price).toBe(offer.price)
        }
      }),
      { ...runs, numRuns: RUNS / 4 },
    ))

  test('price-reality equals its definition', () =>
    fc.assert(
      fc.asyncProperty(products, moments, async (members, as_of) => {
        const answer = await askOf('shopper/price-reality', members, {}, as_of)
        const figures = alike(members).flatMap((member) => {
          const offer = priceReality(of([member]), as_of)
          return offer === null ? [] : [{ product_uid: uidOf(member), ...offer }]
        })
        if (typeof answer === 'string') expect(figures).toEqual([])
        else expect(answer.offers.toSorted(byUid)).toMatchObject(figures.toSorted(byUid))
      }),
      runs,
    ))

  test('price-history equals its definition', () =>
    fc.assert(
      fc.asyncProperty(products, moments, windows, async (members, as_of, window) => {
        const answer = await askOf('shopper/price-history', members, window, as_of)
        check(answer, priceHistory(of(alike(members)), { ...window, as_of }, uidOf))
      }),
      runs,
    ))
})
