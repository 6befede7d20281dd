import { setTimeout as sleep } from 'node:timers/promises'
import { BATCH_SETTLEMENT_ADDRESS, ERC3009_DEPOSIT_COLLECTOR_ADDRESS, type FacilitatorEvmSigner } from '@x402/evm'
import {
  type Address,
  type Chain,
  type Client,
  concat,
  createTestClient,
  defineChain,
  encodeFunctionData,
  type Hex,
  http,
  type LocalAccount,
  parseAbi,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
  type Transport,
  WaitForTransactionReceiptTimeoutError,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { getBlock, getCode, getTransactionReceipt, mine, readContract, setCode, verifyTypedData } from 'viem/actions'
import { testnets } from '../../api/ops/networks.ts'
import { startAnvil } from './anvil.ts'
import standIn from './batch-settlement.json' with { type: 'json' }
import { evmKeys } from './keys.ts'
import { createRelayer, type Relayer } from './relayer.ts'
import contracts from './test-dollar.json' with { type: 'json' }

/** A local chain in the place of Base, whose USDC is the test dollar. */
export type LocalBase = {
  url: string
  signer: FacilitatorEvmSigner
  /** Mines a block if the last one is old, since the validity of a payment is checked against the last block's time. */
  keepTime(): Promise<void>
  close(): Promise<void>
}

const { chain_id, asset } = testnets.base
const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11'
/** The payer's balance in base units: a million dollars. */
const BALANCE = 1_000_000_000_000n
const POLLING_MS = 4
/** How long to wait for a receipt. */
const RECEIPT_MS = 60_000
/** The age at which a block is stale, and how often that is checked. */
const STALE_SECONDS = 1
const CHECK_MS = 1000

const mint = (to: Address): Hex =>
  encodeFunctionData({ abi: parseAbi(['function mint(address to, uint256 value)']), args: [to, BALANCE] })

/**
 * Waits for a transaction that the chain has accepted. viem's own wait polls only when there is a new block: it misses
 * a receipt that appears after its block, and the next block may take minutes.
 */
const receiptOf = async (client: Client<Transport, Chain>, hash: Hex): Promise<TransactionReceipt> => {
  const end = performance.now() + RECEIPT_MS
  while (performance.now() < end) {
    const receipt = await getTransactionReceipt(client, { hash }).catch((error) => {
      if (error instanceof TransactionReceiptNotFoundError) return null
      throw error
    })
    if (receipt) return receipt
    await sleep(POLLING_MS)
  }
  throw new WaitForTransactionReceiptTimeoutError({ hash })
}

/** The signer that the official facilitator needs: it reads from the chain and writes with the relayer. */
const signerOf = (client: Client<Transport, Chain, LocalAccount>, relayer: Relayer): FacilitatorEvmSigner => ({
  getAddresses: () => [client.account.address],
  readContract: (call) => readContract(client, { ...call, args: call.args ?? [] }),
  verifyTypedData: (signed) => verifyTypedData(client, signed as Parameters<typeof verifyTypedData>[1]),
  writeContract: ({ address, dataSuffix = '0x', ...call }) =>
    relayer.send(address, concat([encodeFunctionData(call), dataSuffix])),
  sendTransaction: ({ to, data }) => relayer.send(to, data),
  waitForTransactionReceipt: ({ hash }) => receiptOf(client, hash),
  getCode: (at) => getCode(client, at),
})

/** Starts the chain and funds the payer. */
export const startBase = async (): Promise<LocalBase> => {
  const { url, close } = await startAnvil('--chain-id', String(chain_id), '--order', 'fifo')
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  const client = createTestClient({
    mode: 'anvil',
    account: privateKeyToAccount(evmKeys.relayer),
    chain: defineChain({ id: chain_id, name: 'Local Base', nativeCurrency, rpcUrls: { default: { http: [url] } } }),
    transport: http(url, { retryCount: 0, batch: true }),
  })
  const relayer = createRelayer(client)
  const signer = signerOf(client, relayer)
  await setCode(client, { address: asset, bytecode: contracts.dollar as Hex })
  await setCode(client, { address: MULTICALL3, bytecode: contracts.multicall as Hex })
  await setCode(client, { address: BATCH_SETTLEMENT_ADDRESS, bytecode: standIn.settlement as Hex })
  await setCode(client, { address: ERC3009_DEPOSIT_COLLECTOR_ADDRESS, bytecode: standIn.collector as Hex })
  const hash = await relayer.send(asset, mint(privateKeyToAccount(evmKeys.payer).address))
  await signer.waitForTransactionReceipt({ hash })
  const mineIfStale = async (): Promise<void> => {
    const { timestamp } = await getBlock(client)
    if (Date.now() / 1000 - Number(timestamp) > STALE_SECONDS) await mine(client, { blocks: 1 })
  }
  let kept = { since: 0, work: Promise.resolve() }
  const keepTime = (): Promise<void> => {
    if (Date.now() - kept.since > CHECK_MS) kept = { since: Date.now(), work: mineIfStale() }
    return kept.work
  }
  return { url, signer, keepTime, close }
}
