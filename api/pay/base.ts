import { ExactEvmScheme } from '@x402/evm/exact/client'
import { privateKeyToAccount } from 'viem/accounts'
import type { Connect } from './clients.ts'
import { payByX402 } from './x402.ts'

/** Pays on Base by an authorization that it signs; the chain is not asked. */
export const connect: Connect = async ({ payers }, onPay) =>
  payByX402('eip155:*', new ExactEvmScheme(privateKeyToAccount(payers.base)), onPay)
