import { beforeAll, describe, expect, test } from 'vitest'
import type { Service } from '../../support/http.ts'
import { type Balances, balanceOf } from './balances.ts'
import {
  beforeEachRun,
  bought,
  cheap,
  createPayer,
  networks,
  type Payer,
  paymentFor,
  servePaid,
  startChains,
  tally,
} from './paying.ts'

/** `npm run faults -- replays` presents one 1,000 times, to one service and to three. */
const REPLAYS = 200

let service: Service
let payer: Payer
let balances: Balances
let runs = 0

beforeAll(async () => {
  const chains = await startChains()
  payer = await createPayer(chains)
  balances = balanceOf(chains)
  service = await servePaid(chains, { SHELFMARK_CACHE_MIB: '0' }, (lake) =>
    beforeEachRun(lake, async () => {
      runs += 1
    }),
  )
})

describe.each(networks)('one payment on %s', (network) => {
  test(`presented ${REPLAYS} times at once buys one answer, one run and one transfer`, async () => {
    const headers = await paymentFor(service, payer, cheap, network)
    const before = await balances(network)
    runs = 0
    const replies = await Promise.all(Array.from({ length: REPLAYS }, () => service.get(cheap, headers)))
    const counts = tally(replies)
    const [answer, ...others] = bought(replies)
    expect(others).toEqual([])
    expect((counts[200] ?? 0) + (counts[503] ?? 0)).toBe(REPLAYS)
    expect(runs).toBe(1)
    expect((await balances(network)) - before).toBe(10_000n)
    for (const { status, headers } of replies) if (status === 503) expect(headers['retry-after']).toMatch(/^\d+$/)
    const again = await service.get(cheap, headers)
    expect(again).toMatchObject({ status: 200, body: answer!.body, headers: { 'idempotent-replayed': 'true' } })
    expect((await service.get(`${cheap}&country=ca`, headers)).status).toBe(402)
    expect(runs).toBe(1)
    expect((await balances(network)) - before).toBe(10_000n)
  })
})
