import type { Bindings } from './query.ts'

/**
 * Schemas that hold the same macros, defined for less than the general case: planning a source that a question does not
 * read costs DuckDB as much as reading it. Which apply follows from what is bound.
 */
const alternatives = {
  /** current_listing: behind every observation the listings hold the current prices; before, observations are asked. */
  moment: ['latest', 'past'],
  /** is_of_type: whether a GPC code was asked. */
  type: ['any_type', 'one_type'],
  /** observed_between: when a whole scope was observed its shelves say, of parts of it the listings. */
  observed: ['by_shelf', 'by_listing'],
  /** listing_period: of whole months, of days, of longer periods without a whole month, and others. */
  periods: ['months', 'each_day', 'days', 'months_and_days'],
} as const

type Chosen = { [K in keyof typeof alternatives]: (typeof alternatives)[K][number] }

export const schemas: readonly string[] = Object.values(alternatives).flat()

const pathOf = ({ moment, type, observed, periods }: Chosen): string => ['main', moment, type, observed, periods].join()

/** What macros are defined under, where they use such macros. */
export const GENERAL: string = pathOf({
  moment: 'past',
  type: 'one_type',
  observed: 'by_listing',
  periods: 'months_and_days',
})

const periodsOf = ({ unit, month_from, month_to, whole_from, whole_to }: Bindings): Chosen['periods'] => {
  if (unit === 'day') return 'each_day'
  if (month_from === whole_from && month_to === whole_to) return 'months'
  return String(whole_from) > String(whole_to) ? 'days' : 'months_and_days'
}

/** The search path that a statement with these bindings looks its macros up on; `main` holds all others. */
export const pathFor = (bindings: Bindings, isLatest: boolean): string => {
  const { gpc_first = null, brand_id = null } = bindings
  return pathOf({
    moment: isLatest ? 'latest' : 'past',
    type: gpc_first === null ? 'any_type' : 'one_type',
    observed: gpc_first === null && brand_id === null ? 'by_shelf' : 'by_listing',
    periods: periodsOf(bindings),
  })
}
