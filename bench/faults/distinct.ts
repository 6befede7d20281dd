import { balanceOf } from '../../test/api/payment/balances.ts'
import { facilitated } from '../../test/api/payment/killed.ts'
import { cheap, createPayer, networks, startChains, tally as statuses } from '../../test/api/payment/paying.ts'
import { type Reply, send } from '../../test/support/http.ts'
import { portOf, startService } from '../../test/support/process.ts'
import { type Measured, Tally } from './figure.ts'

const PRICE = 10_000n
/** The answer is cached, so that only payments are measured. */
const LIMITS = { SHELFMARK_RATE: '1000000', SHELFMARK_BURST: '1000000', SHELFMARK_CACHE_MIB: '64' }

/** Concurrent different payments on each network: each is answered, and the chain has all of them. */
export const measureDistinct = async (rounds: number): Promise<Measured> => {
  const chains = await startChains()
  const payer = await createPayer(chains)
  const balances = balanceOf(chains)
  const served = startService({ ...(await facilitated(chains, {})), ...LIMITS })
  const port = await portOf(served)
  const tally = new Tally()
  const took: string[] = []
  for (const network of networks) {
    console.error(`  ${rounds} payments on ${network}`)
    const before = await balances(network)
    const start = performance.now()
    // Each signs and pays by itself: a payment on Tempo expires within 25 seconds.
    const payOnce = async (): Promise<Reply> => {
      const headers = await payer.pay(await send(port, cheap, { agent: false }), network)
      return send(port, cheap, { headers, agent: false })
    }
    const replies = await Promise.all(Array.from({ length: rounds }, payOnce))
    const seconds = (performance.now() - start) / 1000
    const charged = (await balances(network)) - before
    const expected = PRICE * BigInt(rounds)
    for (const { status, body } of replies)
      tally.count(status !== 200 && `${status} on ${network}: ${JSON.parse(body).error.message}`)
    tally.count(charged !== expected && `${charged} charged on ${network}, not ${expected}`)
    took.push(`${network} ${JSON.stringify(statuses(replies))}, ${charged} charged, ${seconds.toFixed(1)} s`)
  }
  served.child.kill('SIGKILL')
  await served.exited
  return tally.measured(took.join('; '))
}
