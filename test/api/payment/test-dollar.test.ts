import { randomBytes } from 'node:crypto'
import { authorizationTypes } from '@x402/evm'
import { BaseError, createPublicClient, type Hex, http, parseAbi, parseSignature, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, expect, test } from 'vitest'
import { testnets } from '../../../api/ops/networks.ts'
import { evmKeys } from '../../chains/keys.ts'
import { startChains } from './paying.ts'

/** The order of secp256k1: with s, its difference from s is a signature of the same message. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const abi = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
])
const { asset, chain_id, name, version } = testnets.base
const payer = privateKeyToAccount(evmKeys.payer)
const payee = privateKeyToAccount(evmKeys.payee)

let url: string
beforeAll(async () => {
  url = (await startChains()).rpc.base
})

type Changes = {
  validAfter?: bigint
  validBefore?: bigint
  value?: bigint
  signed?: bigint
  isHigh?: boolean
  chainId?: number
}

/** What the token says of an authorization; null where it would transfer. */
const refusalOf = async ({ signed, isHigh, chainId = chain_id, ...changes }: Changes): Promise<string | null> => {
  const nonce = toHex(randomBytes(32))
  const usual = {
    from: payer.address,
    to: payee.address,
    value: 10_000n,
    validAfter: 0n,
    validBefore: 2n ** 40n,
    nonce,
  }
  const sent = { ...usual, ...changes }
  const message = signed === undefined ? sent : { ...sent, value: signed }
  const domain = { name, version, chainId, verifyingContract: asset }
  const signature = await payer.signTypedData({
    domain,
    types: authorizationTypes,
    primaryType: 'TransferWithAuthorization',
    message,
  })
  const { r, s, yParity } = parseSignature(signature)
  const high: [number, Hex] = [28 - yParity, toHex(ORDER - BigInt(s), { size: 32 })]
  const [v, chosen] = isHigh ? high : [27 + yParity, s]
  const { from, to, value, validAfter, validBefore } = sent
  const args = [from, to, value, validAfter, validBefore, nonce, v, r, chosen] as const
  const client = createPublicClient({ transport: http(url) })
  const call = { address: asset, abi, functionName: 'transferWithAuthorization', args } as const
  return client.simulateContract(call).then(
    () => null,
    (error: unknown) => (error instanceof BaseError ? error.shortMessage : String(error)),
  )
}

/** The words of USDC, which facilitators read. */
test.each<[string, Changes, string | null]>([
  ['takes an authorization', {}, null],
  ['refuses one that has expired', { validBefore: 1n }, 'FiatTokenV2: authorization is expired'],
  ['refuses one that is not valid yet', { validAfter: 2n ** 39n }, 'FiatTokenV2: authorization is not yet valid'],
  ['refuses one of another amount', { signed: 10_001n }, 'FiatTokenV2: invalid signature'],
  ['refuses one for another chain', { chainId: 8453 }, 'FiatTokenV2: invalid signature'],
  ['refuses the other signature of the same message', { isHigh: true }, "ECRecover: invalid signature 's' value"],
  ['refuses more than there is', { value: 2n ** 80n }, 'ERC20: transfer amount exceeds balance'],
])('the test dollar %s', async (_, changes, refusal) => {
  const said = await refusalOf(changes)
  expect(said).toEqual(refusal === null ? null : expect.stringContaining(refusal))
})
