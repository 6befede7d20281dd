import { listingRelations } from './listing-relations.ts'

/**
 * What a column holds. Counted are `whole`, a whole number; `optional`, one that may be unknown, which no comparison and no
 * sum includes; `flag`, true or false; and `long`, an optional one whose sums exceed 2^53. `time` is a moment, of which minima
 * and maxima are in seconds since 1970. Listed only are `text`, `optional_text`, `optional_number`, `optional_flag`, and `real`,
 * a double that two engines compute alike.
 */
export type ValueKind =
  | 'whole'
  | 'optional'
  | 'flag'
  | 'long'
  | 'time'
  | 'text'
  | 'optional_text'
  | 'optional_number'
  | 'optional_flag'
  | 'real'

/** Listings with their newest price and their texts: money in the smallest unit of its currency, times in seconds since 1970. */
const listed = {
  category_id: 'whole',
  listing_id: 'whole',
  retailer_id: 'whole',
  brand_id: 'optional',
  brand: 'optional_text',
  gpc_id: 'optional',
  gpc_precision: 'optional_text',
  gpc_source: 'optional_text',
  product_uid: 'text',
  entity_uid: 'optional_text',
  /** Its likely product. */
  likely_uid: 'optional_text',
  product_id: 'text',
  product_name: 'optional_text',
  condition: 'text',
  url: 'optional_text',
  price: 'whole',
  list_price: 'optional',
  /** The part of the list price that is saved; 0 without one above the price. */
  discount: 'real',
  /** In hundredths of a star. */
  rating: 'optional',
  review_count: 'optional',
  /** The same to sort by, 0 where it is unknown. */
  reviews: 'real',
  promo_flag: 'optional_flag',
  in_stock: 'optional_flag',
  observed_at: 'time',
  scraped_at: 'time',
  /** In the smallest unit of its currency. */
  recommended_price: 'optional_number',
  /** The size of one piece, in thousandths of its unit. */
  size_milli: 'optional_number',
  size_unit: 'optional_text',
  /** The number of pieces; unknown without a size. */
  pack_count: 'optional_number',
  /** The days of the year to its newest one on which it was observed, not out of stock. */
  observed_days: 'optional_number',
  /** Those of them on which it cost less, and the last of these. */
  lower_days: 'optional_number',
  last_lower_day: 'optional_text',
  /** The price of the last of them on which it cost something else. */
  previous_price: 'optional_number',
} as const

/**
 * What can be read: relations with their columns. The SQL of each is in `relations/`, from which that for nodes of a cluster
 * is made (cluster/dialect.ts) unless it has a text of its own in `cluster/relations/`; those over current prices are also in
 * memory (memory.ts). Each has the same columns everywhere, with the same values.
 */
