import { createRecent } from './catalog/recent.ts'
import type { Plan } from './query.ts'

/** Few, since the resolution of a text may hold 200 listings. */
const MAX_RESOLUTIONS = 100
const DAY = 86_400_000

/** What a resolution follows from within one snapshot. `fallback_for` is that of the catalogue. */
export type ResolutionOf = Pick<Plan, 'query' | 'params'> & { as_of: Date; fallback_for: string | null }

/** What of a plan is resolved. */
export type Resolved = Pick<Plan, 'bindings' | 'context' | 'may_be_empty'>

/**
 * A resolution depends on as_of by its UTC day, where midnight itself sees a day less. Only a window without an end is
 * checked against the exact moment.
 */
const keyOf = ({ query, params, as_of, fallback_for }: ResolutionOf): string => {
  const time = as_of.getTime()
  const isOpen = params.from !== undefined && params.to === undefined
  const moment = isOpen ? time : [Math.floor(time / DAY), Math.ceil(time / DAY)]
  return JSON.stringify([query, moment, fallback_for, params])
}

/** A resolution at another moment of its day. */
const movedTo = (resolved: Resolved, as_of: Date): Resolved => {
  const { context } = resolved
  const isDated = typeof context === 'object' && context !== null && 'as_of' in context
  return isDated ? { ...resolved, context: { ...context, as_of: as_of.toISOString() } } : resolved
}

/** The resolutions of one snapshot that are kept, so that a repeated query is not resolved again. Refusals are not kept. */
export const createResolutions = () => {
  const kept = createRecent<Resolved>(MAX_RESOLUTIONS)

  /** The resolution of a query at a moment, resolved where it is not kept. */
  return async (of: ResolutionOf, resolve: () => Promise<Resolved>): Promise<Resolved> => {
    const key = keyOf(of)
    const known = kept.get(key)
    if (known) return movedTo(known, of.as_of)
    const resolved = await resolve()
    kept.set(key, resolved)
    return resolved
  }
}
