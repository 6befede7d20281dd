import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withdraw } from '../../ingest/refresh.ts'
import { sized } from '../support/full-size.ts'
import { csv, type Lake, query, runFiles, table } from './feeds.ts'

/** A listing's price on a day, by number from the first day of 2024. */
type Seen = { listing: number; day: number; cents: number; in_stock: boolean | null }

const FIRST = Date.UTC(2024, 0, 1)
const DAY = 86_400_000
const dateOf = (day: number): string => new Date(FIRST + day * DAY).toISOString().slice(0, 10)

const HEADER = 'platform,country,listing_id,observed_at,price,currency,availability'
const STOCK = new Map([
  [null, ''],
  [true, 'in stock'],
  [false, 'out of stock'],
])
/** Observed at noon: what arrives later for the same day replaces it only if it is cheaper. */
const lineOf = ({ listing, day, cents, in_stock }: Seen): string =>
  `acme,us,${listing},${dateOf(day)}T12:00:00Z,${cents / 100},USD,${STOCK.get(in_stock)}`

/** A refresh of these rows; of none at all of a file with its header alone. */
const feed = (rows: readonly Seen[], lake?: string): Promise<Lake> => {
  const text = `${[HEADER, ...rows.map(lineOf)].join('\n')}\n`
  return runFiles({ 'price_observations/a.csv': text }, lake === undefined ? {} : { lake })
}

/** What the definition says of each listing, from rows that a lake should hold. */
const expectedOf = (rows: readonly Seen[]) =>
  [...new Set(rows.map(({ listing }) => listing))].sort().map((listing) => {
    const own = rows.filter((row) => row.listing === listing)
    const newest = own.reduce((a, b) => (b.day > a.day ? b : a))
    const history = own
      .filter(({ day, in_stock }) => day >= newest.day - 365 && in_stock !== false)
      .sort((a, b) => a.day - b.day)
    const lower = history.filter(({ cents }) => cents < newest.cents)
    const other = history.filter(({ cents }) => cents !== newest.cents)
    return {
      product_id: String(listing),
      price: newest.cents,
      observed_days: history.length,
      lower_days: lower.length,
      last_lower_day: lower.length === 0 ? null : dateOf(lower.at(-1)!.day),
      previous_price: other.at(-1)?.cents ?? null,
    }
  })

const storedIn = (lake: Lake) =>
  query(`SELECT product_id, price, observed_days, lower_days, last_lower_day::VARCHAR AS last_lower_day, previous_price
    FROM ${table(lake, 'listings')} ORDER BY product_id`)

const seen = fc.record({
  listing: fc.integer({ min: 1, max: 3 }),
  day: fc.oneof(fc.nat(900), fc.integer({ min: 860, max: 900 })),
  cents: fc.integer({ min: 1, max: 4 }).map((price) => 100 * price),
  in_stock: fc.constantFrom(null, true, true, false),
})
const observations = fc.uniqueArray(seen, {
  minLength: 1,
  maxLength: 60,
  selector: ({ listing, day }) => `${listing} ${day}`,
})

test('a refresh stores how low the newest price is in the year before it, whatever the deliveries', () =>
  fc.assert(
    fc.asyncProperty(observations, fc.array(fc.nat(2), { minLength: 60, maxLength: 60 }), async (rows, place) => {
      const deliveries = [0, 1, 2]
        .map((delivery) => rows.filter((_, i) => place[i] === delivery))
        .filter((some) => some[0])
      let lake: Lake | undefined
      const known: Seen[] = []
      for (const delivery of deliveries) {
        lake = await feed(delivery, lake?.lake)
        known.push(...delivery)
        expect(await storedIn(lake)).toEqual(expectedOf(known))
      }
    }),
    { numRuns: sized(2, 6), seed: 5 },
  ))

// 2024 has 366 days: from 1 January to 31 December are 365 days, to 1 January 2025 one more.
test('the day 365 days before the newest observation is the first that counts', async () => {
  const at = (day: number, cents: number): Seen => ({ listing: 1, day, cents, in_stock: true })
  const lake = await feed([at(0, 100), at(200, 300), at(365, 200)])
  expect(await storedIn(lake)).toMatchObject([
    { observed_days: 3, lower_days: 1, last_lower_day: '2024-01-01', previous_price: 300 },
  ])
  const later = await feed([at(366, 200)], lake.lake)
  expect(await storedIn(later)).toMatchObject([
    { observed_days: 3, lower_days: 0, last_lower_day: null, previous_price: 300 },
  ])
})

test('a withdrawn day is no longer part of it', async () => {
  const row = (day: string, price: string) => `acme,us,1,${day}T12:00:00Z,${price},USD`
  const { lake } = await runFiles({
    'price_observations/a.csv': csv(row('2025-11-05', '1.00'), row('2025-12-05', '3.00'), row('2026-01-05', '2.00')),
  })
  const range = { platform: 'acme', from: '2025-11-01', to: '2025-12-01' }
  const report = await withdraw({ memory_limit: '512MiB', lake }, range)
  expect(await storedIn({ ...report, lake })).toMatchObject([
    { observed_days: 2, lower_days: 0, last_lower_day: null, previous_price: 300 },
  ])
})
