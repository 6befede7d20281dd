import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AnyQuery, type Engine, type Plan, queries, readParams } from '../engine/index.ts'
import { type Answer, createCache } from './cache.ts'
import { createCharge } from './charge.ts'
import type { Config } from './config.ts'
import { answerHeaders, freshnessHours, hashOf } from './headers.ts'
import type { ServedLake } from './lake.ts'
import { createGate } from './limits.ts'
import { parseQueryString } from './query-string.ts'

/** Aborts when the client leaves or the time for a question is up. */
const deadline = (request: FastifyRequest, milliseconds: number): { signal: AbortSignal; end: () => void } => {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const timer = setTimeout(abort, milliseconds)
  request.raw.socket.once('close', abort)
  return {
    signal: controller.signal,
    end: () => {
      clearTimeout(timer)
      request.raw.socket.off('close', abort)
    },
  }
}

const queryStringOf = ({ raw: { url = '' } }: FastifyRequest): string => {
  const start = url.indexOf('?')
  return start < 0 ? '' : url.slice(start + 1)
}

const compute = async (engine: Engine, plan: Plan, signal: AbortSignal): Promise<Answer> => {
  const answer = (await engine.run(plan, { signal })) as { meta?: { freshness_seconds: number | null } }
  const seconds = answer.meta?.freshness_seconds
  return {
    body: JSON.stringify(answer),
    freshness_hours: seconds === null || seconds === undefined ? null : freshnessHours(seconds),
  }
}

const timing = (marks: readonly (readonly [string, number])[]): string =>
  marks.map(([name, milliseconds]) => `${name};dur=${milliseconds.toFixed(2)}`).join(', ')

/** One route a query: validate, plan, charge, run, answer. Whatever can refuse comes before the charge. */
export const addRoutes = (app: FastifyInstance, lake: ServedLake, config: Config): void => {
  const cache = createCache(config.cache_bytes)
  const gate = createGate(config.connections + config.queue)
  const charge = createCharge(config)

  const answerTo = (engine: Engine, plan: Plan, hash: string, request: FastifyRequest): Promise<Answer> => {
    const known = cache.get(hash)
    if (known) return Promise.resolve(known)
    return gate(async () => {
      const { signal, end } = deadline(request, config.timeout_ms)
      const answer = await compute(engine, plan, signal).finally(end)
      cache.set(hash, answer)
      return answer
    })
  }

  const serve = (query: AnyQuery) => async (request: FastifyRequest, reply: FastifyReply) => {
    const start = performance.now()
    const engine = lake.engine()
    const plan = await engine.plan(query, readParams(query, parseQueryString(queryStringOf(request))))
    request.plan = plan
    charge(query)
    const planned = performance.now()
    const hash = hashOf(plan)
    reply.headers(answerHeaders(query.group, hash))
    const answer = await answerTo(engine, plan, hash, request)
    if (answer.freshness_hours) reply.header('x-data-freshness-hours', answer.freshness_hours)
    reply.header(
      'server-timing',
      timing([
        ['plan', planned - start],
        ['run', performance.now() - planned],
      ]),
    )
    if (request.headers['if-none-match'] === `"${hash}"`) return reply.code(304).send()
    return reply.send(answer.body)
  }

  for (const query of queries) app.get(`/v1/${query.group}/${query.name}`, serve(query))
}
