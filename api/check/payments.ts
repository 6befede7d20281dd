import type { Config } from '../ops/config.ts'
import { type Accounts, acceptedNetworks, accountsOf, networksOf } from '../ops/networks.ts'
import { withPackages } from '../ops/packages.ts'
import { incompleteAccounts } from '../ops/payment-settings.ts'
import { loadLocalChains } from '../payment/local-chains.ts'
import { checkFacilitator } from './facilitator.ts'
import { type Finding, findingOf, passed } from './finding.ts'

const checkAccounts = async ({ base, solana, tempo }: Accounts, config: Config): Promise<Finding[]> => {
  const [networks, timeout] = [networksOf(config), config.settle_ms]
  const checks = await Promise.all([
    base && import('./evm.ts').then(({ checkBase }) => checkBase(base, networks, timeout)),
    solana && import('./solana.ts').then(({ checkSolana }) => checkSolana(solana, networks, timeout)),
    tempo && import('./evm.ts').then(({ checkTempo }) => checkTempo(tempo, networks, timeout)),
  ])
  return checks.flatMap((findings) => findings ?? [])
}

/** Checks that the libraries that payments need are installed. */
const checkPackages = async ({ payments }: Config): Promise<Finding[]> => {
  try {
    await withPackages(`SHELFMARK_PAYMENTS: ${payments}`, () => import('../payment/payments.ts'))
    return []
  } catch (error) {
    return [findingOf((error as Error).message)]
  }
}

const checkChains = async (): Promise<Finding> => {
  try {
    await loadLocalChains()
    return passed('SHELFMARK_PAYMENTS', 'embedded: test money only, on chains of this machine')
  } catch (error) {
    return findingOf((error as Error).message)
  }
}

/** Checks what takes payments: the local chains, or the facilitator, the nodes and the payees. */
export const checkPayments = async (config: Config): Promise<Finding[]> => {
  if (config.payments === 'off') return [passed('SHELFMARK_PAYMENTS', 'off: everything is free, on this machine only')]
  if (config.payments === 'embedded') return [await checkChains()]
  const missing = await checkPackages(config)
  if (missing.length > 0) return missing
  const [facilitator, accounts] = await Promise.all([
    checkFacilitator(config),
    checkAccounts(accountsOf(config), config),
  ])
  return [
    passed('SHELFMARK_PAYMENTS', `facilitator: ${config.networks === 'mainnet' ? 'real money' : 'test money'}`),
    ...incompleteAccounts(config).map(findingOf),
    ...facilitator,
    ...accounts,
    ...(config.session_key && acceptedNetworks(config).includes('tempo')
      ? [passed('SHELFMARK_SESSION_KEY', 'sessions are offered on Tempo')]
      : []),
  ]
}
