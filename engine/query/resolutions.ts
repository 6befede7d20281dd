import { createRecent } from '../catalog/recent.ts'
import { DAY_MS } from '../contract/time.ts'
import type { Plan } from '../queries/query.ts'

/** Few, since the resolution of a text may hold 200 listings. */
const MAX_RESOLUTIONS = 100

/** What determines a resolution within one snapshot. `fallback_for` is the catalogue's. */
export type ResolutionOf = Pick<Plan, 'query' | 'params'> & { as_of: Date; fallback_for: string | null }

/** The resolved part of a plan. */
export type ResolvedPlan = Pick<Plan, 'bindings' | 'may_be_empty'> & { context: object }

/**
 * A resolution depends only on the UTC day of as_of, except at midnight, which sees a day less, and for a window without an
 * end, which is checked against the exact moment.
 */
const keyOf = ({ query, params, as_of, fallback_for }: ResolutionOf): string => {
  const time = as_of.getTime()
  const isOpen = params.from !== undefined && params.to === undefined
  const moment = isOpen ? time : [Math.floor(time / DAY_MS), Math.ceil(time / DAY_MS)]
  return JSON.stringify([query, moment, fallback_for, params])
}

/** Caches the resolutions of one snapshot, so that a repeated query is not resolved again. Refusals are not cached. */
export const createResolutions = () => {
  const cache = createRecent<ResolvedPlan>(MAX_RESOLUTIONS)

  /** The resolution of a query at a moment, from the cache if possible. */
  return async (of: ResolutionOf, resolve: () => Promise<ResolvedPlan>): Promise<ResolvedPlan> => {
    const key = keyOf(of)
    const cached = cache.get(key)
    if (cached) return cached
    const resolved = await resolve()
    cache.set(key, resolved)
    return resolved
  }
}
