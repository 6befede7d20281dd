import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ageOf, boughtIn, hasOwnAge, invalidParam, queryId } from '../../engine/index.ts'
import type { Config } from '../ops/config.ts'
import { acceptedNetworks } from '../ops/networks.ts'
import { dollars } from '../ops/prices.ts'
import { saleOf } from './charge.ts'
import { type Deadline, withDeadline } from './deadline.ts'
import { requireJson, requireTable } from './format.ts'
import { freshnessHours, serverTiming } from './headers.ts'
import { newestOf, type PlannedQuery, type QueryRunner } from './query-runner.ts'
import { parseQueryString } from './query-string.ts'
import type { Quote } from './quote-schema.ts'
import { isFree, queryStringOf } from './routes.ts'
import { readTarget } from './target.ts'

const SMALL_ROWS = 100_000
const MEDIUM_ROWS = 10_000_000

const sizeOf = (rows: number): Quote['size'] => {
  if (rows <= SMALL_ROWS) return 'small'
  return rows <= MEDIUM_ROWS ? 'medium' : 'large'
}

/** The address in the parameter `path`, the only one. */
const readPath = (queryString: string): string => {
  const { path, ...others } = parseQueryString(queryString)
  const [other] = Object.keys(others)
  if (other !== undefined)
    throw invalidParam(other.slice(0, 64), 'is not a parameter of quote; percent-encode path as a whole, & as %26', {
      accepted: ['path'],
    })
  if (typeof path === 'string' && path !== '') return path
  throw invalidParam(
    'path',
    path ? 'is given more than once; send it once' : 'required; send a path such as /v1/public/stats',
  )
}

type QuoteOptions = { runner: QueryRunner; config: Config; base_url: () => string }

/**
 * Adds GET /v1/quote: what a request would cost, how old its data are and how much it reads, without payment. The query is
 * planned as for its answer, and refused for the same reasons, but nothing is computed.
 */
export const addQuote = (app: FastifyInstance, { runner, config, base_url }: QuoteOptions): void => {
  const quoteOf = (planned: PlannedQuery): Quote => {
    const { engine, query, plan, given, cached } = planned
    const { path, amount } = saleOf(query, given)
    const free = isFree(query, config)
    const rows = engine.rowsToRead(plan)
    const newest_observed_at = newestOf(planned)
    return {
      path,
      query: queryId(query),
      free,
      price: dollars(free ? 0 : amount),
      currency: 'USD',
      networks: free ? [] : [...acceptedNetworks(config)],
      resolved_product: boughtIn(plan),
      snapshot_id: plan.snapshot_id,
      as_of: plan.as_of,
      newest_observed_at,
      freshness_hours: ageOf(plan.as_of, newest_observed_at).staleHours,
      may_be_refused: !cached && (plan.may_be_empty || (plan.params.max_age !== undefined && hasOwnAge(query))),
      cached: cached !== null,
      rows,
      size: sizeOf(rows),
    }
  }

  const answer = async (request: FastifyRequest, reply: FastifyReply, deadline: Deadline): Promise<void> => {
    const { trace } = request
    trace.query = 'quote'
    requireJson(request.headers.accept)
    const engine = runner.engine()
    const { query, sent } = readTarget(readPath(queryStringOf(request)), base_url())
    const { table, ...params } = sent
    requireTable(query, table)
    const quote = quoteOf(await runner.plan(engine, query, params, { request, deadline }))
    if (quote.freshness_hours !== null)
      reply.header('x-data-freshness-hours', freshnessHours(quote.freshness_hours * 3600))
    reply
      .headers({ 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' })
      .header('server-timing', serverTiming(trace.timings))
      .send(JSON.stringify(quote))
  }

  app.get('/v1/quote', { exposeHeadRoute: true }, (request, reply) => {
    const work = withDeadline(config.timeout_ms, request.raw, (deadline) => answer(request, reply, deadline))
    request.trace.work = work
    return work.then(() => reply)
  })
}
