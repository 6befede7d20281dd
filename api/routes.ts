import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AnyQuery, commandLine, type Engine, EngineError, queries, queryId, readParams } from '../engine/index.ts'
import type { Admission, Lane } from './admission.ts'
import { answerAt, toCachedAnswer } from './answer.ts'
import type { Cache, PlanOutcome } from './cache.ts'
import type { Charge, QueryRequest } from './charge.ts'
import type { Config } from './config.ts'
import { type Deadline, detectDisconnects, withDeadline } from './deadline.ts'
import { answerHeaders, freshnessHours, hashOf, matchesEtag, serverTiming } from './headers.ts'
import type { Lake } from './lake.ts'
import { notReady } from './problem.ts'
import { parseQueryString } from './query-string.ts'
import { type Timings, timed } from './trace.ts'

const NO_SNAPSHOT = `No snapshot is open yet; retry shortly. To create one: ${commandLine('refresh', '--feeds DIR --lake DIR')}`

/** The query string of a request, without the question mark. */
export const queryStringOf = ({ raw: { url = '' } }: FastifyRequest): string => {
  const start = url.indexOf('?')
  return start < 0 ? '' : url.slice(start + 1)
}

/** Returns a NO_RESULTS refusal, which can be cached with its plan; throws any other error. */
const noResults = (error: unknown): EngineError => {
  if (error instanceof EngineError && error.code === 'NO_RESULTS') return error
  throw error
}

/** Sets the headers with the age of an answer and its timings. */
const setAnswerHeaders = (reply: FastifyReply, freshness_seconds: number | null, timings: Timings): FastifyReply => {
  if (freshness_seconds !== null) reply.header('x-data-freshness-hours', freshnessHours(freshness_seconds))
  return reply.header('server-timing', serverTiming(timings))
}

/** What the routes need. */
export type RouteOptions = { lake: Lake; config: Config; cache: Cache; admission: Admission; charge: Charge }

const keyOf = ({ epoch }: Engine, hash: string): string => `${epoch} ${hash}`

/**
 * Adds one route per query: validate, plan, charge, run, answer. Everything that can refuse comes before the charge.
 */
export const addRoutes = (app: FastifyInstance, { lake, config, cache, admission, charge }: RouteOptions): void => {
  const isFree = ({ group }: AnyQuery): boolean => group === 'public' || config.payments === 'off'

  /** Runs a plan, and caches its outcome. */
  const run = async (engine: Engine, { plan, deadline }: QueryRequest, hash: string): Promise<PlanOutcome> => {
    const { epoch } = engine
    const outcome = await engine.run(plan, { signal: deadline.signal }).then(
      (answer) => ({ answer: toCachedAnswer(answer) }),
      (error) => ({ refusal: noResults(error) }),
    )
    // Outcomes of a snapshot that was found damaged meanwhile are not trusted.
    if (epoch === engine.epoch) cache.set(keyOf(engine, hash), outcome)
    return outcome
  }

  /** The outcome of a plan, computed when its turn comes unless another request has computed it meanwhile. */
  const compute = async (
    engine: Engine,
    queryRequest: QueryRequest,
    hash: string,
    lane: Lane = queryRequest.query.group,
  ) => {
    const { deadline, trace } = queryRequest
    const { timings } = trace
    const start = performance.now()
    await detectDisconnects()
    return admission.enter(lane, deadline.signal, () => {
      timings.wait = performance.now() - start
      return timed(timings, 'run', async () => cache.get(keyOf(engine, hash)) ?? run(engine, queryRequest, hash))
    })
  }

  /**
   * Sends the answer. Returns nothing: a reply is a promise that resolves with the connection's last byte, and the
   * deadline must end before.
   */
  const answer = async (
    query: AnyQuery,
    request: FastifyRequest,
    reply: FastifyReply,
    deadline: Deadline,
  ): Promise<void> => {
    const { trace } = request
    const { timings } = trace
    trace.query = queryId(query)
    const engine = lake.engine()
    if (!engine) throw notReady(NO_SNAPSHOT, 5)
    const sent = parseQueryString(queryStringOf(request))
    const admit = (load: () => Promise<unknown>) => admission.enter('planning', deadline.signal, load)
    const plan = await timed(timings, 'plan', () => engine.plan(query, readParams(query, sent), { admit }))
    request.plan = plan
    const hash = hashOf(plan)
    const cached = cache.get(keyOf(engine, hash))
    Object.assign(trace, { snapshot_id: plan.snapshot_id, plan: hash, cache: cached ? 'hit' : 'miss' })
    if (cached && 'refusal' in cached) throw cached.refusal
    reply.headers(answerHeaders(query.group, hash))
    // A client that has the answer has paid for it: a 304 is free, and a payment in the request is not used.
    if (matchesEtag(request.headers['if-none-match'], hash, cached !== undefined && isFree(query))) {
      const seconds = cached ? answerAt(cached.answer, plan.as_of).freshness_seconds : null
      setAnswerHeaders(reply, seconds, timings).code(304).send()
      return
    }
    const queryRequest = { query, plan, given: sent as Record<string, string>, request, reply, deadline, trace }
    // Nobody pays for an empty answer: if the plan does not rule that out, compute before the 402.
    const mayBeEmpty = !cached && plan.may_be_empty && !isFree(query)
    const found = mayBeEmpty ? await compute(engine, queryRequest, hash, 'planning') : cached
    if (found && 'refusal' in found) throw found.refusal
    // An answer that cannot be computed is neither offered nor charged.
    if (!found && !isFree(query)) admission.refuseWhenFull(query.group)
    const { body, freshness_seconds } = await charge(queryRequest, async () => {
      const outcome = found ?? (await compute(engine, queryRequest, hash))
      if ('refusal' in outcome) throw outcome.refusal
      return answerAt(outcome.answer, plan.as_of)
    })
    setAnswerHeaders(reply, freshness_seconds, timings).send(body)
  }

  for (const query of queries)
    app.get(
      `/v1/${query.group}/${query.name}`,
      { exposeHeadRoute: query.group === 'public' },
      (request: FastifyRequest, reply: FastifyReply) => {
        const work = withDeadline(config.timeout_ms, request.raw, (deadline) => answer(query, request, reply, deadline))
        request.trace.work = work
        return work.then(() => reply)
      },
    )
}
