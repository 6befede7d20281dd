import { createKeyPairSignerFromBytes, getBase58Encoder } from '@solana/kit'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { type Connect, requiredOf } from './connect.ts'
import { payByX402 } from './x402.ts'

/** Pays on Solana with a signed transaction, which the facilitator sends. */
export const connect: Connect = async ({ payers, rpc }, onPay, options) => {
  const key = getBase58Encoder().encode(requiredOf(payers.solana, 'key for solana'))
  const scheme = new ExactSvmScheme(await createKeyPairSignerFromBytes(key), {
    rpcUrl: requiredOf(rpc.solana, 'node of solana'),
  })
  return payByX402('solana', scheme, onPay, options)
}
