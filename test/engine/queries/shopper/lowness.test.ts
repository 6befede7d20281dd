import { beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '../../../../engine/index.ts'
import { ask } from '../../../support/ask.ts'
import { sized } from '../../../support/full-size.ts'
import { givenEngine } from '../../../support/given.ts'
import { type NumberedListing, numberedListings } from '../../../support/listings.ts'
import { addDays, listingKey } from '../../../support/oracle.ts'
import { answerOr } from '../../../support/world-queries.ts'
import { WORLD_END, worldOf } from '../../../support/worlds.ts'

type Lowness = Record<'percentile_in_history' | 'days_since_lower' | 'previous_price', number | null>

const lownessOf = ({ percentile_in_history, days_since_lower, previous_price }: Lowness): Lowness => ({
  percentile_in_history,
  days_since_lower,
  previous_price,
})

const rows = worldOf(3)
const listings = [...new Map(rows.map(({ listing }) => [listingKey(listing), listing])).values()].filter(
  (_, place) => place % sized(3, 1) === 0,
)

let engine: Engine
let numbered: Map<string, NumberedListing>

beforeAll(async () => {
  engine = await givenEngine(rows, { warm: true })
  numbered = await numberedListings(engine)
})

describe.each([WORLD_END, '2026-10-20'])('as of %s', (as_of) => {
  test('a price in best-price is as low as in the history of its listing over the same days', async () => {
    let compared = 0
    const known: Record<string, number> = {}
    for (const listing of listings) {
      const { product_uid } = numbered.get(listingKey(listing))!
      const given = { product_uid, country: listing.country }
      const answer = await answerOr(ask(engine, 'shopper/best-price', { ...given, days: 34, limit: 50 }, as_of))
      if (typeof answer === 'string') continue
      const row = answer.prices.find((price: { product_uid: string }) => price.product_uid === product_uid)
      if (!row) continue
      const from = addDays(row.observed_at.slice(0, 10), -365)
      const history = await ask(engine, 'shopper/price-history', { ...given, from }, as_of)
      expect(row.price).toBe(history.current_price)
      expect(lownessOf(row), product_uid).toEqual(lownessOf(history))
      compared += 1
      for (const [name, value] of Object.entries(lownessOf(row)))
        known[name] = (known[name] ?? 0) + Number(value !== null && value !== 0)
    }
    expect(compared).toBeGreaterThan(sized(10, 20))
    for (const count of Object.values(known)) expect(count).toBeGreaterThan(sized(2, 5))
  })
})
