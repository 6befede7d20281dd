import fc from 'fast-check'
import { sized } from './full-size.ts'
import { addDays } from './oracle.ts'
import type { Listing, Observation } from './rows.ts'

const FIRST_DAY = '2026-07-20'
const DAYS = 124
/** The moment after every observation of a random world. */
export const WORLD_END = addDays(FIRST_DAY, DAYS)

export const shelves = [
  ['Grocery', 'Coffee'],
  ['Grocery', 'Coffee', 'Beans'],
  ['Grocery', 'Coffee', 'Coffee Parts'],
  ['Grocery', 'Coffee', 'Coffee Parts', 'Gaskets'],
  ['Grocery', 'Coffee', 'Coffee Parts', 'Filter Accessories'],
  ['Grocery', 'Brewers & Accessories'],
  ['Garden', 'Hoses'],
] as const

export const retailers = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'] as const

/** Spellings of a brand and the key they share; null for a placeholder, and for No Name where it is one. */
const spellings: readonly (readonly [string | null, readonly string[]])[] = [
  ['acme', ['Acme', 'ACME', 'Acme, Inc.', 'Visit the Acme Store']],
  ['loreal', ["L'Oréal", 'LOREAL', "L'OREAL®"]],
  ['blackanddecker', ['Black+Decker', 'BLACK & DECKER', 'Black and Decker']],
  ['tefal', ['Tefal', 'TEFAL']],
  ['noname', ['No Name']],
  [null, ['N/A', 'Generic', 'unbranded', 'Does not apply']],
]

/** Every way in which a query may name a brand: each spelling, placeholders among them. */
export const brandSpellings = spellings.flatMap(([key, texts]) => texts.map((spelling) => ({ key, spelling })))

const unsigned = (text: string): string => text.replace('®', '')

/** The key of a brand by any of its spellings; a label has no sign. */
export const brandKeyOf = (spelling: string): string | null | undefined =>
  spellings.find(([, texts]) => texts.map(unsigned).includes(unsigned(spelling)))?.[0]

/** An answer with brands by their keys, since a label may be any of the most frequent spellings. */
export const byBrandKey = <T>(answer: T): T =>
  JSON.parse(JSON.stringify(answer), (key, value) => (key === 'brand' && value ? brandKeyOf(value) : value))

/** Another spelling of a listing's brand, where there is one. */
export const otherSpelling = ({ spelling }: Listing): string | undefined => {
  const texts = spellings.map(([, texts]) => texts).find((texts) => texts.includes(spelling ?? ''))
  return texts?.[(texts.indexOf(spelling!) + 1) % texts.length] ?? spelling
}

const brand = fc.option(fc.constantFrom(...brandSpellings), { freq: 8 })

const states = fc.oneof(
  { weight: 12, arbitrary: fc.constant({ is_new: true }) },
  { weight: 1, arbitrary: fc.constant({ is_new: true, condition: 'new' }) },
  { weight: 1, arbitrary: fc.constant({ is_new: false, title: 'Coffee Maker (Refurbished)' }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('refurbished', 'used', 'open_box').map((condition) => ({ is_new: false, condition })),
  },
) as fc.Arbitrary<{ is_new: boolean; condition?: string; title?: string }>

/** How a price moves: not at all, by a little, by exactly half a per cent, and to either side of the fence. */
const step = fc.oneof(
  { weight: 40, arbitrary: fc.constant((price: number) => price) },
  {
    weight: 12,
    arbitrary: fc.integer({ min: -20, max: 25 }).map((by) => (price: number) => Math.round(price * (1 + by / 100))),
  },
  { weight: 1, arbitrary: fc.constant((price: number) => Math.round(price * 1.005)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(3, 4, 1 / 3, 0.3, 0.1).map((by) => (price: number) => Math.round(price * by)),
  },
)

const moment = fc.record({
  gap: fc.oneof(
    { weight: 25, arbitrary: fc.constantFrom(1, 3, 7, 7, 7, 10) },
    { weight: 1, arbitrary: fc.constantFrom(30, 45, 95) },
  ),
  second: fc.nat(17 * 3600),
  step,
  list: fc.option(fc.constantFrom(1, 1.02, 1.05, 1.2, 1.5, 3.3, 4), { freq: 2 }),
  promo_flag: fc.constantFrom(undefined, undefined, true, false),
  in_stock: fc.constantFrom(undefined, true, true, true, false),
})

const history = fc.record({
  start: fc.oneof({ weight: 3, arbitrary: fc.nat(8) }, { weight: 1, arbitrary: fc.nat(90) }),
  price: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(399, 999, 1000, 1249, 1999) },
    { weight: 8, arbitrary: fc.integer({ min: 500, max: 2500 }) },
    { weight: 1, arbitrary: fc.integer({ min: 20, max: 30_000 }) },
  ),
  moments: fc.array(moment, { minLength: 1, maxLength: 40, size: 'max' }),
})

