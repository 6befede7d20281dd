import type { FastifyRequest } from 'fastify'
import {
  type AnyQuery,
  commandLine,
  type Engine,
  EngineError,
  hasOwnAge,
  type Plan,
  readParams,
  requireFresh,
} from '../engine/index.ts'
import type { Admission, Lane } from './admission.ts'
import { type CachedAnswer, toCachedAnswer } from './answer.ts'
import type { Cache, PlanOutcome } from './cache.ts'
import { type Deadline, detectDisconnects } from './deadline.ts'
import { hashOf } from './headers.ts'
import type { Lake } from './lake.ts'
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
  found: CachedAnswer | null
}

export type RunnerOptions = { lake: Lake; cache: Cache; admission: Admission }

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
    const outcome = await engine.run({ ...plan, params: { ...plan.params, max_age: undefined } }, { signal }).then(
      (answer) => ({ answer: toCachedAnswer(answer) }),
      (error) => ({ refusal: noResults(error) }),
    )
    // Outcomes of a snapshot that was found damaged meanwhile are not trusted.
    if (epoch === engine.epoch) cache.set(keyOf(engine, hash), outcome)
    return outcome
  }

  /**
   * The answer of a plan, computed when its turn comes unless another request has computed it meanwhile. Throws
   * NO_RESULTS if there is none.
   */
  const compute = async (
    planned: PlannedQuery,
    work: Work,
    lane: Lane = planned.query.group,
  ): Promise<CachedAnswer> => {
    const { engine, hash, found } = planned
    if (found) return found
    const { deadline, request } = work
    const { timings } = request.trace
    const start = performance.now()
    await detectDisconnects()
    const outcome = await admission.enter(lane, deadline.signal, () => {
      timings.wait = (timings.wait ?? 0) + performance.now() - start
      return timed(timings, 'run', async () => cache.get(keyOf(engine, hash)) ?? run(planned, deadline))
    })
    return answerIn(outcome)
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
      const admit = (load: () => Promise<unknown>) => admission.enter('planning', deadline.signal, load)
      const plan = await timed(trace.timings, 'plan', () => engine.plan(query, readParams(query, sent), { admit, now }))
      request.plan = plan
      const hash = hashOf(plan)
      const outcome = cache.get(keyOf(engine, hash))
      Object.assign(trace, { snapshot_id: plan.snapshot_id, plan: hash, cache: outcome ? 'hit' : 'miss' })
      const found = outcome ? answerIn(outcome) : null
      if (found) requireFresh(plan, found.observed_at)
      return { engine, query, plan, hash, given: sent as Record<string, string>, found }
    },

    compute,

    /**
     * Computes an answer whose age has to be known since the request has a `max_age`. Throws DATA_TOO_OLD. Like all that
     * is computed before a payment it waits in the lane `planning`.
     */
    async requireAge(planned: PlannedQuery, work: Work): Promise<PlannedQuery> {
      const { query, plan, found } = planned
      if (plan.params.max_age === undefined || found || !hasOwnAge(query)) return planned
      const computed = await compute(planned, work, 'planning')
      requireFresh(plan, computed.observed_at)
      return { ...planned, found: computed }
    },

    /** Computes an answer before it is charged for if only that shows whether there is one: nobody pays for an empty one. */
    async requireResults(
      planned: PlannedQuery,
      work: Work,
      isUncertain = planned.plan.may_be_empty,
    ): Promise<PlannedQuery> {
      return planned.found || !isUncertain ? planned : { ...planned, found: await compute(planned, work, 'planning') }
    },
  }
}

export type QueryRunner = ReturnType<typeof createQueryRunner>
