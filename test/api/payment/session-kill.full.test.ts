import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { evmKeys } from '../../chains/keys.ts'
import { sized } from '../../support/full-size.ts'
import { portOf, startService } from '../../support/process.ts'
import { facilitated } from './killed.ts'
import { cheap, startChains } from './paying.ts'
import { booksOf, createSessionClient, watchTempo } from './session-clients.ts'

const PRICE = 10_000n
const KILLS = sized(4, 200)
/** Starts of the service take most of it. */
const KILL_MS = 30_000

test(
  'kills lose no voucher that bought an answer, and honour none twice',
  async () => {
    const chains = await startChains()
    const tempo = watchTempo(chains)
    const settings: Record<string, string> = {
      ...(await facilitated(chains, {})),
      SHELFMARK_SESSION_KEY: evmKeys.relayer,
      // Settled every four answers, and filled every twenty: kills come amid those too.
      SHELFMARK_SESSION_EXPOSURE: '0.04',
    }
    const { sessions, total } = booksOf(settings.SHELFMARK_JOURNAL ?? '')
    const before = await tempo.balance()
    let served = startService(settings)
    // The services after it listen where the client asks.
    settings.SHELFMARK_PORT = String(await portOf(served))
    const address = `http://127.0.0.1:${settings.SHELFMARK_PORT}`
    const client = createSessionClient(chains, '1000')
    let answers = 0
    let isOver = false
    const buying = (async () => {
      while (!isOver) {
        const reply = await client.fetch(`${address}${cheap}`).catch(() => null)
        if (reply?.status === 200) answers += 1
        else await sleep(50)
      }
    })()
    const untilBought = async (): Promise<void> => {
      const bought = answers
      await expect.poll(() => answers, { timeout: 60_000 }).toBeGreaterThan(bought + 1)
    }
    for (let kill = 0; kill < KILLS; kill += 1) {
      await untilBought()
      await sleep(300 * Math.random())
      served.child.kill('SIGKILL')
      await served.exited
      served = startService(settings)
      await portOf(served)
    }
    await untilBought()
    isOver = true
    await buying
    const open = await sessions()
    const units = open.reduce((sum, session) => sum + session.units, 0)
    expect(answers).toBeGreaterThan(KILLS)
    // An answer that was charged may be lost with its process: its credential gets it again.
    expect(units).toBeGreaterThanOrEqual(answers)
    expect(units).toBeLessThanOrEqual(answers + KILLS)
    for (const { spent, units, highestVoucherAmount, deposit } of open) {
      expect(spent).toBe(BigInt(units) * PRICE)
      expect(spent).toBeLessThanOrEqual(highestVoucherAmount)
      expect(highestVoucherAmount).toBeLessThanOrEqual(deposit)
    }
    await client.close()
    await expect.poll(async () => (await tempo.balance()) - before - (await total())).toBe(0n)
    expect(await total()).toBeGreaterThanOrEqual(BigInt(units) * PRICE)
    served.child.kill('SIGTERM')
    await served.exited
  },
  KILLS * KILL_MS,
)
