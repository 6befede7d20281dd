import { x402Facilitator } from '@x402/core/facilitator'
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/facilitator'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { toFacilitatorSvmSigner } from '@x402/svm'
import { ExactSvmScheme } from '@x402/svm/exact/facilitator'
import { privateKeyToAddress } from 'viem/accounts'
import { testnets } from '../../api/ops/networks.ts'
import type { Facilitator } from '../../api/payment/facilitator.ts'
import type { Embedded } from '../../api/payment/local-chains.ts'
import { startBase } from './base.ts'
import { evmKeys, solanaPayerKey, solanaSigner } from './keys.ts'
import { startSolana } from './solana.ts'
import { connectSolana, serveSolana } from './solana-rpc.ts'
import { startTempo } from './tempo.ts'

const openSolana = async () => {
  const [feePayer, payer, payee] = await Promise.all([
    solanaSigner('fee payer'),
    solanaSigner('payer'),
    solanaSigner('payee'),
  ])
  const chain = await startSolana({ feePayer: feePayer.address, payer: payer.address, payee: payee.address })
  const { url, close } = await serveSolana(chain)
  return {
    url,
    close,
    payee: payee.address,
    signer: toFacilitatorSvmSigner(feePayer, { [testnets.solana.caip2]: connectSolana(chain) }),
  }
}

/** The three local chains, and the official facilitator for two of them; on Tempo the service sends transactions. */
export const openChains = async (): Promise<Embedded> => {
  const [base, tempo, solana] = await Promise.all([startBase(), startTempo(), openSolana()])
  const official = new x402Facilitator()
    .register(testnets.base.caip2, new ExactEvmScheme(base.signer))
    .register(testnets.base.caip2, new BatchSettlementEvmScheme(base.signer))
    .register(testnets.solana.caip2, new ExactSvmScheme(solana.signer))
  const facilitator: Facilitator = {
    supported: async () => official.getSupported() as Awaited<ReturnType<Facilitator['supported']>>,
    verify: async (payload, requirements) => {
      if (requirements.network === testnets.base.caip2) await base.keepTime()
      return official.verify(payload, requirements)
    },
    settle: (payload, requirements) => official.settle(payload, requirements),
  }
  const evm = privateKeyToAddress(evmKeys.payee)
  return {
    facilitator,
    rpc: { base: base.url, solana: solana.url, tempo: tempo.url },
    payTo: { evm, solana: solana.payee, tempo: evm },
    payers: { base: evmKeys.payer, solana: await solanaPayerKey(), tempo: evmKeys.payer },
    close: async () => void (await Promise.all([base.close(), tempo.close(), solana.close()])),
  }
}
