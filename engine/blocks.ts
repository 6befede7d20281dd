import { z } from 'zod'

/** Answer blocks that several endpoints share, each defined once. */
const count = z.int().min(0)
const money = z.number()
const dateTime = z.iso.datetime()

export const alternate = z.object({
  category_path: z.string(),
  name: z.string(),
  department: z.string(),
  match_confidence: z.number(),
  match_source: z.string(),
  product_count: count,
})

/** How the category input was matched against the taxonomy. */
export const resolved = z
  .object({
    input: z.string(),
    category_path: z.string(),
    department: z.string(),
    match_source: z.enum([
      'gpc',
      'path',
      'breadcrumb',
      'path_suffix',
      'name',
      'alias',
      'tokens',
      'substring',
      'fuzzy',
      'department',
    ]),
    match_confidence: z.number(),
    alternates: z.array(alternate),
  })
  .meta({ id: 'Resolved' })
export type Resolved = z.output<typeof resolved>

export const meta = z
  .object({
    served_from: z.enum(['snapshot', 'cache']),
    freshness_seconds: z.int(),
    schema_version: z.literal('1.0'),
    computed_at: dateTime,
    price_observed_at_min: dateTime,
    price_observed_at_max: dateTime,
    snapshot_id: z.string(),
  })
  .meta({ id: 'Meta' })

/** `meta` of an answer that may rest on no observation at all. */
export const nullableMeta = meta
  .extend({
    freshness_seconds: z.int().nullable(),
    price_observed_at_min: dateTime.nullable(),
    price_observed_at_max: dateTime.nullable(),
  })
  .meta({ id: 'NullableMeta' })

/** How a brand input was matched, where no category is asked. */
export const resolvedBrand = resolved
  .extend({ category_path: z.null(), department: z.null(), match_source: z.literal('brand') })
  .meta({ id: 'ResolvedBrand' })

/** How much stands behind an answer that may be thin or empty. */
export const coverage = z
  .object({
    products: count,
    sufficient: z.boolean(),
    note: z.string(),
    unpublished_note: z.string(),
    sku_note: z.string(),
    rank_note: z.string(),
  })
  .meta({ id: 'Coverage' })

/** The newest observation behind an answer and its age; null where nothing was observed. */
export const freshness = z
  .object({ observedThrough: dateTime.nullable(), staleHours: z.number().nullable() })
  .meta({ id: 'Freshness' })

export const window = z
  .object({
    preset: z.string(),
    from: z.iso.date(),
    to: z.iso.date(),
    granularity: z.enum(['daily', 'weekly', 'monthly']),
    comparison_from: z.iso.date(),
    comparison_to: z.iso.date(),
    timezone: z.literal('UTC'),
  })
  .meta({ id: 'Window' })

/** Current listings in scope that the headline statistics leave out, each counted under the first rule it meets. */
export const excluded = z
  .object({
    below_floor: count,
    refurbished_or_used: count,
    accessory_or_parts: count,
    price_outliers: count,
  })
  .meta({ id: 'Excluded' })

/** A brand's share of the branded products of a shelf. */
export const brandShare = z
  .object({ brand: z.string(), product_count: count, share_pct: z.number() })
  .meta({ id: 'BrandShare' })

/** One listing with its current price. */
export const priceRow = z
  .object({
    product_uid: z.string(),
    entity_uid: z.string().nullable(),
    product_id: z.string(),
    product_name: z.string().nullable(),
    brand: z.string().nullable(),
    retailer: z.string(),
    price: money,
    list_price: money.nullable(),
    discount_pct: z.number().nullable(),
    star_rating: z.number().nullable(),
    review_count: count.nullable(),
    promo_flag: z.boolean().nullable(),
    in_stock: z.boolean().nullable(),
    condition: z.string(),
    url: z.string().nullable(),
    match_type: z.enum(['entity', 'title']),
    observed_at: dateTime,
    scraped_at: dateTime,
  })
  .meta({ id: 'PriceRow' })

/** The GS1 GPC product type of a product with its ancestry, null below its level, and how exact the mapping is. */
export const gpc = z
  .object({
    code: z.string(),
    title: z.string(),
    level: z.enum(['segment', 'family', 'class', 'brick']),
    segment: z.string().nullable(),
    family: z.string().nullable(),
    class: z.string().nullable(),
    brick: z.string().nullable(),
    match_precision: z.string(),
    match_source: z.string(),
  })
  .meta({ id: 'GpcBlock' })
export type Gpc = z.output<typeof gpc>

/** A price row as the SQL lists it: money in cents, times in seconds since 1970. */
export const listedPrice = priceRow.omit({ discount_pct: true }).extend({
  place: z.int(),
  price: z.int(),
  list_price: z.int().nullable(),
  observed_at: z.number(),
  scraped_at: z.number(),
})

/** One period of a series. Prices are averages over listing-period prices, one vote a listing. */
export const point = z
  .object({
    date: z.iso.date(),
    period: z.string(),
    partial: z.boolean(),
    avg_price: money,
    min_price: money,
    max_price: money,
    median_price: money,
    product_count: count,
    observation_count: count,
    change_pct: z.number().nullable(),
    matched_basket_size: count,
    method: z.enum(['matched', 'naive']).nullable(),
    in_stock_count: count,
    promo_count: count,
    retailer_avg_price: money.nullable(),
    category_avg_price: money.nullable(),
    price_index: z.number().nullable(),
    stable_avg_price: money.nullable(),
    insufficient_sample: z.boolean(),
    sample_threshold: count,
  })
  .meta({ id: 'SeriesPoint' })
export type Point = z.output<typeof point>

/** What a series says of its baskets as a whole; the stable basket of a single point is null. */
export const sampleFields = {
  sample_threshold: count,
  insufficient_sample_points: count,
  insufficient_sample: z.boolean(),
  stable_basket_size: count.nullable(),
}

/** What every answer says of the question's scope. */
export const scopeEcho = {
  category: z.string().nullable(),
  department: z.string().nullable(),
  country: z.enum(['us', 'ca']),
  currency: z.enum(['USD', 'CAD']),
  retailer: z.string().nullable(),
}

/** What an answer about one product says of the question and of what it was resolved to. */
export const productEcho = {
  query: z.string(),
  dropped_terms: z.array(z.string()).nullable(),
  country: scopeEcho.country,
  currency: scopeEcho.currency,
  product_uid: z.string(),
  entity_uid: z.string().nullable(),
  product_name: z.string().nullable(),
  brand: z.string().nullable(),
}

/** Whose prices a history is made of: one listing's or those of an entity, and how many of its listings were observed. */
export const historyEcho = { scope: z.enum(['entity', 'listing']), member_count: count }

/** A basket below this many products is flagged, never withheld (NCHS). */
export const SAMPLE_THRESHOLD = 30
