import { z } from 'zod'
import { field } from './field.ts'
import { granularity } from './granularity.ts'
import { lownessFields } from './lowness-fields.ts'

/** Answer blocks that several queries share. */
export const alternate = z
  .object({
    category_path: field.text('Path of the other category that the input may mean; send it as category to choose it.'),
    name: field.text('The last part of the path, as people read it.'),
    department: field.text('Root of the path.'),
    match_confidence: field.confidence('How well the input fits this category.'),
    match_source: field.text('Which way of matching found it, as in resolved.match_source.'),
    product_count: field.count('Listings of the category and of all below it.'),
  })
  .meta({ id: 'Alternate', description: 'Another category that the input may mean.' })

/** How the category input was matched against the taxonomy. */
export const resolved = z
  .object({
    input: field.text('The text that was sent.'),
    category_path: field.text('Path of the category that the answer is about.'),
    department: field.text('Root of that path.'),
    match_source: field.choice(
      ['gpc', 'path', 'breadcrumb', 'path_suffix', 'name', 'alias', 'tokens', 'substring', 'fuzzy', 'department'],
      'Which way of matching found the category, from the exact (gpc, path) to the vague (substring, fuzzy).',
    ),
    match_confidence: field.confidence('How well the input fits the category.'),
    alternates: field.list(alternate, 'Other categories that the input may mean, the likeliest first.'),
  })
  .meta({ id: 'Resolved', description: 'How the category that was sent was matched with the taxonomy.', role: 'echo' })
export type Resolved = z.output<typeof resolved>

export const meta = z
  .object({
    served_from: field.choice(['snapshot', 'cache'], 'Where the answer was taken from.'),
    freshness_seconds: field.seconds('Age of the newest observation in the answer at computed_at.'),
    schema_version: z.literal('1.0').describe('Version of the layout of this answer.'),
    computed_at: field.time('The moment that the answer describes: now, or the end of the day as_of.'),
    price_observed_at_min: field.time('When the oldest observation in the answer was made.'),
    price_observed_at_max: field.time('When the newest observation in the answer was made.'),
    snapshot_id: field.key(
      'The published version of the data; the same query of the same version gives the same answer.',
    ),
  })
  .meta({ id: 'Meta', description: 'Age and origin of the answer.', role: 'echo' })

/** `meta` of an answer that may use no observation at all. */
export const nullableMeta = meta
  .extend({
    freshness_seconds: meta.shape.freshness_seconds.nullable(),
    price_observed_at_min: meta.shape.price_observed_at_min.nullable(),
    price_observed_at_max: meta.shape.price_observed_at_max.nullable(),
  })
  .meta({
    id: 'NullableMeta',
    description: 'Age and origin of the answer; ages are null where nothing was observed.',
    role: 'echo',
  })

/** How a brand input was matched, in an answer about no category. */
export const resolvedBrand = resolved
  .extend({
    category_path: z.null().describe('Always null: the answer is about a brand.'),
    department: z.null().describe('Always null: the answer is about a brand.'),
    match_source: z.literal('brand').describe('Always brand: spellings of a brand are merged.'),
  })
  .meta({ id: 'ResolvedBrand', description: 'How the brand that was sent was matched.', role: 'echo' })

/** How much data an answer is based on that may be thin or empty. */
export const coverage = z
  .object({
    products: field.count('How many listings, or posts of a social answer, the answer rests on.'),
    sufficient: field.flag('Whether that is enough to read the answer as representative.'),
    note: field.text('The same in a sentence, with what is missing.'),
    unpublished_note: field.text('What is available but omitted here.'),
    sku_note: field.text('What is counted as one.'),
    rank_note: field.text('How the rows are ordered.'),
  })
  .meta({ id: 'Coverage', description: 'How much data the answer rests on.' })

/** The newest observation used by an answer and its age; null where nothing was observed. */
export const freshness = z
  .object({
    observedThrough: field.time('When the newest observation was made; null without any.').nullable(),
    staleHours: field.hours('Age of the newest observation; null without any.').nullable(),
  })
  .meta({ id: 'Freshness', description: 'How old the newest observation is.', role: 'echo' })

export const window = z
  .object({
    preset: field.text('Name of the window, such as last_30_days; custom for explicit bounds.'),
    from: field.date('First day of the window.'),
    to: field.date('The day after the last one: the window ends before it.'),
    granularity: granularity,
    comparison_from: field.date(
      'First day of the window before: equally long, or the calendar period before. The answer takes nothing from it.',
    ),
    comparison_to: field.date('The day after the last one of the window before.'),
    timezone: z.literal('UTC').describe('Time zone of all days: always UTC.'),
  })
  .meta({ id: 'Window', description: 'The days that the answer covers.', role: 'echo' })

