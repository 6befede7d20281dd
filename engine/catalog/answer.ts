import type { z } from 'zod'
import { type Source, sourceOf } from '../contract/as-of.ts'
import type { meta, nullableMeta, Resolved, ScopeEcho } from '../contract/blocks.ts'
import { dayNumber } from '../contract/days.ts'
import { EngineError, type NewestObserved } from '../contract/errors.ts'
import { MAX_CURRENT_DAYS } from '../contract/params.ts'
import { round } from '../contract/round.ts'
import type { Window } from '../contract/window.ts'
import type { Catalog } from './catalog.ts'
import { isPartOfShelves, type ObservedScope } from './observed.ts'

/** A moment in seconds since 1970 as an RFC 3339 time. */
export const dateTimeOf = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')

/**
 * The age of an answer at a moment. `observed_at` is the time of its newest observation, RFC 3339; null where nothing was
 * observed.
 */
export const ageOf = (as_of: string, observed_at: string | null) => {
  const now = Date.parse(as_of)
  const age = observed_at === null ? null : Math.max(0, Math.floor((now - Date.parse(observed_at)) / 1000))
  return { computed_at: dateTimeOf(now / 1000), freshness_seconds: age, staleHours: age && round(age / 3600, 1) }
}

type Observed = { min: number; max: number }
type Meta<O> = z.output<O extends Observed ? typeof meta : typeof nullableMeta>

/**
 * The `meta` block. `observed` is in seconds since 1970, the oldest and newest observation used by the answer;
 * null if there are none. `computed_at` is as_of, so that the same query over the same snapshot has the same bytes.
 */
export const metaBlock = <O extends Observed | null>({ as_of, snapshot_id }: Source, observed: O): Meta<O> => {
  const newest = observed && dateTimeOf(observed.max)
  const { computed_at, freshness_seconds } = ageOf(as_of, newest)
  return {
    served_from: 'snapshot',
    freshness_seconds,
    schema_version: '1.0',
    computed_at,
    price_observed_at_min: observed && dateTimeOf(observed.min),
    price_observed_at_max: newest,
    snapshot_id,
  } as Meta<O>
}

/** The `freshness` block, which some answers have in addition to `meta`. */
export const freshnessBlock = ({ as_of }: Source, observed: Observed | null) => {
  const observedThrough = observed && dateTimeOf(observed.max)
  return { observedThrough, staleHours: ageOf(as_of, observedThrough).staleHours }
}

/** The days of a query: a window, the days from `since` on whose prices are current, or both. */
export type QueriedDays = { window?: Window; since?: string }

/** The same at a moment, with the time of the newest observation. */
export type DatedDays = QueriedDays & NewestObserved & Pick<Source, 'as_of'>

type Queried = { echo: ScopeEcho; resolved: Resolved | null } & QueriedDays & { brand?: string | null }

/**
 * Whether the newest observation of a scope is within the days of the query. False for a window that ended before it:
 * only computing shows whether anything was observed in that window.
 */
export const isObserved = ({ as_of, window, since = '', newest_observed_at }: DatedDays): boolean => {
  if (newest_observed_at === null || newest_observed_at < since) return false
  if (!window) return true
  const isOver = window.to < as_of.slice(0, 10)
  return newest_observed_at >= window.from && (!isOver || newest_observed_at < window.to)
}

/** The smallest `days` that reaches the newest observation; null where none does, and for a window. */
const daysToReach = ({ as_of, window, since = '', newest_observed_at }: DatedDays): number | null => {
  if (window || newest_observed_at === null || newest_observed_at >= since) return null
  const days = dayNumber(as_of) - dayNumber(newest_observed_at)
  return days <= MAX_CURRENT_DAYS ? days : null
}

/** The days without observations, as the end of a message, with what to send instead. */
export const daysWithout = (queried: DatedDays): string => {
  const { window, since, newest_observed_at } = queried
  const without = [window && `from ${window.from} to ${window.to}`, since && `since ${since}`]
    .filter(Boolean)
    .join(' and ')
  const days = daysToReach(queried)
  const hint = ` The newest was on ${newest_observed_at?.slice(0, 10)}: send days=${days} to include it.`
  return `${without}.${days === null ? '' : hint}`
}

/** The days of a query, for the details of a refusal, and the `days` that would have been enough. */
export const daysOf = (queried: DatedDays) => {
  const { window, since } = queried
  const days = daysToReach(queried)
  return {
    ...(window ? { from: window.from, to: window.to } : {}),
    ...(since ? { since } : {}),
    ...(days === null ? {} : { days }),
  }
}

/** The refusal of a query whose scope has no observation on its days. */
export const nothingObserved = (queried: Queried & DatedDays): EngineError => {
  const { echo, resolved, brand, newest_observed_at } = queried
  const scope = [
    resolved?.category_path,
    brand,
    `country ${echo.country}`,
    echo.retailer && `retailer ${echo.retailer}`,
  ]
  const where = scope.filter(Boolean).join(', ')
  return new EngineError('NO_RESULTS', `No price was observed in ${where} ${daysWithout(queried)}`, {
    ...echo,
    ...(brand ? { brand } : {}),
    ...daysOf(queried),
    newest_observed_at,
    alternates: resolved?.alternates ?? [],
  })
}

/**
 * Adds the time of the scope's newest observation to a query's context. Throws NO_RESULTS, before anything is charged, if
 * that is before the days of the query. For a past as_of the catalogue cannot tell this for brands and product types
 * (catalog/observed.ts): they are not refused here.
 */
export const withNewestObserved = async <Q extends Queried>(
  queried: Q,
  scope: ObservedScope,
  catalog: Catalog,
): Promise<Q & NewestObserved> => {
  const newest_observed_at = await catalog.newestObserved(scope)
  const dated = { ...queried, newest_observed_at }
  const first_day = queried.window?.from ?? queried.since ?? ''
  const isExact = catalog.is_latest || !isPartOfShelves(scope)
  if (newest_observed_at === null || (isExact && newest_observed_at < first_day))
    throw nothingObserved({ ...dated, ...sourceOf(catalog) })
  return dated
}
