import type { Config } from '../config.ts'
import { withPackages } from '../packages.ts'
import { type Accounts, accountsOf, networksOf } from '../payment/networks.ts'
import { incompleteAccounts } from '../payment/settings.ts'
import { checkFacilitator } from './facilitator.ts'
import { type Finding, failed, findingOf, passed } from './finding.ts'

const checkAccounts = async ({ base, solana, tempo }: Accounts, config: Config): Promise<Finding[]> => {
  const [networks, timeout] = [networksOf(config), config.settle_ms]
  const found = await Promise.all([
    base && import('./evm.ts').then(({ checkBase }) => checkBase(base, networks, timeout)),
    solana && import('./solana.ts').then(({ checkSolana }) => checkSolana(solana, networks, timeout)),
    tempo && import('./evm.ts').then(({ checkTempo }) => checkTempo(tempo, networks, timeout)),
  ])
  return found.flatMap((findings) => findings ?? [])
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
    await import('../payment/embedded/chains.ts')
    return passed('SHELFMARK_PAYMENTS', 'embedded: test money only, on chains of this machine')
  } catch {
    return failed('SHELFMARK_PAYMENTS', 'embedded: the local chains are not installed; run npm ci in a checkout')
  }
}

/** Checks what takes payments: the local chains, or the facilitator, the nodes and the payees. */
export const checkPayments = async (config: Config): Promise<Finding[]> => {
  if (config.payments === 'off') return [passed('SHELFMARK_PAYMENTS', 'off: everything is free, on this machine only')]
  const missing = await checkPackages(config)
  if (missing.length > 0) return missing
  if (config.payments === 'embedded') return [await checkChains()]
  const [facilitator, accounts] = await Promise.all([
    checkFacilitator(config),
    checkAccounts(accountsOf(config), config),
  ])
  return [
    passed('SHELFMARK_PAYMENTS', `facilitator: ${config.networks === 'mainnet' ? 'real money' : 'test money'}`),
    ...incompleteAccounts(config).map(findingOf),
    ...facilitator,
    ...accounts,
  ]
}
