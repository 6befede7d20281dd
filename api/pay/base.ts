import { ExactEvmScheme } from '@x402/evm/exact/client'
import { privateKeyToAccount } from 'viem/accounts'
import { type Connect, requiredOf } from './connect.ts'
import { payByX402 } from './x402.ts'

/** Pays on Base with a signed authorization; needs no node. */
export const connect: Connect = async ({ payers }, onPay, options) =>
  payByX402('base', new ExactEvmScheme(privateKeyToAccount(requiredOf(payers.base, 'key for base'))), onPay, options)
