import { Session } from 'mppx/tempo'
import { createTestClient, createWalletClient, encodeFunctionData, erc20Abi, type Hex, http, maxUint256 } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { mine, setCode } from 'viem/actions'
import { testnets } from '../../api/ops/networks.ts'
import { type Anvil, startAnvil } from './anvil.ts'
import { evmKeys } from './keys.ts'
import contracts from './session-escrow.json' with { type: 'json' }
import { serveTempoRpc } from './tempo-rpc.ts'

const { tip20ChannelEscrow: escrow } = Session.Precompile.Constants
const { chain_id, currency } = testnets.tempo

/**
 * Starts a local chain that replaces Tempo. Its test accounts own its token from the first block on; the payer lets the
 * stand-in of the channel escrow move it, as the precompile may without being allowed to.
 */
export const startTempo = async (): Promise<Anvil> => {
  // From hardfork T5 on, anvil hangs at the second payment.
  const chain = await startAnvil('--network', 'tempo', '--hardfork', 'T4', '--chain-id', String(chain_id))
  const client = createTestClient({ mode: 'anvil', transport: http(chain.url) })
  // Payments expire by the time of the last block, and that of the first block is 0.
  await mine(client, { blocks: 1 })
  await setCode(client, { address: escrow, bytecode: contracts.escrow as Hex })
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [escrow, maxUint256] })
  const wallet = createWalletClient({ account: privateKeyToAddress(evmKeys.payer), transport: http(chain.url) })
  await wallet.sendTransaction({ chain: null, to: currency, data })
  const rpc = await serveTempoRpc(chain.url, escrow)
  return {
    url: rpc.url,
    async close() {
      rpc.close()
      await chain.close()
    },
  }
}
