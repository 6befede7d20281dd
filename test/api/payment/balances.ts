import { address, createSolanaRpc } from '@solana/kit'
import { findAssociatedTokenPda, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { createPublicClient, http, parseAbi } from 'viem'
import { testnets } from '../../../api/ops/networks.ts'
import type { Embedded } from '../../../api/payment/local-chains.ts'
import type { Network } from './paying.ts'

const abi = parseAbi(['function balanceOf(address) view returns (uint256)'])

export type Balances = (network: Network) => Promise<bigint>

/** What the payee owns on a network. */
export const balanceOf =
  ({ rpc, payTo }: Pick<Embedded, 'rpc' | 'payTo'>): Balances =>
  async (network) => {
    if (network === 'solana') {
      const [account] = await findAssociatedTokenPda({
        owner: address(payTo.solana),
        mint: address(testnets.solana.asset),
        tokenProgram: TOKEN_PROGRAM_ADDRESS,
      })
      const { value } = await createSolanaRpc(rpc.solana).getAccountInfo(account, { encoding: 'base64' }).send()
      // SPL token account: the amount follows the mint and the owner.
      return value ? Buffer.from(value.data[0], 'base64').readBigUInt64LE(64) : 0n
    }
    const client = createPublicClient({ transport: http(rpc[network]) })
    return client.readContract({
      address: network === 'base' ? testnets.base.asset : testnets.tempo.currency,
      abi,
      functionName: 'balanceOf',
      args: [network === 'base' ? payTo.evm : payTo.tempo],
    })
  }
