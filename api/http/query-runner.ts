import type { FastifyRequest } from 'fastify'
import {
  type AnyQuery,
  commandLine,
  type Engine,
  EngineError,
  giveWay,
  hasOwnAge,
  type Plan,
  readParams,
  requireFresh,
} from '../../engine/index.ts'
import type { Lake } from '../ops/lake.ts'
import type { Admission, Lane } from './admission.ts'
import { type CachedAnswer, toCachedAnswer } from './answer.ts'
import type { Cache, PlanOutcome } from './cache.ts'
import { type Deadline, detectDisconnects } from './deadline.ts'
import { hashOf } from './headers.ts'
import { notReady } from './problem.ts'
import { timed } from './trace.ts'

const NO_SNAPSHOT = `No snapshot is open yet; retry shortly. To create one: ${commandLine('refresh', '--feeds DIR --lake DIR')}`

/** Parameters as sent, from a query string or a batch. */
export type SentParams = Record<string, string | string[]>

/** The request that queries are run for. */
export type Work = { request: FastifyRequest; deadline: Deadline }

/** A planned query that was not refused, with its answer if that is cached or was needed to be sure of it. */
export type PlannedQuery = {
  engine: Engine
  query: AnyQuery
  plan: Plan
  hash: string
  /** Its parameters as sent. */
  given: Record<string, string>
  cached: CachedAnswer | null
}

export type RunnerOptions = { lake: Lake; cache: Cache; admission: Admission }

type DatedContext = { newest_observed_at?: string | null; window?: { to: string } }

/** When the newest observation of the scope was made, and the end of the window, as far as a plan contains them. */
const datesOf = ({ plan }: PlannedQuery): { newest: string | null; window_end: string | null } => {
  const { newest_observed_at, window } = (plan.context ?? {}) as DatedContext
  return { newest: newest_observed_at ?? null, window_end: window?.to ?? null }
}

/**
 * No observation of an answer is newer than this: the newest price of the snapshot and the end of the window. Posts may be
 * newer than prices, so null for them.
 */
const latestPossible = (planned: PlannedQuery): string | null => {
  const { engine, query } = planned
  const { newest_observed_at } = engine
  if (query.group === 'social' || !hasOwnAge(query)) return null
  const { window_end } = datesOf(planned)
  return newest_observed_at !== null && window_end !== null && window_end < newest_observed_at
    ? window_end
    : newest_observed_at
}

/**
 * When the newest observation of an answer was made: of a cached one exactly, else that of the scope. Null if only
 * computing shows it, as for a window that ended before.
 */
export const newestOf = (planned: PlannedQuery): string | null => {
  const { engine, query, cached } = planned
  if (cached?.observed_at) return cached.observed_at
  if (query.group === 'public') return engine.newest_observed_at
  const { newest, window_end } = datesOf(planned)
  return newest !== null && window_end !== null && newest >= window_end ? null : newest
}

const keyOf = ({ epoch }: Engine, hash: string): string => `${epoch} ${hash}`

/** Returns a NO_RESULTS refusal, which can be cached with its plan; throws any other error. */
const noResults = (error: unknown): EngineError => {
  if (error instanceof EngineError && error.code === 'NO_RESULTS') return error
  throw error
}

const answerIn = (outcome: PlanOutcome): CachedAnswer => {
  if ('refusal' in outcome) throw outcome.refusal
  return outcome.answer
}

/** Plans and runs queries for requests, with the cache and the admission of the service. */
export const createQueryRunner = ({ lake, cache, admission }: RunnerOptions) => {
  /** Runs a plan, and caches its outcome, which does not depend on `max_age`. */
  const run = async ({ engine, plan, hash }: PlannedQuery, { signal }: Deadline): Promise<PlanOutcome> => {
    const { epoch } = engine
    const answered = async (answer: unknown): Promise<PlanOutcome> => {
      await giveWay()
      return { answer: toCachedAnswer(answer) }
    }
    const outcome = await engine
      .run({ ...plan, params: { ...plan.params, max_age: undefined } }, { signal })
      .then(answered, (error) => ({ refusal: noResults(error) }))
    // Outcomes of a snapshot that was found damaged meanwhile are not trusted.
    if (epoch === engine.epoch) cache.set(keyOf(engine, hash), outcome)
    return outcome
  }

  /**
   * The answer of a plan, computed when its turn comes unless another request has computed it meanwhile. Throws
   * NO_RESULTS if there is none, and DATA_TOO_OLD if it is older than `max_age`.
   */
  const compute = async (
    planned: PlannedQuery,
    work: Work,
    lane: Lane = planned.query.group,
  ): Promise<CachedAnswer> => {
    const { engine, hash, cached } = planned
    if (cached) return cached
    const { deadline, request } = work
    const { timings } = request.trace
    const start = performance.now()
    await detectDisconnects()
    const outcome = await admission.enter(lane, deadline.signal, () => {
      timings.wait = (timings.wait ?? 0) + performance.now() - start
      return timed(timings, 'run', async () => cache.get(keyOf(engine, hash)) ?? run(planned, deadline))
    })
    await giveWay()
    const answer = answerIn(outcome)
    requireFresh(planned.plan, answer.observed_at)
    return answer
  }

  return {
    /** The engine of the current snapshot; throws NOT_READY without one. */
    engine(): Engine {
      const engine = lake.engine()
      if (!engine) throw notReady(NO_SNAPSHOT, 5)
      return engine
    },

    /** Plans a query without computing anything. Throws what it is refused with. */
    async plan(
      engine: Engine,
      query: AnyQuery,
      sent: SentParams,
      work: Work,
      now = engine.now(),
    ): Promise<PlannedQuery> {
      const { deadline, request } = work
      const { trace } = request
      const admit = <T>(load: () => Promise<T>) => admission.enter('planning', deadline.signal, load)
      const plan = await timed(trace.timings, 'plan', () => engine.plan(query, readParams(query, sent), { admit, now }))
      request.plan = plan
      const hash = hashOf(plan)
      const outcome = cache.get(keyOf(engine, hash))
      Object.assign(trace, { snapshot_id: plan.snapshot_id, plan: hash, cache: outcome ? 'hit' : 'miss' })
      const cached = outcome ? answerIn(outcome) : null
      if (cached) requireFresh(plan, cached.observed_at)
      return { engine, query, plan, hash, given: sent as Record<string, string>, cached }
    },

    compute,

    /**
     * Refuses before a charge what is certain to be too old, and computes an answer in the lane `planning` if only that
     * shows whether there is one: nobody pays for an empty one. Whether an answer is as new as its scope shows when it
     * is computed, which is before its payment is settled.
     */
    async requireResults(
      planned: PlannedQuery,
      work: Work,
      isUncertain = planned.plan.may_be_empty,
    ): Promise<PlannedQuery> {
      requireFresh(planned.plan, latestPossible(planned))
      return planned.cached || !isUncertain ? planned : { ...planned, cached: await compute(planned, work, 'planning') }
    },
  }
}

export type QueryRunner = ReturnType<typeof createQueryRunner>
