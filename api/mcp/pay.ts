import type { NetworkName } from '../ops/networks.ts'
import { clients } from '../pay/clients.ts'
import { type Cost, OfferError } from '../pay/connect.ts'
import { receiptOf } from '../payment/receipt.ts'
import { createBudget, inDollars, type Reservation } from './budget.ts'
import { type CallContext, type Paid, ToolError } from './client.ts'
import { readWallet } from './wallet.ts'

/** Amounts in base units of a dollar token with 6 decimals. */
export type PayLimits = { network: NetworkName; max_price: number; budget: number; wallet_file: string }

type PaidResponse = { response: Response; paid: Paid | undefined }

/** How long a service may take, settlement included. */
const TIMEOUT_MS = 120_000

const CREDENTIALS = ['payment-signature', 'x-payment', 'authorization', 'payment-authorization']

const requirePrice = (amount: number, most: number, isOption: boolean): void => {
  if (amount <= most) return
  const advice = isOption
    ? `Restart shelfmark-mcp with --max-price ${inDollars(amount)} or more.`
    : 'Raise max_price of the call.'
  throw new ToolError(
    'PRICE_TOO_HIGH',
    `The answer costs ${inDollars(amount)} USD, more than ${inDollars(most)}; nothing was paid. ${advice}`,
    { price_usd: inDollars(amount), max_price_usd: inDollars(most) },
  )
}

/** What a 402 says would be bought; undefined where it names no product. */
const productIn = async (required: Response): Promise<unknown> => {
  const body = (await required.json().catch(() => ({}))) as { error?: { details?: { resolved_product?: unknown } } }
  return body.error?.details?.resolved_product
}

/** A refusal to pay with what would have been bought, so that it is a dry run. */
const withProduct = (error: unknown, resolved_product: unknown): unknown =>
  error instanceof ToolError && resolved_product !== undefined
    ? new ToolError(error.code, error.message, { ...error.details, resolved_product })
    : error

/** Pays for answers within limits, which hold for all calls together. */
export const createPayer = ({ network, max_price, budget: total, wallet_file }: PayLimits) => {
  const budget = createBudget(total)

  /** Reserves the cost of a call. Throws if it is above a limit. */
  const reserve = ({ amount }: Cost, most: number | undefined): Reservation => {
    const price = Number(amount)
    requirePrice(price, max_price, true)
    if (most !== undefined) requirePrice(price, most, false)
    return budget.reserve(price)
  }

  /** What happened to a reservation: nothing can be charged unless a signed payment was sent. */
  const conclude = (response: Response, reservation: Reservation): Paid => {
    const { transaction } = receiptOf(response.headers)
    const isCharged = response.ok && transaction !== null && !response.headers.has('idempotent-replayed')
    if (isCharged) reservation.spend()
    return { amount_usd: isCharged ? inDollars(reservation.amount) : 0, network, transaction, ...budget.state() }
  }

  return {
    /** Sends a request and pays for it if that is necessary. Throws ToolError if the price is not paid. */
    async fetch(
      url: string,
      headers: Record<string, string>,
      { signal, max_price: most }: CallContext,
    ): Promise<PaidResponse> {
      let reservation: Reservation | undefined
      let isSent = false
      let failure: unknown
      /** The first response, so that the paying client does not request the offer again. */
      let offered: Response | undefined
      let product: unknown
      const send: typeof fetch = async (input, init) => {
        const sent = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined))
        const isPayment = CREDENTIALS.some((name) => sent.has(name))
        signal.throwIfAborted()
        if (!isPayment && offered) {
          const first = offered
          offered = undefined
          return first
        }
        if (isPayment && !reservation) throw new Error('a payment without a reservation')
        isSent ||= isPayment
        // A payment that was sent is followed to its end, even if the call is cancelled.
        const timeout = AbortSignal.timeout(TIMEOUT_MS)
        const limits = { redirect: 'error' as const, signal: isPayment ? timeout : AbortSignal.any([signal, timeout]) }
        return fetch(input, { ...init, ...limits })
      }
      const onPay = (cost: Cost): void => {
        try {
          if (reservation) throw new OfferError('the service asks for a second payment')
          reservation = reserve(cost, most)
        } catch (error) {
          failure = withProduct(error, product)
          throw error
        }
      }
      try {
        const unpaid = await send(url, { headers })
        if (unpaid.status !== 402) return { response: unpaid, paid: undefined }
        const { wallet, networks } = await readWallet(wallet_file)
        const fetchPaying = await clients[network](wallet, onPay, { networks, fetch: send })
        product = await productIn(unpaid.clone())
        offered = unpaid
        const response = await fetchPaying(url)
        return { response, paid: reservation && conclude(response, reservation) }
      } catch (error) {
        if (!isSent) reservation?.release()
        throw isSent ? inDoubt(budget.state()) : (failure ?? error)
      }
    },
  }
}

const inDoubt = (state: Record<string, number>): ToolError =>
  new ToolError(
    'PAYMENT_IN_DOUBT',
    'A payment was sent and no answer came: it may have been charged, and counts towards the budget. Ask again: a ' +
      'service that charged it answers the same question without charging twice.',
    state,
  )
