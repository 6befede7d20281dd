import { randomBytes } from 'node:crypto'
import { isAddress as isSolanaAddress } from '@solana/kit'
import type { FastifyBaseLogger } from 'fastify'
import type { Metric } from 'prom-client'
import { isAddress } from 'viem'
import type { Charge } from '../charge.ts'
import { type Config, ConfigError } from '../config.ts'
import { type Embedded, startEmbeddedChains } from './embedded/start.ts'
import { testWallet } from './embedded/test-wallet.ts'
import type { Facilitator } from './facilitator.ts'
import { authorizeBy } from './facilitator-credentials.ts'
import { type FacilitatorHealth, watchFacilitator } from './facilitator-health.ts'
import { createGate, type Gate } from './gate.ts'
import { httpFacilitator } from './http-facilitator.ts'
import type { Journal } from './journal.ts'
import { openJournal } from './journals.ts'
import { createKinds } from './kinds.ts'
import { accountsOf, networksOf, testnets } from './networks.ts'
import type { Rails } from './rails.ts'
import { incompleteAccounts } from './settings.ts'
import { createSettler, type Settler } from './settler.ts'

/** Takes payments, once a service says what its public address is and how often a payer may ask. */
export type Payments = {
  charge(service: Pick<Gate, 'base_url' | 'takeToken'>): Charge
  /** How the facilitator answers; null where no network needs one. A call while it is down asks it again. */
  facilitator(): FacilitatorHealth | null
  /** How many payments are being settled in this process, and how many are in doubt and wait for it. */
  settlements(): ReturnType<Settler['counts']>
  /** What is counted of calls to the facilitator. */
  metrics: readonly Metric[]
  /** `ok`, or why the journal cannot be written. */
  journal(): Promise<string>
  close(): Promise<void>
}

/** Whether a journal can be written, in words that hold no path and no password. */
const journalHealth = async (journal: Journal): Promise<string> => {
  try {
    await journal.check()
    return 'ok'
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException
    return `cannot be written (${code ?? name})`
  }
}

const misspelt = (name: string): ConfigError =>
  new ConfigError(`${name}: send an address; this one is misspelt, by its checksum or its length`)

const facilitatorOf = (url: string, config: Config): Facilitator =>
  httpFacilitator({ url, timeout_ms: config.settle_ms, authorize: authorizeBy(config) })

const railsOf = (config: Config): Rails => {
  const { pay_to_evm, pay_to_solana, pay_to_tempo, facilitator_url, mpp_secret, settle_ms } = config
  if (pay_to_evm && !isAddress(pay_to_evm)) throw misspelt('SHELFMARK_PAY_TO_EVM')
  if (pay_to_tempo && !isAddress(pay_to_tempo)) throw misspelt('SHELFMARK_PAY_TO_TEMPO')
  if (pay_to_solana && !isSolanaAddress(pay_to_solana)) throw misspelt('SHELFMARK_PAY_TO_SOLANA')
  return {
    networks: networksOf(config),
    accounts: accountsOf(config),
    facilitator: facilitator_url === undefined ? null : facilitatorOf(facilitator_url, config),
    secrets: mpp_secret ?? [],
    settle_ms,
  }
}

const embeddedRails = ({ facilitator, payTo, rpc }: Embedded, { mpp_secret, settle_ms }: Config): Rails => ({
  networks: testnets,
  accounts: {
    base: { payTo: payTo.evm, rpc: rpc.base },
    solana: { payTo: payTo.solana, rpc: rpc.solana },
    tempo: { payTo: payTo.tempo, rpc: rpc.tempo },
  },
  facilitator,
  secrets: mpp_secret ?? [randomBytes(32).toString('base64url')],
  settle_ms,
})

/** Warns of a network that has only a payee or only a node, since the other was probably forgotten. */
const warnOfHalves = (config: Config, log: FastifyBaseLogger): void => {
  for (const advice of incompleteAccounts(config)) log.warn(advice)
}

/** Calls a facilitator, when there is one, so that its health is known from the start. */
const callFacilitator = ({ facilitator, networks }: Rails, log: FastifyBaseLogger) => {
  if (!facilitator) return { facilitator, health: () => null, kinds: async () => [], metrics: [] }
  const watched = watchFacilitator(facilitator, networks, log)
  const kinds = createKinds(watched.facilitator, watched.health)
  void kinds()
  const health = (): FacilitatorHealth => {
    void kinds()
    return watched.health
  }
  return { ...watched, health, kinds }
}

/** Takes payments through the facilitator of the settings, or on chains of this machine: those given, else new ones. */
export const openPayments = async (config: Config, log: FastifyBaseLogger, given?: Embedded): Promise<Payments> => {
  // First: where another process has it, that one's test wallet must stay as it is.
  const journal = await openJournal(config)
  const chains = given ?? (config.payments === 'embedded' ? await startEmbeddedChains(testWallet(config)) : null)
  const configured = chains ? embeddedRails(chains, config) : railsOf(config)
  if (!chains) warnOfHalves(config, log)
  const { facilitator, health, kinds, metrics } = callFacilitator(configured, log)
  const rails = { ...configured, facilitator }
  const settler = createSettler({ rails, journal, log, max_settlements: config.max_settlements })
  return {
    charge: (service) => createGate({ rails, journal, settler, kinds, ...service }),
    facilitator: health,
    settlements: settler.counts,
    metrics,
    journal: () => journalHealth(journal),
    async close() {
      await settler.close()
      await journal.close()
      if (chains !== given) await chains?.close()
    },
  }
}
