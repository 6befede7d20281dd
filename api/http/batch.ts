import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { giveWay } from '../../engine/index.ts'
import type { Config } from '../ops/config.ts'
import type { Admission } from './admission.ts'
import { answerAt, type CachedAnswer, type SerializedAnswer } from './answer.ts'
import { MAX_BODY_BYTES, readBatch, readRequest } from './batch-body.ts'
import { type Charge, type ManageSession, type Sale, saleOf } from './charge.ts'
import { type Deadline, withDeadline } from './deadline.ts'
import { requireJson } from './format.ts'
import { clientOf, type RateLimit } from './limits.ts'
import { Refusal, refusalOf } from './problem.ts'
import type { PlannedQuery, QueryRunner, Work } from './query-runner.ts'
import { isFree, setAnswerHeaders } from './routes.ts'

/** The most bytes of all answers together: the service and its payment journal have them in memory. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024

/** The refusal of one request of a batch, by its index. */
type RefusedRequest = { index: number; status: number; code: string; message: string; details: object }

/** The refusal of a request; throws what is not about the request: then the batch may be sent again. */
const refusedRequest = (error: unknown, index: number): RefusedRequest => {
  const { status, code, message, details } = refusalOf(error)
  if (status >= 500) throw error
  return { index, status, code, message, details }
}

const batchRefused = (refused: readonly RefusedRequest[], count: number): Refusal => {
  const [first] = refused
  const verb = refused.length === 1 ? 'is' : 'are'
  return new Refusal(
    'BATCH_REFUSED',
    `${refused.length} of ${count} requests ${verb} refused, so nothing was charged; request ${first?.index}: ${first?.message}`,
    { refused },
  )
}

/** The sale of a batch: the sum of its prices, bound to its requests in their order. */
const batchSale = (planned: readonly PlannedQuery[]): Sale => {
  const sales = planned.map(({ query, given }) => saleOf(query, given))
  const hash = createHash('sha256').update(JSON.stringify(sales.map(({ question }) => question)))
  return {
    name: 'batch',
    description: `The answers to ${sales.length} queries`,
    amount: sales.reduce((sum, { amount }) => sum + amount, 0),
    path: '/v1/batch',
    parameters: null,
    question: `POST /v1/batch ${hash.digest('base64url')}`,
  }
}

/** Answers as a list. Its age is that of the oldest. */
const listOf = (answers: readonly SerializedAnswer[]): SerializedAnswer => {
  const ages = answers.flatMap(({ freshness_seconds }) => freshness_seconds ?? [])
  return {
    body: Buffer.concat([
      ...answers.flatMap(({ body }, index) => [Buffer.from(index === 0 ? '[' : ','), body]),
      Buffer.from(']'),
    ]),
    freshness_seconds: ages.length > 0 ? Math.max(...ages) : null,
  }
}

type BatchOptions = {
  runner: QueryRunner
  config: Config
  admission: Admission
  charge: Charge
  base_url: () => string
  takeToken: RateLimit
  manage: ManageSession | null
}

/**
 * Adds POST /v1/batch: the answers to up to 100 queries for one payment of the sum of their prices. All are planned first:
 * if one is refused, or cannot be computed, nothing is charged. They are computed one after the other, each of which waits
 * in the queue of its group, so that a batch delays others no more than a client that sends its requests in turn. The time
 * limit is that of one request; answers are cached, so that a batch that took too long continues when it is sent again.
 */
export const addBatch = (app: FastifyInstance, options: BatchOptions): void => {
  const { runner, config, admission, charge, base_url, takeToken, manage } = options

  /** Plans every request, as for its answer alone. Throws BATCH_REFUSED with all that are refused. */
  const planAll = async (requests: readonly unknown[], work: Work): Promise<PlannedQuery[]> => {
    const engine = runner.engine()
    const now = engine.now()
    const planned: PlannedQuery[] = []
    const refused: RefusedRequest[] = []
    for (const [index, item] of requests.entries())
      try {
        const { query, sent } = readRequest(item, base_url())
        const one = await runner.plan(engine, query, sent, work, now)
        planned.push(isFree(query, config) ? one : await runner.requireResults(one, work))
      } catch (error) {
        refused.push(refusedRequest(error, index))
      }
    if (refused.length > 0) throw batchRefused(refused, requests.length)
    return planned
  }

  /** Computes every answer; those that are in the batch several times once. */
  const computeAll = async (planned: readonly PlannedQuery[], work: Work): Promise<SerializedAnswer> => {
    const computed = new Map<string, CachedAnswer>()
    const answers: SerializedAnswer[] = []
    let bytes = 0
    for (const [index, one] of planned.entries()) {
      const answer =
        computed.get(one.hash) ??
        (await runner.compute(one, work).catch((error) => {
          throw batchRefused([refusedRequest(error, index)], planned.length)
        }))
      computed.set(one.hash, answer)
      const sent = answerAt(answer, one.plan.as_of)
      bytes += sent.body.length
      if (bytes > MAX_ANSWER_BYTES)
        throw new Refusal(
          'INVALID_PARAMS',
          `The first ${index + 1} answers have more than ${MAX_ANSWER_BYTES} bytes; send fewer requests.`,
          { maximum_bytes: MAX_ANSWER_BYTES },
        )
      answers.push(sent)
      await giveWay()
    }
    return listOf(answers)
  }

  const answer = async (request: FastifyRequest, reply: FastifyReply, deadline: Deadline): Promise<void> => {
    const { trace } = request
    trace.query = 'batch'
    if (manage && request.body === undefined && request.headers.authorization !== undefined) {
      reply.headers(await manage(request)).code(204)
      return void reply.send()
    }
    requireJson(request.headers.accept)
    const requests = readBatch(request.body as Buffer | undefined)
    // The request itself has taken one.
    const tokens = Math.min(requests.length, config.burst) - 1
    reply.headers(takeToken(clientOf(request.ip), undefined, tokens))
    const work = { request, deadline }
    const planned = await planAll(requests, work)
    const sale = batchSale(planned)
    const missing = planned.filter(({ cached }) => !cached)
    trace.cache = missing.length === 0 ? 'hit' : 'miss'
    // What cannot be computed is neither offered nor charged.
    for (const group of new Set(missing.map(({ query }) => query.group))) admission.refuseWhenFull(group)
    const bought = await charge({ sale, resolved_product: null, request, reply, deadline, trace }, () =>
      computeAll(planned, work),
    )
    if (bought === null) {
      reply.code(204).send()
      return
    }
    const { body, freshness_seconds } = bought
    reply.headers({ 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' })
    setAnswerHeaders(reply, freshness_seconds, trace.timings).send(body)
  }

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
    scope.post('/v1/batch', { bodyLimit: MAX_BODY_BYTES }, (request, reply) => {
      const work = withDeadline(config.timeout_ms, reply.raw, (deadline) => answer(request, reply, deadline))
      request.trace.work = work
      return work.then(() => reply)
    })
  })
}
