import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { address, createSolanaRpcFromTransport, getBase58Decoder } from '@solana/kit'
import type { Landed, LocalSolana } from './solana.ts'

type RpcParams = readonly unknown[]
type RpcMethod = (chain: LocalSolana, params: RpcParams) => unknown
type RpcCall = { id: number | string; method: string; params?: RpcParams }

/** The genesis hash of devnet, which the chain replaces. */
const GENESIS_HASH = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'
const METHOD_NOT_FOUND = -32_601
const SERVER_ERROR = -32_000
/** The nominal lifetime of a blockhash. */
const LIFETIME_BLOCKS = 150

/** How long a blockhash is valid, in milliseconds. */
const LIFETIME_MS = 60_000

/**
 * A new blockhash for each call. Transactions of x402 version 1 clients differ in nothing else, and equal ones are
 * rejected.
 */
const newBlockhash = ({ blockhashes }: LocalSolana): string => {
  const blockhash = getBase58Decoder().decode(randomBytes(32))
  const now = Date.now()
  for (const [old, at] of blockhashes) {
    if (at > now - LIFETIME_MS) break
    blockhashes.delete(old)
  }
  blockhashes.set(blockhash, now)
  return blockhash
}

const isBlockhashValid = ({ blockhashes }: LocalSolana, blockhash: unknown): boolean =>
  (blockhashes.get(String(blockhash)) ?? 0) > Date.now() - LIFETIME_MS

const slotOf = ({ landed }: LocalSolana): number => landed.size + 1
const withContext = (chain: LocalSolana, value: unknown) => ({ context: { slot: slotOf(chain) }, value })

const accountAt = ({ svm }: LocalSolana, at: unknown) => {
  const account = svm.getAccount(address(String(at)))
  if (!account.exists) return null
  const { data, executable, lamports, programAddress, space } = account
  const base64 = [Buffer.from(data).toString('base64'), 'base64']
  return {
    data: base64,
    executable,
    lamports: Number(lamports),
    owner: programAddress,
    rentEpoch: 0,
    space: Number(space),
  }
}

const statusOf = ({ slot, err }: Landed) => ({
  slot,
  confirmations: null,
  confirmationStatus: 'finalized',
  err,
  status: err === null ? { Ok: null } : { Err: err },
})

const transactionOf = ({ slot, time, err, wire }: Landed) => ({
  slot,
  blockTime: time,
  version: 0,
  transaction: [wire, 'base64'],
  meta: { err, fee: 5000, innerInstructions: [], logMessages: [], preBalances: [], postBalances: [] },
})

const landedAt = (chain: LocalSolana, at: unknown, options: unknown) => {
  const { limit = 1000, before } = (options ?? {}) as { limit?: number; before?: string }
  const found = [...chain.landed.values()].filter(({ accounts }) => accounts.includes(String(at))).reverse()
  const start = before ? found.findIndex(({ signature }) => signature === before) + 1 : 0
  return found.slice(start, start + limit).map(({ signature, slot, time, err }) => ({
    signature,
    slot,
    blockTime: time,
    err,
    memo: null,
    confirmationStatus: 'finalized',
  }))
}

/**
 * The methods that x402 clients and facilitators call, and those that prove a payment; results are in base64 encoding.
 */
const methods: Readonly<Record<string, RpcMethod>> = {
  getGenesisHash: () => GENESIS_HASH,
  getSlot: (chain) => slotOf(chain),
  getBlockTime: () => Math.floor(Date.now() / 1000),
  getLatestBlockhash: (chain) =>
    withContext(chain, { blockhash: newBlockhash(chain), lastValidBlockHeight: slotOf(chain) + LIFETIME_BLOCKS }),
  isBlockhashValid: (chain, [blockhash]) => withContext(chain, isBlockhashValid(chain, blockhash)),
  getBalance: (chain, [at]) => withContext(chain, Number(chain.svm.getBalance(address(String(at))) ?? 0n)),
  getAccountInfo: (chain, [at]) => withContext(chain, accountAt(chain, at)),
  simulateTransaction: (chain, [wire]) => withContext(chain, { ...chain.simulate(String(wire)), accounts: null }),
  sendTransaction: (chain, [wire]) => chain.send(String(wire)),
  getSignatureStatuses: (chain, [signatures]) => {
    const landed = (signatures as string[]).map((signature) => chain.landed.get(signature))
    return withContext(
      chain,
      landed.map((found) => (found ? statusOf(found) : null)),
    )
  },
  getTransaction: (chain, [signature]) => {
    const found = chain.landed.get(String(signature))
    return found ? transactionOf(found) : null
  },
  getSignaturesForAddress: (chain, [at, options]) => landedAt(chain, at, options),
}

const answer = (chain: LocalSolana, { id, method, params = [] }: RpcCall) => {
  try {
    const run = methods[method]
    if (!run) return { jsonrpc: '2.0', id, error: { code: METHOD_NOT_FOUND, message: `Unknown method ${method}` } }
    return { jsonrpc: '2.0', id, result: run(chain, params) }
  } catch (error) {
    return { jsonrpc: '2.0', id, error: { code: SERVER_ERROR, message: (error as Error).message } }
  }
}

/** A client of a chain in this process, without HTTP. */
export const connectSolana = (chain: LocalSolana) =>
  createSolanaRpcFromTransport(async <T>({ payload }: { payload: unknown }) => answer(chain, payload as RpcCall) as T)

/** Serves a chain over JSON-RPC on a free port of 127.0.0.1. */
export const serveSolana = async (chain: LocalSolana): Promise<{ url: string; close(): Promise<void> }> => {
  const respond = async (request: IncomingMessage) => answer(chain, (await json(request)) as RpcCall)
  const server = createServer((request, response) => {
    // Browser wallets call it from pages of other origins, as they may call any public node.
    response.setHeader('access-control-allow-origin', '*').setHeader('access-control-allow-headers', '*')
    response.setHeader('content-type', 'application/json')
    if (request.method === 'OPTIONS') return void response.writeHead(204).end()
    respond(request).then(
      (body) => response.end(JSON.stringify(body)),
      () => response.writeHead(400).end(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}