/** Current listings in scope that the headline statistics leave out, each counted under the first rule it meets. */
export const excluded = z
  .object({
    below_floor: field.count('Listings priced below representative_floor.'),
    refurbished_or_used: field.count('Listings whose condition is not new.'),
    accessory_or_parts: field.count('Listings on a shelf of accessories or parts below the category.'),
    price_outliers: field.count(
      'Listings outside the outlier fence: 1.5 interquartile ranges on logarithms of prices.',
    ),
  })
  .meta({
    id: 'Excluded',
    description: 'Listings in scope that the figures leave out, each under the first rule it meets.',
  })

/** A brand's share of the branded products of a shelf. */
export const brandShare = z
  .object({
    brand: field.text('Name of the brand, in its most common spelling.'),
    product_count: field.count('Listings of the brand.'),
    share_pct: field.share('Share of the branded listings that are of this brand.'),
  })
  .meta({ id: 'BrandShare', description: "A brand's share of the branded listings." })

/** How much a listing contains. */
const size = z
  .object({
    value: field.titled('Amount', field.amount('Contents of one piece in that unit, with 2 decimals.')),
    unit: field.choice(['g', 'ml', 'each'], 'Grams, millilitres or pieces.'),
    pack: field.count('Number of pieces.'),
  })
  .meta({
    id: 'Size',
    description:
      'Contents by the size columns of the feed, else by the title; by the title where they differ by more than 2 %. Null ' +
      'where none is stated, and for goods that are not consumed: of a shelf or with a noun that says so, or where under ' +
      'a tenth of the listings of the department at the retailer state a weight or volume.',
  })

/** One listing with its current price. */
export const priceRow = z
  .object({
    product_uid: field.key('Stable id of the listing: one product at one retailer in one country.'),
    entity_uid: field.key('Stable id of the physical product across retailers; null where it is not known.').nullable(),
    product_id: field.key("The retailer's own id of the listing."),
    product_name: field.text('Title of the listing; null where the feed has none.').nullable(),
    brand: field.text('Brand of the listing; null where it is unknown or a placeholder.').nullable(),
    retailer: field.text('Platform key of the retailer.'),
    price: field.money('Price of the newest observation.'),
    list_price: field.money("The retailer's own earlier or regular price; null where it states none.").nullable(),
    discount_pct: field.share('How far the price is below list_price; null without a higher list price.').nullable(),
    star_rating: field.stars("Average rating by the retailer's customers; null where there is none.").nullable(),
    review_count: field.count('Reviews of the listing; null where they are not known.').nullable(),
    promo_flag: field
      .flag('Whether the retailer marks the price as a promotion; null where it says nothing.')
      .nullable(),
    in_stock: field.flag('Whether it can be bought; null where the retailer says nothing.').nullable(),
    condition: field.text('Condition of the article: new, open_box, refurbished, used or for_parts.'),
    url: field.key('Web address of the listing; null where the feed has none.').nullable(),
    match_type: field.choice(
      ['entity', 'title'],
      'entity: identified as a physical product, in best-price the one that fits the text best; title: known by its text alone.',
    ),
    observed_at: field.time('When the price was observed.'),
    scraped_at: field.time('When the page was read; the same moment as observed_at unless the feed has both.'),
    age_days: field.age('Whole days of 24 hours from the observation to meta.computed_at.'),
    recommended_price: field
      .money(
        "The maker's recommended retail price (MSRP), which no discount is measured from; null where it is unknown.",
      )
      .nullable(),
    size: size.nullable(),
    ...lownessFields,
  })
  .meta({ id: 'PriceRow', description: 'One listing with its current price.' })

/** The GS1 GPC product type of a product with its ancestors, and how exact the mapping is. */
export const gpc = z
  .object({
    code: field.text('GPC code of 8 digits.'),
    title: field.text('Title of the code.'),
    level: field.choice(['segment', 'family', 'class', 'brick'], 'Level of the code; brick is the finest.'),
    segment: field.text('Title of the segment.').nullable(),
    family: field.text('Title of the family; null above that level.').nullable(),
    class: field.text('Title of the class; null above that level.').nullable(),
    brick: field.text('Title of the brick; null above that level.').nullable(),
    match_precision: field.text('How exactly the code fits, as in SKOS: exactMatch, closeMatch, broadMatch.'),
    match_source: field.text('What the code was taken from: listing, browse_node, category or lexicon.'),
  })
  .meta({ id: 'GpcBlock', description: 'Product type by GS1 Global Product Classification (GPC).', role: 'echo' })
