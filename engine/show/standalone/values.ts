import { literal } from '../../duckdb/tables.ts'

/** The meaning of a value, and whether it was looked up in memory, where names and the search index are. */
type ValueNote = { is_from_memory: boolean; text: string }

const fromParams = (text: string): ValueNote => ({ is_from_memory: false, text })
const fromMemory = (text: string): ValueNote => ({ is_from_memory: true, text })

/** The meaning of each binding. */
const notes: Readonly<Record<string, ValueNote>> = {
  country: fromParams('country'),
  category_root: fromMemory('department: the root of a category path'),
  first: fromMemory('first category_id that is read; a category and what is below it are an interval'),
  last: fromMemory('last category_id that is read'),
  shelf_depth: fromMemory('accessory shelves deeper than this are left out'),
  lowest_price: fromParams('lowest price of the representative listings, by the statement of price-dispersion'),
  highest_price: fromParams('highest of these prices'),
  in_category: fromMemory('whether other brands of the category are read too'),
  gpc_first: fromMemory('first gpc_id of the product type; null: any type'),
  gpc_last: fromMemory('last gpc_id of the product type'),
  retailer_id: fromMemory('the retailer; null: all'),
  brand_id: fromMemory('the brand; null: all'),
  listing_ids: fromMemory('listings that the search found, best match first'),
  listing_numbers: fromMemory('their numbers in the search index'),
  first_listing: fromMemory('lowest of their listing_ids; row groups without any are not read'),
  last_listing: fromMemory('highest of their listing_ids'),
  browse_ids: fromMemory('browse nodes of the crosswalk'),
  brick_codes: fromMemory('bricks of the codes in the GPC release'),
  fallback_for: fromMemory('published snapshot that this one replaces while it is damaged; null: none'),
  since: fromParams('a price is current from this day on'),
  before: fromParams('observations before this day are seen'),
  from: fromParams('first day of the window'),
  seen_from: fromParams('first day of which a price may still stand in the window'),
  claimed_from: fromParams('a claim of an earlier price counts if it was seen from this day on'),
  to: fromParams('day after the last one of the window'),
  prior_from: fromParams('first day of the comparison window of growth'),
  month_from: fromParams('first month whose files are read'),
  month_to: fromParams('last month whose files are read'),
  whole_from: fromParams('first whole month; after the last one where no month is whole'),
  whole_to: fromParams('last whole month'),
  counted_from: fromParams('first day of the first month'),
  counted_to: fromParams('day after the last month'),
  window_from: fromParams('first month of the last window, from 0'),
  regular_before: fromParams('days from this one on say nothing of regular prices; null: these are not read'),
  first_from: fromParams('first day of the first period'),
  first_to: fromParams('day after its last one'),
  last_from: fromParams('first day of the last period'),
  last_to: fromParams('day after its last one'),
  changed_from: fromParams('the first day whose changes are listed'),
  max_gap_days: fromParams('how long a price stands, in days'),
  follow_days: fromParams('within how many days a retailer follows a change'),
  flapping_days: fromParams('within how many days a change is taken back to be flapping'),
  source: fromMemory('the office of the official series'),
  series: fromMemory('its id of the series'),
  released_before: fromParams('figures that were released before this day are read'),
  official_from: fromParams('first month of the official series'),
  official_to: fromParams('month after its last one'),
  method: fromParams('how an index is computed'),
  index_path: fromMemory('the category of a published index; null for a product type, which has none'),
  index_retailer: fromMemory('its retailer; null: all'),
  contributions_by: fromParams('what contributes to an index: retailer, brand or category'),
  unit: fromParams('length of a period'),
  by_brand: fromParams('whether groups are brands; otherwise retailers'),
  min_price: fromParams('lowest price of a deal: 5 units of the currency'),
  lowest_floor: fromParams('lowest floor of representative prices'),
  include_unbranded: fromParams('whether deals without a brand are listed too'),
  min_discount_pct: fromParams('minimum discount from the list price, in percent'),
  prefix: fromParams('what brand names begin with, normalised'),
  below: fromMemory('depth of the category whose children are listed; 0: the roots are listed'),
  depth: fromMemory('deepest level that is listed'),
  platform: fromParams('platform; null: all'),
  organic_only: fromParams('whether ads are left out'),
  status: fromParams('status of the brands; all: any'),
  quality_status: fromParams('status of the shelves; null: any'),
  sort: fromParams('order of the products'),
  limit: fromParams('number of rows'),
  offset: fromParams('rows before the first one'),
}

/** A bound value as an SQL literal. */
export const literalOf = (value: string | number | boolean | null): string =>
  typeof value === 'string' ? literal(value) : value === null ? 'NULL' : String(value)

/** The meaning of a binding, marked if its value comes from memory. */
export const noteOf = (binding: string): string | undefined => {
  const note = notes[binding]
  return note && `${note.text}${note.is_from_memory ? ' (from memory)' : ''}`
}
