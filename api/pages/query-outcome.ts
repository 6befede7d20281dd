import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type AnyQuery, type Engine, EngineError, giveWay, type Plot, readParams } from '../../engine/index.ts'
import { apiPath, pathWith } from '../http/address.ts'
import type { Admission } from '../http/admission.ts'
import { problemBody, refusalOf } from '../http/problem.ts'
import type { SentParams } from '../http/query-runner.ts'
import { networkTitles } from '../ops/networks.ts'
import { clients } from '../pay/clients.ts'
import { receiptOf } from '../payment/receipt.ts'
import type { TestWallet } from '../payment/test-wallet.ts'
import { callOwnApi, type OwnReply, paymentHeadersOf } from './own-api.ts'
import type { PageOutcome, PaidReceipt } from './query-page.ts'

const urlOf = (query: AnyQuery, sent: SentParams): string => {
  const pairs = Object.entries(sent).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  )
  return pathWith(apiPath(query), new URLSearchParams(pairs))
}

type RefusalBody = { error?: { code?: string; message?: string } }

const refused = (status: number, body: string, retry_after: string | undefined): PageOutcome => {
  const { error = {} } = JSON.parse(body) as RefusalBody
  const text = JSON.stringify(JSON.parse(body), null, 2)
  return { kind: 'refused', status, code: error.code ?? '', message: error.message ?? '', body: text, retry_after }
}

/** Draws the plots of an answer, given as JSON; null where they are not drawn by the deadline of the page. */
export type DrawPlots = (query: AnyQuery, answer: string) => Promise<readonly Plot[] | null>

/** The answer or refusal in a response, with the plots of the answer. */
const outcomeOf = async (
  query: AnyQuery,
  { status, body, header }: OwnReply,
  receipt: PaidReceipt | null,
  draw: DrawPlots,
): Promise<PageOutcome> => {
  await giveWay()
  if (status !== 200) return refused(status, body, header('retry-after'))
  const answer = JSON.parse(body) as Record<string, unknown>
  return { kind: 'answer', answer, plots: await draw(query, body), receipt }
}

/** Runs a free query, or a paid one whose payment the request has. */
export const sendQuery = async (
  app: FastifyInstance,
  request: FastifyRequest,
  query: AnyQuery,
  sent: SentParams,
  price: string | null,
  draw: DrawPlots,
): Promise<PageOutcome> => {
  const reply = await callOwnApi(app, request, urlOf(query, sent), paymentHeadersOf(request))
  const header = reply.header('payment-response') ?? reply.header('payment-receipt')
  const { transaction } =
    header === undefined ? { transaction: null } : receiptOf(new Headers({ 'payment-response': header }))
  const receipt =
    transaction !== null && price !== null
      ? { price, network: networkTitles.base, transaction, isTestMoney: false }
      : null
  return outcomeOf(query, reply, receipt, draw)
}

/** Plans a paid query, which runs nothing, and names the purchase to confirm. */
export const quoteQuery = async (
  engine: Engine,
  query: AnyQuery,
  sent: SentParams,
  admission: Admission,
  signal: AbortSignal,
): Promise<PageOutcome> => {
  try {
    const admit = <T>(load: () => Promise<T>) => admission.enter('planning', signal, load)
    return { kind: 'quote', plan: await engine.plan(query, readParams(query, sent), { admit }), purchase: randomUUID() }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    const refusal = refusalOf(error)
    return refused(refusal.status, problemBody(refusal, apiPath(query)), refusal.headers['retry-after'])
  }
}

/**
 * Pays for a query with the wallet of the local chains, as any client would: over HTTP, through the same gate. A
 * repeated purchase is not charged again.
 */
export const buyWithTestMoney = async (
  origin: string,
  wallet: TestWallet,
  query: AnyQuery,
  sent: SentParams,
  { purchase, price }: { purchase: string; price: string },
  draw: DrawPlots,
): Promise<PageOutcome> => {
  const pay = await clients.base(wallet, () => {})
  const response = await pay(`${origin}${urlOf(query, sent)}`, { headers: { 'idempotency-key': purchase } })
  const { transaction } = receiptOf(response.headers)
  const receipt = transaction === null ? null : { price, network: networkTitles.base, transaction, isTestMoney: true }
  const header = (name: string) => response.headers.get(name) ?? undefined
  return outcomeOf(query, { status: response.status, body: await response.text(), header }, receipt, draw)
}