/** The n-th barcode of a maker, with its check digit: threefold and single digits in turn, from the right. */
export const gtin13 = (n: number): string => {
  const digits = `40063813${String(n).padStart(4, '0')}`
  const total = [...digits].reduce((sum, digit, i) => sum + Number(digit) * (i % 2 === 0 ? 1 : 3), 0)
  return `${digits}${(10 - (total % 10)) % 10}`
}

const member = fc.record({
  shelf: fc.constantFrom(...shelves, ...shelves.slice(0, 2), ...shelves.slice(0, 2)),
  platform: fc.constantFrom<string>('alpha', 'alpha', 'alpha', 'beta', 'beta', ...retailers),
  country: fc.constantFrom('us' as const, 'us' as const, 'us' as const, 'ca' as const),
  brand,
  state: states,
  rating: fc.option(fc.integer({ min: 1, max: 50 }), { freq: 3 }),
  // Retailers share products: some by their barcodes.
  gtin: fc.option(fc.nat(40).map(gtin13), { freq: 2, nil: undefined }),
  // Not a few listings share a number of reviews.
  review_count: fc.option(fc.oneof(fc.nat(5), fc.nat(2000)), { freq: 3, nil: undefined }),
  history,
})

type Member = typeof member extends fc.Arbitrary<infer T> ? T : never

const listingOf = ({ shelf, platform, country, brand, state, rating, ...others }: Member, i: number): Listing => ({
  platform,
  country,
  listing_id: `L${i}`,
  shelf,
  brand: brand === null || (brand.key === 'noname' && country === 'us') ? null : brand.key,
  spelling: brand?.spelling,
  is_new: state.is_new,
  condition: state.condition,
  product_name: state.title ?? `Coffee ${i}`,
  star_rating: rating === null ? null : rating / 10,
  review_count: others.review_count,
  gtin: others.gtin,
})

const atLeastOneCent = (price: number): number => Math.min(9_000_000, Math.max(1, price))

const observationsOf = (of: Listing, { start, price, moments }: Member['history']): Observation[] => {
  const rows: Observation[] = []
  let day = start
  let cents = price
  for (const { gap, second, step, list, promo_flag, in_stock } of moments) {
    if (day >= DAYS) break
    const observed_at = new Date(Date.parse(addDays(FIRST_DAY, day)) + second * 1000).toISOString().replace('.000', '')
    const list_price = list === null ? undefined : Math.round(cents * list)
    rows.push({ listing: of, observed_at, price: cents, list_price, promo_flag, in_stock })
    day += gap
    cents = atLeastOneCent(step(cents))
  }
  return rows
}

/** Whether a day lies in the stretch of a world in which nobody looked: an empty period. */
const isEmpty = (day: string, hole: number | null): boolean =>
  hole !== null && day >= addDays(FIRST_DAY, hole) && day < addDays(FIRST_DAY, hole + 40)

/** Random small worlds: ties, unchanged prices, gaps, empty periods, every filter's prey, both countries. */
export const world: fc.Arbitrary<Observation[]> = fc
  .record({
    members: fc.array(member, { minLength: 250, maxLength: 300, size: 'max' }),
    hole: fc.option(fc.integer({ min: 20, max: 70 }), { freq: 1 }),
  })
  .map(({ members, hole }) =>
    members
      .flatMap((each, i) => observationsOf(listingOf(each, i), each.history))
      .filter(({ observed_at }) => !isEmpty(observed_at.slice(0, 10), hole)),
  )

/** The seeds of the worlds that statistics are held to their definitions in. */
export const worldSeeds = sized([1], [1, 2, 3])

/** The world of a seed, the same in every run. */
export const worldOf = (seed: number): Observation[] => fc.sample(fc.noBias(world), { seed, numRuns: 1 })[0]!
