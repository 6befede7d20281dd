import type { Scope } from './catalog/scope.ts'
import type { Window } from './catalog/window.ts'
import { EngineError } from './errors.ts'

/** The moment and the snapshot that an answer is of; part of every query's context. */
export type Source = { as_of: string; snapshot_id: string }

const dateTime = (milliseconds: number): string => new Date(milliseconds).toISOString().replace('.000Z', 'Z')

/**
 * The `meta` block. `observed` is in seconds since 1970, oldest and newest observation behind the answer. An answer is
 * a function of snapshot and as_of, so `computed_at` is as_of: the same question has the same bytes.
 */
export const metaBlock = ({ as_of, snapshot_id }: Source, observed: { min: number; max: number }) => ({
  served_from: 'snapshot' as const,
  freshness_seconds: Math.max(0, Math.floor(Date.parse(as_of) / 1000 - observed.max)),
  schema_version: '1.0' as const,
  computed_at: dateTime(Date.parse(as_of)),
  price_observed_at_min: dateTime(observed.min * 1000),
  price_observed_at_max: dateTime(observed.max * 1000),
  snapshot_id,
})

/** The refusal of a question whose scope holds no observation. */
export const nothingObserved = ({ echo, resolved }: Pick<Scope, 'echo' | 'resolved'>, window?: Window): EngineError => {
  const where = [
    resolved.category_path,
    `country ${echo.country}`,
    ...(echo.retailer ? [`retailer ${echo.retailer}`] : []),
  ]
  const when = window ? ` from ${window.from} to ${window.to}` : ' of the last days'
  return new EngineError('NO_RESULTS', `No price was observed in ${where.join(', ')}${when}.`, {
    ...echo,
    ...(window ? { from: window.from, to: window.to } : {}),
    alternates: resolved.alternates,
  })
}
