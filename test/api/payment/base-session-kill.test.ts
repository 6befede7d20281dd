import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { evmKeys } from '../../chains/keys.ts'
import { sized } from '../../support/full-size.ts'
import { portOf, type Served, startService } from '../../support/process.ts'
import { createBaseClient, watchBase } from './base-session-clients.ts'
import { facilitated } from './killed.ts'
import { cheap, startChains } from './paying.ts'
import { booksOf } from './session-clients.ts'

const PRICE = 10_000n
const KILLS = sized(3, 200)
/** Starts of the service take most of it. */
const KILL_MS = 30_000

test(
  'kills lose no voucher of x402 that bought an answer, and honour none twice',
  async () => {
    const chains = await startChains()
    const base = watchBase(chains)
    let served: Served
    /** Where the service is killed at the next thing that it has the facilitator send; null at no such moment. */
    let moment: 'not sent' | 'not reported' | null = null
    const killAt = (reached: typeof moment, call: string): void => {
      if (call !== 'settle' || moment !== reached) return
      moment = null
      served.child.kill('SIGKILL')
      throw new Error('killed')
    }
    const interference = {
      before: async (call: string) => killAt('not sent', call),
      after: async (call: string) => killAt('not reported', call),
    }
    const settings: Record<string, string> = {
      ...(await facilitated(chains, interference)),
      SHELFMARK_SESSION_KEY: evmKeys.relayer,
      // Settled every four answers, and filled every twenty: kills come amid those too.
      SHELFMARK_SESSION_EXPOSURE: '0.04',
      SHELFMARK_RATE: '1000000',
      SHELFMARK_BURST: '1000000',
    }
    const { sessions, total } = booksOf(settings.SHELFMARK_JOURNAL ?? '')
    const client = createBaseClient(chains)
    const before = { payee: await base.balance(), payer: await base.balance(client.payer) }
    served = startService(settings)
    // The services after it listen where the client asks.
    settings.SHELFMARK_PORT = String(await portOf(served))
    const address = `http://127.0.0.1:${settings.SHELFMARK_PORT}`
    let answers = 0
    let isOver = false
    const buying = (async () => {
      while (!isOver) {
        // Each answer until it has come.
        const url = `${address}${cheap}&days=${60 + (answers % 300)}`
        const status = await client.fetch(url).then(
          (reply) => reply.status,
          () => null,
        )
        if (status === 200) answers += 1
        else await sleep(50)
      }
    })()
    const untilBought = async (): Promise<void> => {
      const bought = answers
      await expect.poll(() => answers, { timeout: 60_000 }).toBeGreaterThan(bought + 1)
    }
    for (let kill = 0; kill < KILLS; kill += 1) {
      await untilBought()
      moment = ([null, 'not sent', 'not reported'] as const)[kill % 3]!
      if (moment === null) {
        await sleep(300 * Math.random())
        served.child.kill('SIGKILL')
      }
      await served.exited
      served = startService(settings)
      await portOf(served)
    }
    await untilBought()
    isOver = true
    await buying
    const [open, ...others] = await sessions()
    expect(others).toEqual([])
    expect(answers).toBeGreaterThan(KILLS)
    // What was charged and lost with its process, its voucher got again.
    expect(open).toMatchObject({ units: answers, spent: BigInt(answers) * PRICE, highestVoucherAmount: open?.spent })
    // Killed amid closing it goes on with that.
    moment = 'not reported'
    expect(await client.refund(`${address}${cheap}`).catch(() => null)).toBeNull()
    await served.exited
    served = startService(settings)
    await portOf(served)
    await expect.poll(sessions, { timeout: 30_000 }).toMatchObject([{ finalized: true }])
    const paid = BigInt(answers) * PRICE
    expect((await base.balance()) - before.payee).toBe(paid)
    expect(before.payer - (await base.balance(client.payer))).toBe(paid)
    expect(await total()).toBe(paid)
    served.child.kill('SIGTERM')
    await served.exited
  },
  KILLS * KILL_MS + 60_000,
)
