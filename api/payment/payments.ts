import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { isAddress as isSolanaAddress } from '@solana/kit'
import type { SupportedKind } from '@x402/core/types'
import { isAddress } from 'viem'
import type { Charge } from '../charge.ts'
import { type Config, ConfigError } from '../config.ts'
import { type Embedded, startEmbeddedChains } from './embedded/start.ts'
import { testWallet } from './embedded/test-wallet.ts'
import { type Facilitator, httpFacilitator } from './facilitator.ts'
import { openFileJournal } from './file-journal.ts'
import { createGate, type Gate } from './gate.ts'
import type { Journal } from './journal.ts'
import { accountsOf, networksOf, testnets } from './networks.ts'
import { openPostgresJournal } from './postgres-journal.ts'
import type { Rails } from './rails.ts'

/** Takes payments, once a service says what its public address is and how often a payer may ask. */
export type Payments = { charge(service: Pick<Gate, 'base_url' | 'takeToken'>): Charge; close(): Promise<void> }

/** What a facilitator serves is asked again after so long, and while it does not answer, after less. */
const KINDS_MS = 600_000
const RETRY_MS = 5000

/** What a facilitator serves, kept for a while. Nothing while it has never answered: its networks are not offered then. */
export const createKinds = (facilitator: Facilitator, now = () => performance.now()) => {
  let kinds: readonly SupportedKind[] = []
  let due = Number.NEGATIVE_INFINITY
  let asking: Promise<void> | undefined
  const ask = async (): Promise<void> => {
    try {
      kinds = (await facilitator.supported()).kinds
      due = now() + KINDS_MS
    } catch {
      due = now() + RETRY_MS
    }
    asking = undefined
  }
  return async (): Promise<readonly SupportedKind[]> => {
    if (now() >= due) asking ??= ask()
    // Only the first who ask must wait.
    if (kinds.length === 0) await asking
    return kinds
  }
}

const misspelt = (name: string): ConfigError =>
  new ConfigError(`${name}: send an address; this one is misspelt, by its checksum or its length`)

const railsOf = (config: Config): Rails => {
  const { pay_to_evm, pay_to_solana, pay_to_tempo, facilitator_url, mpp_secret, settle_ms } = config
  if (pay_to_evm && !isAddress(pay_to_evm)) throw misspelt('SHELFMARK_PAY_TO_EVM')
  if (pay_to_tempo && !isAddress(pay_to_tempo)) throw misspelt('SHELFMARK_PAY_TO_TEMPO')
  if (pay_to_solana && !isSolanaAddress(pay_to_solana)) throw misspelt('SHELFMARK_PAY_TO_SOLANA')
  return {
    networks: networksOf(config),
    accounts: accountsOf(config),
    facilitator: facilitator_url === undefined ? null : httpFacilitator(facilitator_url, settle_ms),
    secrets: mpp_secret ?? [],
    settle_ms,
  }
}

/** Opens the journal that settings name: PostgreSQL for several processes, else a file beside the lake. */
const openJournal = ({ journal, lake, timeout_ms, settle_ms }: Config): Promise<Journal> =>
  journal?.match(/^postgres(ql)?:/)
    ? openPostgresJournal(journal, timeout_ms + 4 * settle_ms)
    : openFileJournal(journal ?? join(dirname(lake), 'payments.jsonl'))

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

/** Takes payments through the facilitator of the settings, or on chains of this machine: those given, else new ones. */
export const openPayments = async (config: Config, given?: Embedded): Promise<Payments> => {
  // First: where another process has it, that one's test wallet must stay as it is.
  const journal = await openJournal(config)
  const chains = given ?? (config.payments === 'embedded' ? await startEmbeddedChains(testWallet(config)) : null)
  const rails = chains ? embeddedRails(chains, config) : railsOf(config)
  const kinds = rails.facilitator ? createKinds(rails.facilitator) : async () => []
  return {
    charge: (service) => createGate({ rails, journal, kinds, ...service }),
    async close() {
      await journal.close()
      if (chains !== given) await chains?.close()
    },
  }
}
