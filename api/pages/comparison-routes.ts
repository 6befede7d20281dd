import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AnyQuery, DrawingThread } from '../../engine/index.ts'
import type { TestWallet } from '../payment/test-wallet.ts'
import { comparisonLinks } from './citation.ts'
import {
  answeredOf,
  type ComparedItem,
  comparedBy,
  comparisonQuote,
  comparisonSection,
  readComparison,
} from './comparison.ts'
import type { Examples } from './examples.ts'
import { buyWithTestMoney, sendQuery } from './query-outcome.ts'
import type { PageOutcome } from './query-page.ts'
import { formValues, sentParams } from './sent-params.ts'
import { priceOf, type Site } from './site.ts'

/** Answers are compared in a plot of their own. */
const drawNothing = async () => []

const comparedOf = ({ value, params }: Omit<ComparedItem, 'answer'>, outcome: PageOutcome): ComparedItem =>
  outcome.kind === 'answer'
    ? { value, params, answer: outcome.answer }
    : { value, params, message: outcome.kind === 'refused' ? outcome.message : 'no answer' }

/** The purchase of one of the answers that are bought together. */
const nth = (purchase: string, i: number): string => `${purchase.slice(0, -1)}${i}`

type Send = (
  query: AnyQuery,
  params: Record<string, string>,
  outcome: PageOutcome,
  reply: FastifyReply,
) => Promise<FastifyReply>

type ComparisonOptions = { examples: Examples; drawing: DrawingThread; site: () => Site; timeout_ms: number }

/** Pages that compare answers: free ones at once, paid ones after a quote of their sum. */
export const createComparisons = (
  app: FastifyInstance,
  { examples, drawing, site, timeout_ms }: ComparisonOptions,
  send: Send,
) => {
  const show = async (
    query: AnyQuery,
    by: string,
    params: Record<string, string>,
    items: ComparedItem[],
    reply: FastifyReply,
  ) => {
    const plots = await drawing.compare(query, answeredOf(items), timeout_ms)
    const facts = (await examples.facts())?.facts
    const files = priceOf(query, site()) === null && facts && comparisonLinks({ query, params, facts })
    return send(query, params, { kind: 'comparison', body: comparisonSection(query, by, items, plots, files) }, reply)
  }

  /** The requests of a comparison; null unless the address is of one. */
  const requestsOf = (query: AnyQuery, request: FastifyRequest) => {
    const params = formValues(sentParams(request))
    const by = comparedBy(query)
    if (params.compare === undefined || by === null) return null
    return { by, params, requests: readComparison(by, params) }
  }

  return {
    /** Answers a comparison; false if the address is of none. */
    async answer(query: AnyQuery, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
      const comparison = requestsOf(query, request)
      if (!comparison) return false
      const { by, params, requests } = comparison
      if (priceOf(query, site()) !== null) {
        const body = comparisonQuote(query, params, requests, randomUUID(), site())
        await send(query, params, { kind: 'comparison', body }, reply)
        return true
      }
      const items: ComparedItem[] = []
      for (const item of requests)
        items.push(comparedOf(item, await sendQuery(app, request, query, item.params, null, drawNothing)))
      await show(query, by, params, items, reply)
      return true
    },
    /** Buys the answers of a comparison with test money, one after the other; false if the address is of none. */
    async buy(
      query: AnyQuery,
      request: FastifyRequest,
      reply: FastifyReply,
      { wallet, purchase, price }: { wallet: TestWallet; purchase: string; price: string },
    ): Promise<boolean> {
      const comparison = requestsOf(query, request)
      if (!comparison) return false
      const items: ComparedItem[] = []
      for (const [i, item] of comparison.requests.entries()) {
        const bought = { purchase: nth(purchase, i), price }
        const outcome = await buyWithTestMoney(app.listeningOrigin, wallet, query, item.params, bought, drawNothing)
        items.push(comparedOf(item, outcome))
      }
      await show(query, comparison.by, comparison.params, items, reply)
      return true
    },
  }
}