export const relations = {
  /** Current listings with what is counted of them. */
  current_price: {
    category_id: 'whole',
    retailer_id: 'whole',
    brand_id: 'optional',
    price: 'whole',
    accessory_depth: 'whole',
    /** In hundredths of a star. */
    rating: 'optional',
    is_new: 'flag',
    is_promoted: 'flag',
    is_in_stock: 'flag',
    is_stock_known: 'flag',
    observed_at: 'time',
  },
  /** Current listings as they are listed. */
  listed_price: listed,
  /** Those that are deals of the queried brand or of none. */
  deal: {
    ...listed,
    /** What deals are ranked by. Logarithms differ between engines in the last bit. */
    score: 'real',
  },
  /** Listing-days of a scope in the days [from, to). */
  observed_price: {
    retailer_id: 'whole',
    brand_id: 'optional',
    is_promoted: 'flag',
    /** The depth of a promotion in units of DEPTH_UNIT; unknown without a plausible list price. */
    depth: 'optional',
  },
  /** One row if anything was observed in the days [from, to): when a scope first and last was. */
  observed_span: { first_second: 'whole', last_second: 'whole' },
  /** The listing-period prices of a scope, of all retailers. */
  period_price: {
    /** The first day of the period, in days since 1970. */
    period: 'whole',
    retailer_id: 'whole',
    price: 'whole',
  },
  /** The listing-period prices of a series with their links. */
  series_price: {
    /** The first day of the period, in days since 1970. */
    period: 'whole',
    retailer_id: 'whole',
    price: 'whole',
    observation_count: 'whole',
    is_in_stock: 'flag',
    is_stock_known: 'flag',
    is_promoted: 'flag',
    /** Priced in every period. */
    is_stable: 'flag',
    /** The listing's price in the period before. */
    before: 'optional',
    /** The log of the price relative from there, if plausible. */
    log: 'long',
    /** The listing's price in the first of several periods. */
    base: 'optional',
  },
  /** Those of a series after its first period whose price relative to that is plausible. */
  series_relative: {
    /** The first day of the period, in days since 1970. */
    period: 'whole',
    retailer_id: 'whole',
    category_id: 'whole',
    brand_id: 'optional',
    is_last: 'flag',
    /** Ends on clearance: at a price far below the listing's own median. */
    is_cleared: 'flag',
    /** The log of the price relative to the first period; always known. */
    log: 'long',
  },
  /** The price relatives from the first to the last period of a series by the regular prices of listings, if plausible. */
  regular_relative: { log: 'long' },
  /** The periods of a series, which repeat; for nodes of a cluster, each of which has only some (shards.ts). */
  series_period: {
    /** The first day of the period, in days since 1970. */
    period: 'whole',
  },
  /** For each product that the queried retailer and others sell, how far its price there is from theirs. */
  product_gap: {
    /** The first day of the period, in days since 1970. */
    period: 'whole',
    /** The product is an entity. */
    is_certain: 'flag',
    /** The product is a likely one, or an entity that is in none. */
    is_likely: 'flag',
    /** Difference of the logs. */
    gap: 'long',
  },
  /**
   * The days of a product's listings in the days [seen_from, to) whose prices stand in a window, and in the days
   * [since, before) whose prices stand now.
   */
  product_day: {
    listing_id: 'whole',
    day: 'text',
    price: 'whole',
    list_price: 'optional',
    promo_flag: 'optional_flag',
    in_stock: 'optional_flag',
    is_promoted: 'flag',
    observed_second: 'whole',
  },
  ...listingRelations,
} as const satisfies Record<string, Readonly<Record<string, ValueKind>>>

export type Relation = keyof typeof relations

type KindsOf<R extends Relation> = (typeof relations)[R]

/** The columns of a relation that have one of some kinds. */
export type ColumnOf<R extends Relation, K extends ValueKind = ValueKind> = R extends Relation
  ? { [C in keyof KindsOf<R>]: KindsOf<R>[C] extends K ? C : never }[keyof KindsOf<R>] & string
  : never

/** The columns that can be counted. */
export type CountedColumn<R extends Relation> = ColumnOf<R, 'whole' | 'optional' | 'flag' | 'long'>
/** Those that have a minimum and a maximum. */
export type RankedColumn<R extends Relation> = ColumnOf<R, 'whole' | 'optional' | 'time'>

type ValueByKind = {
  whole: number
  optional: number | null
  flag: boolean
  long: number | null
  time: number
  text: string
  optional_text: string | null
  optional_number: number | null
  optional_flag: boolean | null
  real: number
}

/** A row of some columns of a relation. */
export type RowOf<R extends Relation, C extends string> = {
  [N in C]: N extends keyof KindsOf<R> ? (KindsOf<R>[N] extends ValueKind ? ValueByKind[KindsOf<R>[N]] : never) : never
}

export const kindOf = (relation: Relation, column: string): ValueKind =>
  (relations[relation] as Readonly<Record<string, ValueKind>>)[column]!

/** The bindings that a declaration may name, as `$name`; null where none was sent. */
export const parameters = {
  retailer_id: 'INTEGER',
  brand_id: 'INTEGER',
  shelf_depth: 'INTEGER',
  lowest_price: 'INTEGER',
  highest_price: 'INTEGER',
  by_brand: 'BOOLEAN',
  in_category: 'BOOLEAN',
  include_unbranded: 'BOOLEAN',
  first_listing: 'INTEGER',
  last_listing: 'INTEGER',
  limit: 'INTEGER',
  offset: 'INTEGER',
  /** A list of numbers, separated by commas. */
  listing_ids: 'VARCHAR',
} as const
export type Parameter = keyof typeof parameters