export type GpcBlock = z.output<typeof gpc>

/** The period of a point. */
export const periodFields = {
  date: field.date('First day of the period, cut to the window.'),
  period: field.text('Name of the period: 2026-10-31, 2026-W44 or 2026-10.'),
  partial: field.flag('Whether the window cuts the period, so that it has fewer days than others.'),
}

/** One period of a series. Prices are averages over listing-period prices, one per listing. */
export const point = z
  .object({
    ...periodFields,
    avg_price: field.money('Mean of the listing-period prices; one vote a listing.'),
    min_price: field.money('Lowest listing-period price.'),
    max_price: field.money('Highest listing-period price.'),
    median_price: field.money('Median of the listing-period prices.'),
    product_count: field.count('Listings observed in the period.'),
    observation_count: field.count('Days on which listings were observed, added up over the listings.'),
    change_pct: field
      .change(
        'Change from the period before: of the same listings (method matched) or of avg_price (naive); null at the first, ' +
          'and where the fence leaves none of the same listings.',
      )
      .nullable(),
    matched_basket_size: field.count(
      'Listings priced in this period and the one before, within the plausibility fence.',
    ),
    method: field
      .choice(
        ['matched', 'naive'],
        'How change_pct was computed: matched from 10 matched listings on, else naive; null where it is.',
      )
      .nullable(),
    in_stock_count: field
      .count('Listings in stock on their last day in the period; null where none states its availability.')
      .nullable(),
    stock_known_count: field.count('Listings that state their availability on that day.'),
    promo_count: field.count('Listings on promotion on their last day in the period.'),
    retailer_avg_price: field.money('Mean price at the retailer; null but in retailer-index.').nullable(),
    category_avg_price: field
      .money('Mean price of the category, the retailer included; null but in retailer-index.')
      .nullable(),
    price_index: field.index('retailer_avg_price / category_avg_price; null but in retailer-index.').nullable(),
    stable_avg_price: field
      .money('Mean price of the stable basket: the listings priced in every period. Null without such listings.')
      .nullable(),
    insufficient_sample: field.flag('Whether the basket of the period is smaller than sample_threshold.'),
    sample_threshold: field.page(field.count('Listings below which a basket is flagged as small.')),
  })
  .meta({ id: 'SeriesPoint', description: 'Figures of one period.' })
export type Point = z.output<typeof point>

/** The basket sizes of a series as a whole; the stable basket of a single point is null. */
export const sampleFields = {
  sample_threshold: field.page(field.count('Listings below which a basket is flagged as small.')),
  insufficient_sample_points: field.count('Periods whose basket is smaller than sample_threshold.'),
  insufficient_sample: field.flag('Whether any period is flagged.'),
  stable_basket_size: field.count('Listings priced in every period; null for a single period.').nullable(),
}

/** The scope of the query, which every answer repeats. */
export const scopeEcho = {
  category: field
    .echo(field.text('Path of the category, or the GPC code that was sent; null without either.'))
    .nullable(),
  department: field
    .echo(field.text('Root of the category, or the department that was sent; null without either.'))
    .nullable(),
  country: field.echo(field.country('Country of the observations.')),
  currency: field.echo(field.currency('Currency of every amount of the answer (ISO 4217).')),
  retailer: field.echo(field.text('Platform key of the retailer that was sent; null: all retailers.')).nullable(),
}

export type ScopeEcho = z.output<z.ZodObject<typeof scopeEcho>>

/** The query and the product it was resolved to, which every answer about one product repeats. */
export const productEcho = {
  query: field.text('The text or the uid that was sent.'),
  dropped_terms: field
    .list(
      z.string(),
      'Adjectives and numbers at the end of the text that were left out because no product has them; null: none.',
    )
    .nullable(),
  country: scopeEcho.country,
  currency: scopeEcho.currency,
  product_uid: field.key('Id of the listing that fits best.'),
  entity_uid: field.key('Id of the physical product across retailers; null where it is not known.').nullable(),
  product_name: field.text('Title of that listing; null where the feed has none.').nullable(),
  brand: field.text('Brand of the product; null where it is unknown.').nullable(),
}

// Common to many answers: registered by id, so that the short contract document has these fields once.
z.object({ ...scopeEcho, resolved, meta }).meta({ id: 'ScopeAnswer', description: 'An answer about a scope.' })
z.object({ ...productEcho, gpc: gpc.nullable(), meta }).meta({
  id: 'ProductAnswer',
  description: 'An answer about a product.',
})

/** A basket below this many products is flagged, never withheld (NCHS). */
export const SAMPLE_THRESHOLD = 30
