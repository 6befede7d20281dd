import { createTestClient, http } from 'viem'
import { mine } from 'viem/actions'
import { testnets } from '../../api/ops/networks.ts'
import { type Anvil, startAnvil } from './anvil.ts'

/** Starts a local chain that replaces Tempo. Its test accounts own its token from the first block on. */
export const startTempo = async (): Promise<Anvil> => {
  // From hardfork T5 on, anvil hangs at the second payment.
  const chain = await startAnvil(
    '--network',
    'tempo',
    '--hardfork',
    'T4',
    '--chain-id',
    String(testnets.tempo.chain_id),
  )
  // Payments expire by the time of the last block, and that of the first block is 0.
  await mine(createTestClient({ mode: 'anvil', transport: http(chain.url) }), { blocks: 1 })
  return chain
}
