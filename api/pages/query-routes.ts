import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AnyQuery, type DrawingThread, giveWay, queries } from '../../engine/index.ts'
import type { Admission } from '../http/admission.ts'
import { clientOf, type RateLimit } from '../http/limits.ts'
import { notReady, Refusal } from '../http/problem.ts'
import type { SentParams } from '../http/query-runner.ts'
import { queryStringOf } from '../http/routes.ts'
import type { Lake } from '../ops/lake.ts'
import type { TestWallet } from '../payment/test-wallet.ts'
import { pagePath } from './calls.ts'
import { filePath, fileTypeOf } from './citation.ts'
import { createComparisons } from './comparison-routes.ts'
import type { Example, Examples } from './examples.ts'
import { computeAnswer, isExample } from './free-answers.ts'
import { paymentHeadersOf } from './own-api.ts'
import { buyWithTestMoney, type DrawPlots, quoteQuery, sendQuery } from './query-outcome.ts'
import { type PageOutcome, queryPage } from './query-page.ts'
import { requireSameOrigin } from './same-origin.ts'
import type { PageSender } from './sender.ts'
import { formValues, sentParams } from './sent-params.ts'
import { priceOf, type Site } from './site.ts'

export type QueryRoutesOptions = {
  lake: Lake
  admission: Admission
  examples: Examples
  drawing: DrawingThread
  send: PageSender
  site: () => Site
  /** The wallet of the local chains; null unless payments are embedded. */
  wallet: TestWallet | null
  /** Takes a token for a form, which costs more than a request of the interface: its answer is also drawn. */
  takeToken: RateLimit
  timeout_ms: number
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

type RefusalDetails = {
  parameter?: string
  issues?: readonly { parameter: string; message: string }[]
  retailer?: string
}

/** The message of a refusal at each parameter that it is about. */
const fieldErrors = (outcome: PageOutcome): Record<string, string> => {
  if (outcome.kind !== 'refused') return {}
  const { code, message, body } = outcome
  const { error } = JSON.parse(body) as { error?: { details?: RefusalDetails } }
  const { parameter, issues = [] } = error?.details ?? {}
  const about = code === 'RETAILER_NOT_SERVING_ELIGIBLE' ? 'retailer' : parameter
  const text = about !== undefined && message.startsWith(`${about}: `) ? message.slice(about.length + 2) : message
  return {
    ...(about === undefined ? {} : { [about]: text }),
    ...Object.fromEntries(issues.map((issue) => [issue.parameter, issue.message])),
  }
}

const purchaseOf = (body: unknown): string => {
  const purchase = new URLSearchParams(typeof body === 'string' ? body : '').get('purchase') ?? ''
  return UUID.test(purchase) ? purchase : randomUUID()
}

/** Adds a page for each query: its example, and what the visitor's parameters lead to. */
export const addQueryPages = (app: FastifyInstance, options: QueryRoutesOptions): void => {
  const { lake, admission, examples, drawing, send, site, wallet, takeToken, timeout_ms } = options

  /** Draws within what is left of the time of a page that starts now. */
  const drawUntilDeadline = (): DrawPlots => {
    const deadline = performance.now() + timeout_ms
    return (query, body) => drawing.draw(query, body, deadline - performance.now())
  }

  const sendOutcome = async (query: AnyQuery, sent: SentParams, outcome: PageOutcome, reply: FastifyReply) => {
    const params = formValues(sent)
    const form = { values: params, errors: fieldErrors(outcome) }
    const facts = (await examples.facts())?.facts ?? null
    await giveWay()
    const page = await queryPage({ query, facts, site: site(), params, form, outcome })
    await giveWay()
    if (outcome.kind === 'refused') {
      reply.code(outcome.status)
      if (outcome.retry_after) reply.header('retry-after', outcome.retry_after)
    }
    return send.single(page, reply)
  }

  const comparisons = createComparisons(app, { examples, drawing, site, timeout_ms }, sendOutcome)

  const sendExample = async (query: AnyQuery, example: Example, request: FastifyRequest, reply: FastifyReply) =>
    send.shared(request, reply, example.state, (facts) =>
      queryPage({
        query,
        facts,
        site: site(),
        params: example.params,
        form: { values: example.params, errors: {} },
        outcome: { kind: 'example', example },
      }),
    )

  const answer = async (query: AnyQuery, request: FastifyRequest, reply: FastifyReply) => {
    const draw = drawUntilDeadline()
    if (queryStringOf(request) === '') return sendExample(query, await examples.of(query), request, reply)
    takeToken(clientOf(request.ip))
    const facts = (await examples.facts())?.facts
    const type = fileTypeOf(request.headers.accept)
    if (type && facts) {
      const path = filePath({ query, params: formValues(sentParams(request)), facts }, type)
      return reply.header('vary', 'accept-encoding, accept').redirect(path, 303)
    }
    if (await comparisons.answer(query, request, reply)) return reply
    const sent = sentParams(request)
    const price = priceOf(query, site())
    const isPaying = Object.keys(paymentHeadersOf(request)).length > 0
    if (price === null || isPaying)
      return sendOutcome(query, sent, await sendQuery(app, request, query, sent, price, draw), reply)
    const engine = lake.engine()
    if (!engine) throw notReady('No snapshot is open yet; retry shortly.', 5)
    if (facts && sent.as_of !== undefined && isExample(query, formValues(sent), facts)) {
      const answer = await computeAnswer(engine, admission, query, sent, AbortSignal.timeout(timeout_ms))
      const plots = await draw(query, JSON.stringify(answer))
      return sendOutcome(query, sent, { kind: 'answer', answer, plots, receipt: null }, reply)
    }
    const outcome = await quoteQuery(engine, query, sent, admission, AbortSignal.timeout(timeout_ms))
    return sendOutcome(query, sent, outcome, reply)
  }

  const buy = async (query: AnyQuery, request: FastifyRequest, reply: FastifyReply) => {
    const price = priceOf(query, site())
    if (!wallet || price === null) throw new Refusal('NOT_FOUND', 'There is nothing to pay with test money here.')
    requireSameOrigin(request, site().base_url)
    takeToken(clientOf(request.ip))
    const sent = sentParams(request)
    const draw = drawUntilDeadline()
    const purchase = { purchase: purchaseOf(request.body), price }
    if (await comparisons.buy(query, request, reply, { wallet, ...purchase })) return reply
    const outcome = await buyWithTestMoney(app.listeningOrigin, wallet, query, sent, purchase, draw)
    return sendOutcome(query, sent, outcome, reply)
  }

  for (const query of queries) {
    app.get(pagePath(query), { exposeHeadRoute: true }, (request, reply) => answer(query, request, reply))
    if (wallet) app.post(pagePath(query), (request, reply) => buy(query, request, reply))
  }
}
