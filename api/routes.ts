import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AnyQuery, type Engine, queries, readParams } from '../engine/index.ts'
import { type Answer, createCache } from './cache.ts'
import type { Asked, Charge } from './charge.ts'
import type { Config } from './config.ts'
import { within } from './deadline.ts'
import { answerHeaders, freshnessHours, hashOf, isHeld, serverTiming } from './headers.ts'
import type { Lake } from './lake.ts'
import { createGate } from './limits.ts'
import { notReady } from './problem.ts'
import { parseQueryString } from './query-string.ts'

const NO_SNAPSHOT =
  'No snapshot is open yet; try again shortly. A lake without one needs: npm run -s refresh -- --feeds DIR --lake DIR'

const queryStringOf = ({ raw: { url = '' } }: FastifyRequest): string => {
  const start = url.indexOf('?')
  return start < 0 ? '' : url.slice(start + 1)
}

/** An answer as HTTP sends it: the very bytes of the command line. */
const answerOf = (answer: unknown): Answer => ({
  body: Buffer.from(JSON.stringify(answer)),
  freshness_seconds: (answer as { meta?: { freshness_seconds: number | null } }).meta?.freshness_seconds ?? null,
})

/** The headers that tell of an answer how old it is and how long it took. */
const tell = (reply: FastifyReply, { freshness_seconds }: Answer, timings: Record<string, number>): FastifyReply => {
  if (freshness_seconds !== null) reply.header('x-data-freshness-hours', freshnessHours(freshness_seconds))
  return reply.header('server-timing', serverTiming(timings))
}

const keyOf = ({ epoch }: Engine, hash: string): string => `${epoch} ${hash}`

/** One route a query: validate, plan, charge, run, answer. Whatever can refuse comes before the charge. */
export const addRoutes = (app: FastifyInstance, lake: Lake, config: Config, charge: Charge): void => {
  const cache = createCache(config.cache_mib * 1024 * 1024)
  const gate = createGate(config.connections + config.queue)
  const isFree = ({ group }: AnyQuery): boolean => group === 'public' || config.payments === 'off'

  const compute = async (engine: Engine, { plan, request }: Asked, hash: string): Promise<Answer> => {
    const { epoch } = engine
    const answer = await within(config.timeout_ms, request.raw, (signal) => engine.run(plan, { signal }))
    const ready = answerOf(answer)
    // What a snapshot answered before it was found damaged is not trusted.
    if (epoch === engine.epoch) cache.set(keyOf(engine, hash), ready)
    return ready
  }

  const serve = (query: AnyQuery) => async (request: FastifyRequest, reply: FastifyReply) => {
    const start = performance.now()
    const engine = lake.engine()
    if (!engine) throw notReady(NO_SNAPSHOT, 5)
    const sent = parseQueryString(queryStringOf(request))
    const plan = await engine.plan(query, readParams(query, sent))
    request.plan = plan
    const hash = hashOf(plan)
    const known = cache.get(keyOf(engine, hash))
    reply.headers(answerHeaders(query.group, hash))
    const planned = performance.now()
    const timings: Record<string, number> = { plan: planned - start }
    // Whoever holds the answer has paid for it: hearing that it still stands is free, and a payment sent along is left.
    if (known && isHeld(request.headers['if-none-match'], hash, isFree(query)))
      return tell(reply, known, timings).code(304).send()

    const given = sent as Record<string, string>
    const asked = { query, plan, given, request, reply, timings }
    if (!known) gate.refuseWhenFull()
    const run = async (): Promise<Answer> => {
      const from = performance.now()
      const answer = known ?? (await gate.enter(() => compute(engine, asked, hash)))
      timings.run = performance.now() - from
      return answer
    }
    const charged = await charge(asked, run)
    return tell(reply, charged, timings).send(charged.body)
  }

  for (const query of queries)
    app.get(`/v1/${query.group}/${query.name}`, { exposeHeadRoute: query.group === 'public' }, serve(query))
}
