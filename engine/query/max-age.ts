import { ageOf } from '../catalog/answer.ts'
import { EngineError } from '../contract/errors.ts'
import type { AnyQuery, Plan } from '../queries/query.ts'

/** When the newest observation of an answer was made, RFC 3339; null if it has none. */
export const observedAtOf = (answer: unknown): string | null =>
  (answer as { meta?: { price_observed_at_max: string | null } }).meta?.price_observed_at_max ?? null

/** Whether the answers of a query have an age of their own; others are as old as the snapshot, or have no age. */
export const hasOwnAge = ({ answer }: AnyQuery): boolean => 'meta' in answer.shape

/**
 * Refuses an answer that is older than the parameter `max_age` of its plan, given the time of its newest observation; null
 * where there is none. Throws EngineError DATA_TOO_OLD.
 */
export const requireFresh = (plan: Pick<Plan, 'params' | 'as_of'>, newest_observed_at: string | null): void => {
  const { max_age } = plan.params
  const { staleHours: freshness_hours } = ageOf(plan.as_of, newest_observed_at)
  if (typeof max_age !== 'number' || freshness_hours === null || freshness_hours <= max_age) return
  throw new EngineError(
    'DATA_TOO_OLD',
    `max_age: the newest observation is ${freshness_hours} hours old; send ${Math.ceil(freshness_hours)} or more, or omit it`,
    { parameter: 'max_age', newest_observed_at, freshness_hours, max_age },
  )
}

/** The same for lists of the catalogue, which are as old as their snapshot: before anything is computed. */
export const requireFreshSnapshot = (
  query: AnyQuery,
  plan: Pick<Plan, 'params' | 'as_of'>,
  newest_observed_at: string | null,
): void => {
  if (query.group === 'public' && !hasOwnAge(query)) requireFresh(plan, newest_observed_at)
}
