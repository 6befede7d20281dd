import { beforeAll, expect, test } from 'vitest'
import { sized } from '../../support/full-size.ts'
import { createKilled, points } from './killed.ts'
import { cheap, startChains } from './paying.ts'

let killed: Awaited<ReturnType<typeof createKilled>>
beforeAll(async () => {
  killed = await createKilled(await startChains())
})

/** `npm run faults -- replays` kills at all of them, many times. */
const killedAt = sized(['claimed', 'mined but not reported', 'answered'], points)

test.each(killedAt)('payments survive kill -9 when %s: one charge and one answer each', (where) =>
  killed.surviveKill(where),
)

test('a facilitator that does not answer leaves a payment in doubt rather than refused', async () => {
  const { environment, interference, payer, balances, get, restart } = killed
  environment.SHELFMARK_SETTLE_MS = '700'
  await restart()
  // Just started, it may be too busy for a plan, or to hear the facilitator in time.
  await expect.poll(async () => (await get(cheap)).headers['payment-required'], { timeout: 30_000 }).toBeDefined()
  const headers = await payer.pay(await get(cheap), 'base')
  const before = await balances('base')
  let isSlow = true
  interference.after = async (call) => {
    if (isSlow && call === 'settle') await new Promise((resolve) => setTimeout(resolve, 1500))
  }
  const first = await get(cheap, headers)
  // The chain may show at once what the facilitator did not report.
  if (first.status !== 200) {
    expect(first.status).toBe(503)
    expect(first.headers['retry-after']).toBe('2')
    isSlow = false
    // On a busy machine the next settlement may be late, too.
    await expect.poll(async () => (await get(cheap, headers)).status, { timeout: 30_000, interval: 1000 }).toBe(200)
  }
  expect((await get(cheap, headers)).headers['idempotent-replayed']).toBe('true')
  expect((await balances('base')) - before).toBe(10_000n)
})
