import { createBaseClient, createSigner, sessionOfferOf, watchBase } from '../test/api/payment/base-session-clients.ts'
import { facilitated } from '../test/api/payment/killed.ts'
import { cheap, createPayer, expensive, type Headers, startChains } from '../test/api/payment/paying.ts'
import { createCredentials, watchTempo } from '../test/api/payment/session-clients.ts'
import { evmKeys } from '../test/chains/keys.ts'
import { cleanUpAll } from '../test/support/at-end.ts'
import { get, inTurn, type ServiceProcess, serve } from './payments.ts'
import { median, quantile } from './quantile.ts'

const WARM_UP = 10
const ROUNDS = 50
/** Requests of each kind in a round: together a session buys 1,000 answers in the measured rounds. */
const EACH = 20
const LIMITS = { SHELFMARK_RATE: '1000000', SHELFMARK_BURST: '1000000' }

type SessionRequest =
  | 'free answer'
  | '402'
  | 'forged payment'
  | 'forged voucher'
  | 'answer for a voucher'
  | 'answer for a voucher of x402'
type SessionTiming = {
  answers: string
  request: SessionRequest
  p50_ms: number
  p99_ms: number
  cpu_ms: number
  p50_to_free: number
  cpu_to_402: number
}
type SessionTotals = { times: number[]; cpu_ms: number }

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const decoded = (text: string) => JSON.parse(Buffer.from(text, 'base64').toString())

/** A signature of the right form by somebody else: the last digit of r differs. */
const forge = (signature: string): string =>
  `${signature.slice(0, 65)}${signature[65] === '1' ? '2' : '1'}${signature.slice(66)}`

const forgeVoucher = ({ authorization = '' }: Headers): Headers => {
  const { payload, ...credential } = decoded(authorization.slice('Payment '.length))
  const forged = { ...payload, signature: forge(payload.signature) }
  return { authorization: `Payment ${encoded({ ...credential, payload: forged })}` }
}

const forgePayment = (headers: Headers): Headers => {
  const { payload, ...payment } = decoded(headers['payment-signature'] ?? '')
  return { 'payment-signature': encoded({ ...payment, payload: { ...payload, signature: forge(payload.signature) } }) }
}

/** One request of each kind after the other, so that a busy machine slows all of them. */
const measure = async (answers: string, path: string, cache_mib: string): Promise<SessionTiming[]> => {
  const chains = await startChains()
  const [tempo, base] = [watchTempo(chains), watchBase(chains)]
  const payer = await createPayer(chains)
  const settings = { ...(await facilitated(chains, {})), ...LIMITS, SHELFMARK_CACHE_MIB: cache_mib }
  const session = { SHELFMARK_SESSION_KEY: evmKeys.relayer, SHELFMARK_SESSION_EXPOSURE: '50' }
  const paid = await serve({ ...settings, ...session }, [])
  const free = await serve({ ...settings, SHELFMARK_PAYMENTS: 'off' }, [])
  // A payer has one session, and thus another service on Base.
  const onBase = await serve(
    { ...(await facilitated(chains, {})), ...LIMITS, SHELFMARK_CACHE_MIB: cache_mib, ...session },
    [],
  )
  const client = createBaseClient(chains)
  await client.fetch(`http://127.0.0.1:${onBase.port}${path}`)
  const signer = createSigner(chains, client)
  const deposited = await base.transactions()
  let sum = BigInt(sessionOfferOf(await get(onBase.port, path, 402)).amount)
  const price = sum
  const pay = createCredentials(chains)
  const unpaid = Array.from({ length: EACH }, () => ({}))
  const opening = await pay(await get(paid.port, path, 402))
  await get(paid.port, path, 200, opening)
  const opened = await tempo.transactions()
  const totals = new Map<SessionRequest, SessionTotals>()
  const run = async (
    kind: SessionRequest,
    service: ServiceProcess,
    status: number,
    each: readonly Headers[],
    round: number,
  ) => {
    const { times, cpu_ms } = await inTurn(service, path, status, each)
    const total = totals.get(kind) ?? { times: [], cpu_ms: 0 }
    if (round >= WARM_UP) totals.set(kind, { times: [...total.times, ...times], cpu_ms: total.cpu_ms + cpu_ms })
  }
  try {
    for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
      const vouchers: Headers[] = []
      while (vouchers.length < EACH) vouchers.push(await pay(await get(paid.port, path, 402)))
      const onBaseUnpaid = await get(onBase.port, path, 402)
      const vouchersOnBase: Headers[] = []
      while (vouchersOnBase.length < EACH) {
        sum += price
        vouchersOnBase.push(await signer.voucher(onBaseUnpaid, sum))
      }
      const forged = forgePayment(await payer.pay(await get(paid.port, path, 402), 'base'))
      await run('free answer', free, 200, unpaid, round)
      await run('402', paid, 402, unpaid, round)
      await run(
        'forged payment',
        paid,
        402,
        Array.from({ length: EACH }, () => forged),
        round,
      )
      await run('forged voucher', paid, 402, vouchers.map(forgeVoucher), round)
      await run('answer for a voucher', paid, 200, vouchers, round)
      await run('answer for a voucher of x402', onBase, 200, vouchersOnBase, round)
    }
    if ((await tempo.transactions()) !== opened || (await base.transactions()) !== deposited)
      throw new Error('vouchers were settled meanwhile')
  } finally {
    for (const service of [paid, onBase, free]) await service.stop()
    await cleanUpAll()
  }
  const p50 = (kind: SessionRequest): number => median(totals.get(kind)!.times)
  const cpu = (kind: SessionRequest): number => totals.get(kind)!.cpu_ms / totals.get(kind)!.times.length
  return [...totals].map(([request, { times }]) => ({
    answers,
    request,
    p50_ms: p50(request),
    p99_ms: quantile(times, 0.99),
    cpu_ms: cpu(request),
    p50_to_free: p50(request) / p50('free answer'),
    cpu_to_402: cpu(request) / cpu('402'),
  }))
}

/** What answers for vouchers and forged signatures cost, beside a free answer and a 402 of the same query. */
export const benchSessions = async (): Promise<SessionTiming[]> => [
  ...(await measure('inflation, computed', expensive, '0')),
  ...(await measure('share of shelf, computed', cheap, '0')),
  ...(await measure('share of shelf, cached', cheap, '64')),
]
