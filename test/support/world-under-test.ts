import { beforeAll, expect } from 'vitest'
import type { Engine } from '../../engine/index.ts'
import { ask, type Given } from './ask.ts'
import { ensureLake, openEngine } from './given.ts'
import { type ListingDay, listingDays, unseenDay } from './oracle.ts'
import { isServing, servedAtEnd } from './oracle-coverage.ts'
import { feedRow } from './rows.ts'
import { answerOr, given, type Scope } from './world-queries.ts'
import { worldOf } from './worlds.ts'

/** `to` is the end of an explicit window. */
type Where = Pick<Scope, 'country' | 'as_of' | 'retailer'> & { shelf?: readonly string[]; to?: string }

/**
 * The random world of a seed in an engine, whose answers are compared with the naive figures; `prepare` changes the lake
 * before.
 */
export const worldUnderTest = (seed: number, prepare?: (lake: string, seed: number) => Promise<void>) => {
  const rows = worldOf(seed)
  const days: ListingDay[] = listingDays(rows)
  let lake: string
  let engine: Engine
  beforeAll(async () => {
    ;({ lake } = await ensureLake({ observations: rows.map(feedRow) }))
    await prepare?.(lake, seed)
    engine = await openEngine(lake)
  })

  /** Without a shelf any serving shelf of the country makes a retailer eligible. */
  const isRefused = ({ retailer: platform, country, as_of, shelf, to = unseenDay(as_of) }: Where): boolean => {
    if (platform === undefined) return false
    const departments = shelf?.[0] ? [shelf[0]] : ['Grocery', 'Garden']
    return !departments.some((department) =>
      to < unseenDay(as_of)
        ? servedAtEnd(days, { platform, country, department, to })
        : isServing(days, { platform, country, department, as_of }),
    )
  }

  return {
    rows,
    days,
    lake: () => lake,
    engine: () => engine,
    /** The answer within a scope, or the code of its refusal. */
    answerInScope: (id: string, scope: Scope, more: Given) =>
      answerOr(ask(engine, id, { ...given(scope), ...more }, scope.as_of)),
    /** The answer to exactly these parameters, or the code of its refusal. */
    answerTo: (id: string, params: Given, as_of: string) => answerOr(ask(engine, id, params, as_of)),
    /** What is refused for the retailer or for want of observations, and otherwise the figures. */
    check: (where: Where, answer: unknown, figures: object | null) => {
      if (isRefused(where)) expect(answer).toBe('RETAILER_NOT_SERVING_ELIGIBLE')
      else if (figures === null) expect(answer).toBe('NO_RESULTS')
      else expect(answer).toMatchObject(figures)
    },
  }
}
