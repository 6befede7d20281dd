import { join } from 'node:path'
import { expect } from 'vitest'
import type { Embedded } from '../../../api/payment/local-chains.ts'
import { temporaryFolder } from '../../support/given.ts'
import { type Reply, send } from '../../support/http.ts'
import { portOf, type Served, startService } from '../../support/process.ts'
import { sampleLake } from '../../support/sample.ts'
import { balanceOf } from './balances.ts'
import { type Interference, interposeRpc, serveFacilitator } from './interposed.ts'
import { cheap, createPayer, type Headers, networks } from './paying.ts'

/** Settings of a service in a process of its own that is paid on chains of this one, with someone in between. */
export const facilitated = async (chains: Embedded, interference: Interference): Promise<Record<string, string>> => {
  const { lake, as_of } = await sampleLake()
  return {
    SHELFMARK_LAKE: lake,
    SHELFMARK_AS_OF: as_of.toISOString(),
    SHELFMARK_PAYMENTS: 'facilitator',
    SHELFMARK_NETWORKS: 'testnet',
    SHELFMARK_BASE_URL: 'http://127.0.0.1',
    SHELFMARK_FACILITATOR_URL: await serveFacilitator(chains.facilitator, interference),
    SHELFMARK_PAY_TO_EVM: chains.payTo.evm,
    SHELFMARK_PAY_TO_SOLANA: chains.payTo.solana,
    SHELFMARK_PAY_TO_TEMPO: chains.payTo.tempo,
    SHELFMARK_BASE_RPC_URL: chains.rpc.base,
    SHELFMARK_SOLANA_RPC_URL: chains.rpc.solana,
    SHELFMARK_TEMPO_RPC_URL: await interposeRpc(chains.rpc.tempo, interference),
    SHELFMARK_MPP_SECRET: 'kept from one start of the service to the next',
    SHELFMARK_JOURNAL: join(await temporaryFolder(), 'payments.jsonl'),
    SHELFMARK_CACHE_MIB: '0',
  }
}

/** Where a service is killed amid payments. */
export const points = ['verifying', 'claimed', 'settling but not sent', 'mined but not reported', 'settled', 'answered']

const verifying = ['verify', 'eth_call']
const settling = ['settle', 'eth_sendRawTransactionSync']

/** A service that is killed amid payments and started again. */
export const createKilled = async (chains: Embedded) => {
  const payer = await createPayer(chains)
  const balances = balanceOf(chains)
  let served: Served
  let port: number
  /** Where the service is killed; undefined while it is left alone. */
  let point: string | undefined
  const kill = (): void => void served.child.kill('SIGKILL')

  /** Holds the payments of all networks up until they are at the same point. */
  let waiting: (() => void)[] = []
  const together = (then: () => void): Promise<void> =>
    new Promise((goOn) => {
      waiting.push(goOn)
      if (waiting.length < networks.length) return
      then()
      for (const go of waiting) go()
      waiting = []
    })
  /** A moment in which a service that was just answered gets on with its work. */
  const soon = (): void => void setTimeout(kill, 4)

  const interference: Interference = {
    async before(call) {
      if (point === 'verifying' && verifying.includes(call)) await together(kill)
      if (point === 'settling but not sent' && settling.includes(call)) {
        await together(kill)
        throw new Error('nothing is sent')
      }
    },
    async after(call) {
      if (point === 'claimed' && verifying.includes(call)) await together(soon)
      if (point === 'mined but not reported' && settling.includes(call)) await together(kill)
      if (point === 'settled' && settling.includes(call)) await together(soon)
    },
  }

  const environment = await facilitated(chains, interference)
  const start = async (): Promise<void> => {
    served = startService(environment)
    port = await portOf(served)
  }
  const restart = async (): Promise<void> => {
    kill()
    await served.exited
    await start()
  }
  const get = (path: string, headers: Headers = {}): Promise<Reply> => send(port, path, { headers, agent: false })
  await start()

  /** Kills the service at a point of a payment on every network: one charge and one answer each. */
  const surviveKill = async (where: string): Promise<void> => {
    const payments = await Promise.all(networks.map(async (network) => payer.pay(await get(cheap), network)))
    const made = performance.now()
    const before = await Promise.all(networks.map(balances))
    point = where
    const first = await Promise.all(payments.map((headers) => get(cheap, headers).catch(() => null)))
    if (where === 'answered') kill()
    await served.exited
    point = undefined
    await start()

    const charged = [0n, 0n, 0n]
    for (const [i, headers] of payments.entries()) {
      expect((await get(`${cheap}&country=ca`, headers)).status).toBe(402)
      const isHandedOver = first[i]?.status === 200
      const second = await get(cheap, headers)
      if (isHandedOver) expect(second).toMatchObject({ status: 200, body: first[i]?.body })
      // Transactions on Tempo expire within 25 s: one that was never sent may be too late after a slow start.
      else if (networks[i] === 'tempo' && performance.now() - made > 20_000) expect([200, 402]).toContain(second.status)
      else expect(second.status, second.body).toBe(200)
      if (isHandedOver || second.status === 200) charged[i] = 10_000n
      const third = await get(cheap, headers)
      if (second.status === 200) expect(third).toMatchObject({ status: 200, body: second.body })
      else expect(third.status).toBe(402)
    }
    const after = await Promise.all(networks.map(balances))
    expect(after.map((balance, i) => balance - before[i]!)).toEqual(charged)
  }
  const stop = async (): Promise<void> => {
    kill()
    await served.exited
  }
  return { stop, payer, balances, environment, interference, get, restart, surviveKill }
}
