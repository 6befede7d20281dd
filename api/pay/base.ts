import { ExactEvmScheme } from '@x402/evm/exact/client'
import { privateKeyToAccount } from 'viem/accounts'
import type { Connect } from './connect.ts'
import { payByX402 } from './x402.ts'

/** Pays on Base with a signed authorization; needs no node. */
export const connect: Connect = async ({ payers }, onPay) =>
  payByX402('eip155:*', new ExactEvmScheme(privateKeyToAccount(payers.base)), onPay)
