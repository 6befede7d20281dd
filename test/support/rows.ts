/** A listing as a test means it; `feedRow` spells it as a feed would. */
export type Listing = {
  platform: string
  country: 'us' | 'ca'
  listing_id: string
  /** Names from the root. Those that end in Parts or Accessories without `&` are accessory shelves. */
  shelf: readonly string[]
  /** The key that spellings share; null without a brand or with a placeholder. */
  brand: string | null
  spelling: string | undefined
  is_new: boolean
  product_name: string
  condition: string | undefined
  star_rating: number | null
  review_count?: number | undefined
  url?: string | undefined
  gtin?: string | undefined
}

/** One price of a listing, in cents. */
export type Observation = {
  listing: Listing
  observed_at: string
  price: number
  list_price?: number | undefined
  promo_flag?: boolean | undefined
  in_stock?: boolean | undefined
}

export const isAccessoryShelf = (name: string): boolean => /(Parts|Accessories)$/.test(name) && !name.includes('&')

export type Row = Record<string, unknown>

/** A listing of the shelf most tests use, new and without a brand unless stated. */
export const listing = (listing_id: string, attributes: Partial<Listing> = {}): Listing => ({
  platform: 'alpha',
  country: 'us',
  listing_id,
  shelf: ['Grocery', 'Coffee'],
  brand: null,
  spelling: undefined,
  is_new: true,
  product_name: `Coffee ${listing_id}`,
  condition: undefined,
  star_rating: null,
  ...attributes,
})

/** A barcode of a number below 1000. */
export const barcode = (number: number): string => {
  const digits = `03600029${String(number).padStart(3, '0')}`
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 3 : 1), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

/** Prices of a listing by day, in cents; `details` hold for each of them. */
export const observed = (
  of: Listing,
  prices: Readonly<Record<string, number>>,
  details: Partial<Observation> = {},
): Observation[] =>
  Object.entries(prices).map(([day, price]) => ({ listing: of, observed_at: `${day}T12:00:00Z`, price, ...details }))

/** As many listings of a retailer as it needs to serve a department, on a shelf of their own, each priced on every day. */
export const serving = (
  retailer: Pick<Listing, 'platform' | 'country'>,
  department: string,
  days: readonly string[],
): Observation[] => {
  const prices = Object.fromEntries(days.map((day) => [day, 100]))
  return Array.from({ length: 25 }, (_, i) =>
    observed(listing(`filler ${i}`, { ...retailer, shelf: [department, 'Filler'] }), prices),
  ).flat()
}

/** One price of a listing, at noon of 10 November 2026. */
export const priced = (id: string, price: number, of: Partial<Listing> = {}, details: Partial<Observation> = {}) =>
  observed(listing(id, of), { '2026-11-10': price }, details)

const decimal = (cents: number): string => (cents / 100).toFixed(2)

/** A row of the price_observations feed, wide: the attributes of the listing ride along. */
export const feedRow = ({ listing: of, price, list_price, observed_at, promo_flag, in_stock }: Observation): Row => ({
  platform: of.platform,
  country: of.country,
  listing_id: of.listing_id,
  observed_at,
  price: decimal(price),
  list_price: list_price === undefined ? undefined : decimal(list_price),
  currency: of.country === 'us' ? 'USD' : 'CAD',
  promo_flag,
  in_stock,
  product_name: of.product_name,
  brand: of.spelling,
  category_path: of.shelf.join(' > '),
  condition: of.condition,
  star_rating: of.star_rating ?? undefined,
  review_count: of.review_count,
  url: of.url,
  gtin: of.gtin,
})

export const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)

/** A listing a pair of prices in cents, in September and in October 2026. */
export const pairs = (prices: readonly (readonly [number, number])[], of: Partial<Listing> = {}): Observation[] =>
  prices.flatMap(([base, price], i) =>
    observed(listing(`${of.platform ?? ''}${i}`, of), { '2026-09-10': base, '2026-10-10': price }),
  )

/** So many pairs of ten and ten again. */
export const unchanged = (count: number): (readonly [number, number])[] => times(count, [1000, 1000])
