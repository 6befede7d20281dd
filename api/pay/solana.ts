import { createKeyPairSignerFromBytes, getBase58Encoder } from '@solana/kit'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import type { Connect } from './connect.ts'
import { payByX402 } from './x402.ts'

/** Pays on Solana with a signed transaction, which the facilitator sends. */
export const connect: Connect = async ({ payers, rpc }, onPay) => {
  const signer = await createKeyPairSignerFromBytes(getBase58Encoder().encode(payers.solana))
  return payByX402('solana:*', new ExactSvmScheme(signer, { rpcUrl: rpc.solana }), onPay)
}
