import { literal } from '../tables.ts'

/** Whether a value was found in memory, where names and the search index are, and what it is. */
type ValueNote = { is_from_memory: boolean; text: string }

const given = (text: string): ValueNote => ({ is_from_memory: false, text })
const found = (text: string): ValueNote => ({ is_from_memory: true, text })

/** What each binding of the queries holds. */
const notes: Readonly<Record<string, ValueNote>> = {
  country: given('country'),
  category_root: found('department: the root of a category path'),
  first: found('first category_id that is read; a category and what is below it are an interval'),
  last: found('last category_id that is read'),
  shelf_depth: found('accessory shelves deeper than this are left out'),
  lowest_price: given('lowest price of the representative listings, by the statement of price-dispersion'),
  highest_price: given('highest of these prices'),
  in_category: found('whether other brands of the category are read too'),
  gpc_first: found('first gpc_id of the product type; null: any type'),
  gpc_last: found('last gpc_id of the product type'),
  retailer_id: found('the retailer; null: all'),
  brand_id: found('the brand; null: all'),
  listing_ids: found('listings that the search found, best match first'),
  first_listing: found('lowest of their listing_ids; row groups without any are not read'),
  last_listing: found('highest of their listing_ids'),
  browse_ids: found('browse nodes of the crosswalk'),
  brick_codes: found('bricks of the codes in the GPC release'),
  fallback_for: found('published snapshot that this one replaces while it is damaged; null: none'),
  since: given('a price is current from this day on'),
  before: given('observations before this day are seen'),
  from: given('first day of the window'),
  to: given('day after the last one of the window'),
  prior_from: given('first day of the window before, which growth is measured from'),
  month_from: given('first month whose files are read'),
  month_to: given('last month whose files are read'),
  whole_from: given('first whole month; after the last one where no month is whole'),
  whole_to: given('last whole month'),
  unit: given('length of a period'),
  by_brand: given('whether groups are brands; otherwise retailers'),
  min_discount_pct: given('least discount from the list price, in percent'),
  prefix: given('what brand names begin with, normalised'),
  below: found('depth of the category whose children are listed; 0: the roots are listed'),
  depth: found('deepest level that is listed'),
  platform: given('platform; null: all'),
  organic_only: given('whether ads are left out'),
  status: given('status of the brands; all: any'),
  quality_status: given('status of the shelves; null: any'),
  sort: given('order of the products'),
  limit: given('number of rows'),
  offset: given('rows before the first one'),
}

/** A bound value as SQL writes it. */
export const literalOf = (value: string | number | boolean | null): string =>
  typeof value === 'string' ? literal(value) : value === null ? 'NULL' : String(value)

/** What a binding holds, where it comes from memory said so. */
export const noteOf = (binding: string): string | undefined => {
  const note = notes[binding]
  return note && `${note.text}${note.is_from_memory ? ' (from memory)' : ''}`
}
