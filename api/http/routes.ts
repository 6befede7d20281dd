import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AnyQuery, boughtIn, giveWay, queries, queryId } from '../../engine/index.ts'
import type { Config } from '../ops/config.ts'
import { apiPath } from './address.ts'
import type { Admission } from './admission.ts'
import { answerAt } from './answer.ts'
import { type Charge, type ManageSession, saleOf } from './charge.ts'
import { type Deadline, withDeadline } from './deadline.ts'
import { createConversion, formatHeaders, formatOf, isAlwaysAvailable, tagOf } from './format.ts'
import { answerHeaders, freshnessHours, matchesEtag, serverTiming } from './headers.ts'
import type { QueryRunner } from './query-runner.ts'
import { parseQueryString } from './query-string.ts'
import { type Timings, timed } from './trace.ts'

/** The query string of a request, without the question mark. */
export const queryStringOf = ({ raw: { url = '' } }: FastifyRequest): string => {
  const start = url.indexOf('?')
  return start < 0 ? '' : url.slice(start + 1)
}

/** Sets the headers with the age of an answer and its timings. */
export const setAnswerHeaders = (
  reply: FastifyReply,
  freshness_seconds: number | null,
  timings: Timings,
): FastifyReply => {
  if (freshness_seconds !== null) reply.header('x-data-freshness-hours', freshnessHours(freshness_seconds))
  return reply.header('server-timing', serverTiming(timings))
}

/** What the routes need. */
export type RouteOptions = {
  runner: QueryRunner
  config: Config
  admission: Admission
  charge: Charge
  /** Null where no session is offered. */
  manage: ManageSession | null
}

/** Whether a query is answered without payment. */
export const isFree = ({ group }: AnyQuery, { payments }: Config): boolean => group === 'public' || payments === 'off'

/**
 * Adds one route per query: validate, plan, charge, run, answer. Everything that can refuse comes before the charge.
 */
export const addRoutes = (app: FastifyInstance, { runner, config, admission, charge, manage }: RouteOptions): void => {
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
    const work = { request, deadline }
    trace.query = queryId(query)
    const engine = runner.engine()
    const { table, ...sent } = parseQueryString(queryStringOf(request))
    const format = formatOf(query, request.headers.accept, table)
    let planned = await runner.plan(engine, query, sent, work)
    const { plan, given, cached } = planned
    const tag = tagOf(planned.hash, format)
    reply.headers(answerHeaders(query.group, tag))
    // A client that has the answer has paid for it: a 304 is free, and a payment in the request is not used.
    if (matchesEtag(request.headers['if-none-match'], tag, cached !== null && isFree(query, config))) {
      const seconds = cached && answerAt(cached, plan.as_of).freshness_seconds
      setAnswerHeaders(reply, seconds, timings).headers(formatHeaders(query, format)).code(304).send()
      return
    }
    const convert = createConversion(query, format, (convertTable) =>
      timed(timings, 'format', () => admission.enter(query.group, deadline.signal, convertTable)),
    )
    if (!isFree(query, config)) {
      const isUncertain = plan.may_be_empty || !isAlwaysAvailable(query, format)
      planned = await runner.requireResults(planned, work, isUncertain)
      if (planned.cached && !isAlwaysAvailable(query, format)) await convert(answerAt(planned.cached, plan.as_of).body)
      // An answer that cannot be computed is neither offered nor charged.
      if (!planned.cached || format.format === 'parquet') admission.refuseWhenFull(query.group)
    }
    const sale = saleOf(query, given)
    const bought = await charge(
      { sale, resolved_product: boughtIn(plan), request, reply, deadline, trace },
      async () => {
        const computed = answerAt(await runner.compute(planned, work), plan.as_of)
        // Before the payment is settled, so that a failure costs nothing. The journal has JSON, for any format later.
        await convert(computed.body)
        return computed
      },
    )
    if (bought === null) {
      reply.code(204).send()
      return
    }
    const { body, freshness_seconds } = bought
    const converted = await convert(body)
    await giveWay()
    setAnswerHeaders(reply, freshness_seconds, timings).headers(formatHeaders(query, format)).send(converted)
  }

  // Clients of sessions send what buys no answer to the address of the last one.
  if (manage)
    for (const query of queries.filter((paid: AnyQuery) => !isFree(paid, config)))
      app.post(apiPath(query), async (request, reply) => {
        reply
          .headers(await manage(request))
          .code(204)
          .send()
        return reply
      })

  for (const query of queries)
    app.get(
      apiPath(query),
      { exposeHeadRoute: query.group === 'public' },
      (request: FastifyRequest, reply: FastifyReply) => {
        const work = withDeadline(config.timeout_ms, request.raw, (deadline) => answer(query, request, reply, deadline))
        request.trace.work = work
        return work.then(() => reply)
      },
    )
}
