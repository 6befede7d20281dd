import type { Bindings } from './query.ts'

/**
 * Macros with more than one definition (sql/), and the schemas that hold them. DuckDB plans every table that a macro
 * names, which costs as much as reading it: so a definition names only the tables that its kind of query reads. DuckDB
 * takes the definition in the first schema on the search path of the statement. The last of each gives the rows that all
 * others give, for every query.
 */
const variants = {
  /** At the newest observation the listings hold the current prices; before it the observations do. */
  current_listing: ['latest', 'past'],
  /** Whether the scope is a product type (a GPC code) within its categories. */
  is_of_type: ['any_type', 'one_type'],
  /** Shelves hold when they were observed as a whole; when a brand or a product type was, its listings do. */
  observed_between: ['by_shelf', 'by_listing'],
  /** Periods that are whole months, single days, longer without a whole month, and whole months with cut ones. */
  listing_period: ['months', 'each_day', 'days', 'months_and_days'],
} as const

type Chosen = { [Macro in keyof typeof variants]: (typeof variants)[Macro][number] }

/** The schemas of all variants; `main` holds the macros with one definition. */
export const variantSchemas: readonly string[] = Object.values(variants).flat()

const searchPathOf = ({ current_listing, is_of_type, observed_between, listing_period }: Chosen): string =>
  ['main', current_listing, is_of_type, observed_between, listing_period].join()

/** The search path of the definitions that are right for every query. */
export const GENERAL_SEARCH_PATH: string = searchPathOf({
  current_listing: 'past',
  is_of_type: 'one_type',
  observed_between: 'by_listing',
  listing_period: 'months_and_days',
})

const periodVariant = ({ unit, month_from, month_to, whole_from, whole_to }: Bindings): Chosen['listing_period'] => {
  if (unit === 'day') return 'each_day'
  if (month_from === whole_from && month_to === whole_to) return 'months'
  return String(whole_from) > String(whole_to) ? 'days' : 'months_and_days'
}

/** The search path of a statement with these bindings; `isLatest` says whether it sees the newest observation. */
export const searchPathFor = (bindings: Bindings, isLatest: boolean): string => {
  const { gpc_first = null, brand_id = null } = bindings
  return searchPathOf({
    current_listing: isLatest ? 'latest' : 'past',
    is_of_type: gpc_first === null ? 'any_type' : 'one_type',
    observed_between: gpc_first === null && brand_id === null ? 'by_shelf' : 'by_listing',
    listing_period: periodVariant(bindings),
  })
}
