import { type Address, type Hex, hashTypedData, isAddressEqual, parseAbi } from 'viem'
import { signerOf } from '../recover.ts'
import type { ChannelConfig, Voucher } from './session.ts'
import { isCommon } from './voucher.ts'

export const SCHEME = 'batch-settlement'

/** The contract of the scheme, at one address on every chain, and what collects deposits by ERC-3009 for it. */
export const CHANNELS: Address = '0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003'
export const COLLECTOR: Address = '0x4020806089470a89826cB9fB1f4059150b550004'

/** How long a payer waits to withdraw a deposit that it announced to withdraw: the least that the contract allows. */
export const WITHDRAW_SECONDS = 900

export const channelAbi = parseAbi([
  'function channels(bytes32 channelId) view returns (uint128 balance, uint128 totalClaimed)',
  'function pendingWithdrawals(bytes32 channelId) view returns (uint128 amount, uint40 initiatedAt)',
  'function refundNonce(bytes32 channelId) view returns (uint256)',
  'function receivers(address receiver, address token) view returns (uint128 totalClaimed, uint128 totalSettled)',
  'event Settled(address indexed receiver, address indexed token, address indexed sender, uint128 amount)',
])

/** What payers and the authorizer of the payee sign, as EIP-712 types. */
export const channelTypes = {
  ChannelConfig: [
    { name: 'payer', type: 'address' },
    { name: 'payerAuthorizer', type: 'address' },
    { name: 'receiver', type: 'address' },
    { name: 'receiverAuthorizer', type: 'address' },
    { name: 'token', type: 'address' },
    { name: 'withdrawDelay', type: 'uint40' },
    { name: 'salt', type: 'bytes32' },
  ],
  Voucher: [
    { name: 'channelId', type: 'bytes32' },
    { name: 'maxClaimableAmount', type: 'uint128' },
  ],
  ClaimBatch: [{ name: 'claims', type: 'ClaimEntry[]' }],
  ClaimEntry: [
    { name: 'channelId', type: 'bytes32' },
    { name: 'maxClaimableAmount', type: 'uint128' },
    { name: 'totalClaimed', type: 'uint128' },
  ],
  Refund: [
    { name: 'channelId', type: 'bytes32' },
    { name: 'nonce', type: 'uint256' },
    { name: 'amount', type: 'uint128' },
  ],
} as const

export const domainOf = (chainId: number) =>
  ({ name: 'x402 Batch Settlement', version: '1', chainId, verifyingContract: CHANNELS }) as const

export const channelIdOf = (message: ChannelConfig, chainId: number): Hex =>
  hashTypedData({ domain: domainOf(chainId), types: channelTypes, primaryType: 'ChannelConfig', message })

/** Whether a key signed a voucher of a channel, in a form that its chain takes. */
export const isSignedBy = async (
  signer: Address,
  channelId: Hex,
  { cumulativeAmount: maxClaimableAmount, signature }: Voucher,
  chainId: number,
): Promise<boolean> => {
  if (!isCommon(signature)) return false
  const message = { channelId, maxClaimableAmount }
  const hash = hashTypedData({ domain: domainOf(chainId), types: channelTypes, primaryType: 'Voucher', message })
  const recovered = await signerOf(hash, signature)
  return recovered !== null && isAddressEqual(recovered, signer)
}
