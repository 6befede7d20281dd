import { randomBytes } from 'node:crypto'
import { isAddress as isSolanaAddress } from '@solana/kit'
import type { FastifyBaseLogger } from 'fastify'
import type { Metric } from 'prom-client'
import { isAddress } from 'viem'
import type { Charge, ManageSession } from '../http/charge.ts'
import { Refusal } from '../http/problem.ts'
import { type Config, ConfigError } from '../ops/config.ts'
import { authorizeBy } from '../ops/facilitator-credentials.ts'
import { accountsOf, networksOf, testnets } from '../ops/networks.ts'
import { incompleteAccounts } from '../ops/payment-settings.ts'
import { inBaseUnits } from '../ops/prices.ts'
import type { PaymentContext } from './context.ts'
import { readSessionCredential } from './credential.ts'
import type { Facilitator, FacilitatorHealth } from './facilitator.ts'
import { watchFacilitator } from './facilitator-health.ts'
import { createGate } from './gate.ts'
import { httpFacilitator } from './http-facilitator.ts'
import type { Journal } from './journal.ts'
import { openJournal, openSessionStore } from './journals.ts'
import { createKinds } from './kinds.ts'
import { type Embedded, startEmbeddedChains } from './local-chains.ts'
import { PaymentError } from './payment.ts'
import type { Rails } from './rails.ts'
import { createSessions } from './sessions/sessions.ts'
import { createSettler, type Settler } from './settler.ts'
import { type TestWallet, testWallet } from './test-wallet.ts'

/** Takes payments for a service, given its public address and rate limits. */
export type Payments = {
  charge(service: Pick<PaymentContext, 'base_url' | 'takeToken' | 'takeClientToken'>): Charge
  /** The health of the facilitator; null if no network needs one. While it is down, a call checks it again. */
  facilitator(): FacilitatorHealth | null
  /** Null without sessions of MPP. */
  manage: ManageSession | null
  /** How many payments this process is settling, and how many in doubt wait. */
  settlements(): ReturnType<Settler['counts']>
  /** Metrics of the calls to the facilitator. */
  metrics: readonly Metric[]
  /** `ok`, or why the journal cannot be written. */
  journal(): Promise<string>
  /** The wallet of the local chains, with test money; null unless payments are embedded. */
  wallet: TestWallet | null
  close(): Promise<void>
}

/** Whether a journal can be written, without any path or password. */
const journalHealth = async (journal: Journal): Promise<string> => {
  try {
    await journal.check()
    return 'ok'
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException
    return `cannot be written (${code ?? name})`
  }
}

const invalidAddress = (name: string): ConfigError =>
  new ConfigError(`${name}: expected a valid address; its checksum or length is wrong`)

const facilitatorOf = (url: string, config: Config): Facilitator =>
  httpFacilitator({ url, timeout_ms: config.settle_ms, authorize: authorizeBy(config) })

const railsOf = (config: Config): Rails => {
  const { pay_to_evm, pay_to_solana, pay_to_tempo, facilitator_url, mpp_secret, settle_ms } = config
  if (pay_to_evm && !isAddress(pay_to_evm)) throw invalidAddress('SHELFMARK_PAY_TO_EVM')
  if (pay_to_tempo && !isAddress(pay_to_tempo)) throw invalidAddress('SHELFMARK_PAY_TO_TEMPO')
  if (pay_to_solana && !isSolanaAddress(pay_to_solana)) throw invalidAddress('SHELFMARK_PAY_TO_SOLANA')
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

/** Warns of a network with only a payee or only a node, since the other was probably forgotten. */
const warnOfIncompleteAccounts = (config: Config, log: FastifyBaseLogger): void => {
  for (const advice of incompleteAccounts(config)) log.warn(advice)
}

/** Calls the facilitator, if there is one, so that its health is available from the start. */
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

/** Takes payments through the facilitator of the settings, or on local chains: the given ones, else new ones. */
export const openPayments = async (config: Config, log: FastifyBaseLogger, given?: Embedded): Promise<Payments> => {
  // First: if another process has the journal open, its test wallet must not be overwritten.
  const journal = await openJournal(config)
  const chains = given ?? (config.payments === 'embedded' ? await startEmbeddedChains(testWallet(config)) : null)
  const configured = chains ? embeddedRails(chains, config) : railsOf(config)
  if (!chains) warnOfIncompleteAccounts(config, log)
  const { facilitator, health, kinds, metrics } = callFacilitator(configured, log)
  const rails = { ...configured, facilitator }
  const settler = createSettler({ rails, journal, log, max_settlements: config.max_settlements })
  const { session_key: key, session_exposure, session_idle_minutes } = config
  const sessions = key
    ? createSessions({
        rails,
        store: await openSessionStore(config),
        key,
        exposure: BigInt(inBaseUnits(session_exposure)),
        idle_ms: session_idle_minutes * 60_000,
        log,
      })
    : null
  const manage = sessions?.manage ?? null
  return {
    charge: (service) => createGate({ rails, journal, settler, sessions, kinds, ...service }),
    manage:
      manage &&
      (async ({ raw }) => {
        try {
          const credential = readSessionCredential(raw.headersDistinct)
          if (credential) return await manage(credential)
        } catch (error) {
          throw error instanceof PaymentError ? new Refusal('INVALID_PARAMS', error.message) : error
        }
        throw new Refusal('INVALID_PARAMS', 'Authorization: expected the credential of a session.')
      }),
    facilitator: health,
    settlements: settler.counts,
    metrics,
    journal: () => journalHealth(journal),
    wallet: config.payments === 'embedded' ? chains : null,
    async close() {
      await settler.close()
      await sessions?.close()
      await journal.close()
      if (chains !== given) await chains?.close()
    },
  }
}
