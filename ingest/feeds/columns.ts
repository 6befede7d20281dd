/** The feeds a refresh reads, in the order it stages them. */
export const FEEDS = [
  'price_observations',
  'product_catalogue',
  'category_taxonomy',
  'browse_nodes',
  'social_posts',
  'official_series',
] as const
export type Feed = (typeof FEEDS)[number]

/** Attributes of a listing, which do not depend on the time: the newest non-empty value of each is kept. */
export const ATTRIBUTES = [
  'product_name',
  'brand',
  'gtin',
  'mpn',
  'model',
  'item_group_id',
  'is_bundle',
  'multipack',
  'browse_ids',
  'category_path',
  'google_product_category',
  'gpc_code',
  'condition',
  'url',
  'size_value',
  'size_unit',
  'pack_count',
  'seller_type',
  'recommended_price',
] as const

const OBSERVED = [
  'platform',
  'country',
  'listing_id',
  'observed_at',
  'scraped_at',
  'price',
  'currency',
  'list_price',
  'promo_flag',
  'availability',
  'in_stock',
  'seller_id',
  'star_rating',
  'review_count',
] as const

const SEEN = ['platform', 'country', 'listing_id', 'first_seen_at', 'last_seen_at', 'delisted_at'] as const

const TAXONOMY = [
  'path',
  'name',
  'parent_path',
  'aliases',
  'gpc_codes',
  'is_accessory',
  'is_mixed',
  'price_floor_us',
  'price_floor_ca',
  'active',
] as const

const SOCIAL = [
  'platform',
  'post_id',
  'posted_at',
  'collected_at',
  'category_root',
  'brand_norms',
  'gpc_codes',
  'theme',
  'views',
  'likes',
  'comments',
  'shares',
  'is_ad',
  'is_noise',
] as const

const OFFICIAL = ['source', 'series', 'country', 'period', 'value', 'released_on', 'title', 'unit'] as const

/** Further columns of posts, which are never read, so never kept. */
const UNREAD = ['country', 'lang', 'author_hash'] as const

const BROWSE = [
  'marketplace',
  'browse_id',
  'name',
  'context_name',
  'parent_id',
  'path_ids',
  'path_names',
  'has_children',
  'product_type_definitions',
  'valid_from',
  'valid_to',
] as const

/** Defined columns that no table of the lake has; not reported as unused. */
const UNUSED = ['list_price_type', 'promo_text', 'shipping_price', 'unit_price', 'unit_price_measure'] as const

/** The columns whose values a mapping may replace. */
export const TRANSLATABLE = [
  'platform',
  'country',
  'currency',
  'promo_flag',
  'availability',
  'condition',
  'category_root',
] as const

/** Every column a mapping may name. */
export const COLUMNS = [
  ...new Set([
    ...OBSERVED,
    ...SEEN,
    ...TAXONOMY,
    ...BROWSE,
    ...SOCIAL,
    ...UNREAD,
    ...OFFICIAL,
    ...ATTRIBUTES,
    ...UNUSED,
  ]),
]
export type Column = (typeof COLUMNS)[number]

export const COLUMNS_OF: Readonly<Record<Feed, readonly Column[]>> = {
  price_observations: [...OBSERVED, ...ATTRIBUTES, ...UNUSED],
  product_catalogue: [...SEEN, ...ATTRIBUTES],
  category_taxonomy: TAXONOMY,
  social_posts: [...SOCIAL, ...UNREAD],
  browse_nodes: BROWSE,
  official_series: OFFICIAL,
}

/** The attributes among the columns of observations; at least one, since DuckDB rejects a choice of no column. */
export const observedAttributes = (columns: Iterable<string>): string[] => {
  const kept = new Set(columns)
  return ['review_count', ...[...ATTRIBUTES, 'star_rating'].filter((column) => kept.has(column))]
}

/** The columns that every row needs. */
export const REQUIRED_OF: Readonly<Record<Feed, readonly Column[]>> = {
  price_observations: ['platform', 'country', 'listing_id', 'observed_at', 'price'],
  product_catalogue: ['platform', 'country', 'listing_id'],
  category_taxonomy: ['path', 'name'],
  social_posts: ['platform', 'post_id', 'collected_at', 'category_root'],
  browse_nodes: ['marketplace', 'browse_id', 'name'],
  official_series: ['source', 'series', 'country', 'period', 'value', 'released_on'],
}

/** Other names a column may have without a mapping. */
export const ALIASES: Readonly<Partial<Record<Column, readonly string[]>>> = { platform: ['platform', 'retailer'] }

/** How a column's text is read: as text, or as a value of another type. */
export type ColumnKind =
  | 'text'
  | 'time'
  | 'cents'
  | 'flag'
  | 'stock'
  | 'rating'
  | 'count'
  | 'views'
  | 'list'
  | 'day'
  | 'figure'

const KINDS: Readonly<Partial<Record<Column, ColumnKind>>> = {
  observed_at: 'time',
  scraped_at: 'time',
  last_seen_at: 'time',
  posted_at: 'time',
  collected_at: 'time',
  price: 'cents',
  list_price: 'cents',
  recommended_price: 'cents',
  promo_flag: 'flag',
  is_accessory: 'flag',
  is_mixed: 'flag',
  active: 'flag',
  is_ad: 'flag',
  is_noise: 'flag',
  availability: 'stock',
  star_rating: 'rating',
  review_count: 'count',
  views: 'views',
  likes: 'views',
  comments: 'views',
  shares: 'views',
  aliases: 'list',
  gpc_codes: 'list',
  path_ids: 'list',
  brand_norms: 'list',
  period: 'day',
  released_on: 'day',
  value: 'figure',
}

export const kindOf = (column: Column): ColumnKind => KINDS[column] ?? 'text'
