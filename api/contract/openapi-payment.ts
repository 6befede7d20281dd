import type { AnyQuery, Group } from '../../engine/index.ts'
import { tableTypes } from '../http/format.ts'
import { type NetworkName, networkNames, protocolsOf, testnets, waysToPay } from '../ops/networks.ts'
import { dollars, prices } from '../ops/prices.ts'
import type { Schema } from './openapi-parts.ts'

/**
 * How the service takes payments: the accepted networks, the token on Tempo, and the highest price in base units that can
 * be paid from a session; null without sessions.
 */
export type Terms = { accepted: readonly NetworkName[]; currency: string; max_session_amount: number | null }

/** The terms of a service that accepts every network. */
export const allTerms: Terms = { accepted: networkNames, currency: testnets.tempo.currency, max_session_amount: null }

/** How sessions are opened, on each network that has them. */
const sessionKinds = {
  tempo: 'a session of MPP on Tempo (intent session)',
  base: 'a channel of x402 on Base (scheme batch-settlement, where a 402 offers it)',
}

const sessionGuidance = (accepted: readonly NetworkName[]): string => {
  const kinds = (['tempo', 'base'] as const).filter((name) => accepted.includes(name)).map((name) => sessionKinds[name])
  return (
    `Of several answers, ${kinds.join(' or ')} costs least: it takes one deposit, from which ` +
    'each voucher buys an answer without a transaction; what is left returns when it is closed. '
  )
}

/** How to use the service, for agents: in /openapi.json and /llms.txt. */
export const guidance = ({ accepted, max_session_amount }: Terms): string =>
  'Every query is a GET. /v1/quote states what one costs, and POST /v1/batch takes up to 100 for one payment. Prices are in the currency of their country, which an answer names. Name a category by name, path or breadcrumb; ' +
  'the free /v1/public lists name categories, brands and retailers. Every field of an answer is always there, null where ' +
  'it has no value; X-Data-Freshness-Hours is its age, ETag identifies it, and If-None-Match with that is free. ' +
  `Accept: ${Object.values(tableTypes).join(', ')} sends its main table, ?table=NAME another of its lists. Send the request once without payment: a query that ` +
  'cannot be answered is refused free of charge, any other gets a 402 with its offers, by ' +
  `${waysToPay(accepted)}. Pay one and repeat the request with the payment. ${max_session_amount === null ? '' : sessionGuidance(accepted)}After a 503 wait as Retry-After says and ask ` +
  'with the same payment or a new one of the same payer: a payment that was taken is settled in the background, and pays for ' +
  'the next such request within the hour. Payments with one Idempotency-Key, or one payment-identifier of x402, buy one answer a day.'

/** What the service is, by draft-payment-discovery-00. */
export const serviceInfo = {
  categories: ['data', 'search'],
  docs: { llms: '/llms.txt', apiReference: '/openapi.json' },
}

const CHARGE = { method: 'tempo', intent: 'charge' }
const SESSION = { method: 'tempo', intent: 'session' }

/** The protocols by which an operation is paid. */
const protocolTerms = ({ accepted, currency }: Terms): Schema[] =>
  protocolsOf(accepted).map((protocol) => (protocol === 'MPP' ? { mpp: { ...CHARGE, currency } } : { x402: {} }))

/**
 * The price of an operation, in the two layouts that registries read: in dollars with protocols, and as offers in base
 * units (draft-payment-discovery-00). Empty for free operations.
 */
export const paymentInfo = (group: Group, terms: Terms): Schema => {
  const { accepted, currency, max_session_amount } = terms
  const amount = prices[group]
  if (amount === 0) return {}
  const intents = amount <= (max_session_amount ?? 0) ? [CHARGE, SESSION] : [CHARGE]
  const offers = intents.map((intent) => ({ ...intent, amount: String(amount), currency }))
  return {
    'x-payment-info': {
      price: { mode: 'fixed', currency: 'USD', amount: dollars(amount) },
      protocols: protocolTerms(terms),
      ...(protocolsOf(accepted).includes('MPP') ? { offers } : {}),
    },
  }
}

/** The price of a batch of up to `count` queries: the sum of theirs. */
export const batchPaymentInfo = (count: number, terms: Terms): Schema => ({
  'x-payment-info': {
    price: {
      mode: 'dynamic',
      currency: 'USD',
      min: dollars(0),
      max: dollars(count * Math.max(...Object.values(prices))),
    },
    protocols: protocolTerms(terms),
  },
})

/** Service levels of best-price, without settlement on a chain, whose time `Server-Timing` lists separately. */
const bestPrice = {
  'x-service-levels': {
    latencyMsP50: 80,
    latencyMsP99: 250,
    dataFreshnessSecondsMax: 259_200,
    idempotent: true,
    cacheHint: 'public',
  },
  'x-retry-policy': {
    minBackoffSeconds: 1,
    maxBackoffSeconds: 30,
    maxAttempts: 5,
    jitter: 'required',
    safeToRetry: true,
  },
}

/** Service levels and retry policy of an operation; empty if it has none. */
export const serviceLevels = ({ group, name }: AnyQuery): Schema =>
  group === 'shopper' && name === 'best-price' ? bestPrice : {}
