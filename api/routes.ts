import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AnyQuery, commandLine, type Engine, EngineError, queries, queryId, readParams } from '../engine/index.ts'
import type { Admission, Lane } from './admission.ts'
import { answerAt, keptAnswer } from './answer.ts'
import type { Cache, Outcome } from './cache.ts'
import type { Charge, QueryRequest } from './charge.ts'
import type { Config } from './config.ts'
import { type Deadline, noticeDisconnects, withDeadline } from './deadline.ts'
import { answerHeaders, freshnessHours, hashOf, matchesEtag, serverTiming } from './headers.ts'
import type { Lake } from './lake.ts'
import { notReady } from './problem.ts'
import { parseQueryString } from './query-string.ts'
import { type Timings, timed } from './trace.ts'

const NO_SNAPSHOT =
  'No snapshot is open yet; try again shortly. ' +
  `A lake without one needs: ${commandLine('refresh', '--feeds DIR --lake DIR')}`

const queryStringOf = ({ raw: { url = '' } }: FastifyRequest): string => {
  const start = url.indexOf('?')
  return start < 0 ? '' : url.slice(start + 1)
}

/** A refusal that holds for as long as the plan does; throws any other error. */
const noResults = (error: unknown): EngineError => {
  if (error instanceof EngineError && error.code === 'NO_RESULTS') return error
  throw error
}

/** The headers that say of an answer how old it is and how long it took. */
const setAnswerHeaders = (reply: FastifyReply, freshness_seconds: number | null, timings: Timings): FastifyReply => {
  if (freshness_seconds !== null) reply.header('x-data-freshness-hours', freshnessHours(freshness_seconds))
  return reply.header('server-timing', serverTiming(timings))
}

/** What routes answer from, and whom they let through. */
export type Routes = { lake: Lake; config: Config; cache: Cache; admission: Admission; charge: Charge }

const keyOf = ({ epoch }: Engine, hash: string): string => `${epoch} ${hash}`

/** One route a query: validate, plan, charge, run, answer. Whatever can refuse comes before the charge. */
export const addRoutes = (app: FastifyInstance, { lake, config, cache, admission, charge }: Routes): void => {
  const isFree = ({ group }: AnyQuery): boolean => group === 'public' || config.payments === 'off'

  /** Runs a plan, and keeps what it leads to. */
  const run = async (engine: Engine, { plan, deadline }: QueryRequest, hash: string): Promise<Outcome> => {
    const { epoch } = engine
    const outcome = await engine.run(plan, { signal: deadline.signal }).then(
      (answer) => ({ answer: keptAnswer(answer) }),
      (error) => ({ refusal: noResults(error) }),
    )
    // What a snapshot answered before it was found damaged is not trusted.
    if (epoch === engine.epoch) cache.set(keyOf(engine, hash), outcome)
    return outcome
  }

  /** What a plan leads to, when its turn has come: another request may have computed it meanwhile. */
  const compute = async (
    engine: Engine,
    queryRequest: QueryRequest,
    hash: string,
    lane: Lane = queryRequest.query.group,
  ) => {
    const { deadline, trace } = queryRequest
    const { timings } = trace
    const start = performance.now()
    await noticeDisconnects()
    return admission.enter(lane, deadline.signal, () => {
      timings.wait = performance.now() - start
      return timed(timings, 'run', async () => cache.get(keyOf(engine, hash)) ?? run(engine, queryRequest, hash))
    })
  }

  /** Sends the answer. Its deadline ends here: a reply is a promise, which ends with the connection's last byte. */
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
    const known = cache.get(keyOf(engine, hash))
    Object.assign(trace, { snapshot_id: plan.snapshot_id, plan: hash, cache: known ? 'hit' : 'miss' })
    if (known && 'refusal' in known) throw known.refusal
    reply.headers(answerHeaders(query.group, hash))
    // Whoever holds the answer has paid for it: hearing that it still stands is free, and a payment sent along is left.
    if (matchesEtag(request.headers['if-none-match'], hash, known !== undefined && isFree(query))) {
      const seconds = known ? answerAt(known.answer, plan.as_of).freshness_seconds : null
      setAnswerHeaders(reply, seconds, timings).code(304).send()
      return
    }
    const queryRequest = { query, plan, given: sent as Record<string, string>, request, reply, deadline, trace }
    // Nobody pays for an empty answer: if only computing shows whether it is empty, compute before the 402.
    const isUnsure = !known && plan.may_be_empty && !isFree(query)
    const found = isUnsure ? await compute(engine, queryRequest, hash, 'planning') : known
    if (found && 'refusal' in found) throw found.refusal
    // What could not be computed is neither charged nor offered.
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
