import { balanceOf } from '../../test/api/payment/balances.ts'
import { createKilled, facilitated, points } from '../../test/api/payment/killed.ts'
import { cheap, createPayer, networks, startChains } from '../../test/api/payment/paying.ts'
import { atEnd } from '../../test/support/at-end.ts'
import { type Reply, send } from '../../test/support/http.ts'
import { startPostgres } from '../../test/support/postgres.ts'
import { portOf, startService } from '../../test/support/process.ts'
import { type Measured, progress, Tally } from './figure.ts'
import { UNLIMITED } from './served.ts'

const PRICE = 10_000n

type Chains = Awaited<ReturnType<typeof startChains>>

/** Presents one payment many times at once to replicas that share a journal. */
const replay = async (chains: Chains, replicas: number, times: number, tally: Tally): Promise<void> => {
  const { url, stop } = await startPostgres()
  const environment = { ...(await facilitated(chains, {})), ...UNLIMITED, SHELFMARK_JOURNAL: url }
  const services = await Promise.all(
    Array.from({ length: replicas }, async () => {
      const served = startService(environment)
      return { served, port: await portOf(served) }
    }),
  )
  const payer = await createPayer(chains)
  const balances = balanceOf(chains)
  const get = (i: number, headers = {}): Promise<Reply | null> =>
    send(services[i % replicas]!.port, cheap, { headers }).catch(() => null)
  for (const network of networks) {
    const headers = await payer.pay((await get(0))!, network)
    const before = await balances(network)
    const replies = await Promise.all(Array.from({ length: times }, (_, i) => get(i, headers)))
    const served = replies.filter((reply) => reply?.status === 200 && !reply.headers['idempotent-replayed'])
    const others = replies.filter((reply) => ![200, 402, 503].includes(reply?.status ?? 0))
    const charged = (await balances(network)) - before
    for (let i = 1; i < times; i++) tally.count()
    const where = `on ${network}, ${replicas} replicas`
    tally.count(
      served.length !== 1 && `${served.length} served ${where}`,
      charged !== PRICE && `${charged} charged ${where}`,
      others.length > 0 && `${others.length} x ${others[0]?.status ?? 'no answer'} ${where}`,
    )
  }
  for (const { served } of services) served.child.kill('SIGKILL')
  await Promise.all(services.map(({ served }) => served.exited))
  await stop()
}

/** One payment presented many times at once, and services killed during payments: one charge and one answer each. */
export const measureReplays = async (rounds: number): Promise<Measured> => {
  const chains = await startChains()
  const tally = new Tally()
  for (const replicas of [1, 3]) {
    console.error(`  replays on ${replicas}`)
    await replay(chains, replicas, rounds, tally)
  }
  const kills = Math.ceil(rounds / 5)
  const killed = await createKilled(chains)
  atEnd(() => killed.stop())
  const report = progress('kills', kills)
  for (let i = 0; i < kills; i++) {
    const point = points[i % points.length]!
    const problem = await killed.surviveKill(point).then(
      () => null,
      (error: Error) => `killed when ${point}: ${error.message.split('\n')[0]}`,
    )
    tally.count(problem)
    report(i + 1)
  }
  const replays = `${rounds} replays on each of ${networks.length} networks, on 1 and 3 replicas over PostgreSQL`
  return tally.measured(`${replays}; ${kills} kills during ${kills * networks.length} payments`)
}
