import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { Session } from 'mppx/tempo'
import { decodeFunctionData, encodeAbiParameters, type Hex, keccak256, parseAbiParameters } from 'viem'
import { Transaction } from 'viem/tempo'

type Call = { jsonrpc: '2.0'; id: unknown; method: string; params?: unknown[] }

const { Channel, escrowAbi } = Session.Precompile

/** The salt of the channel that a transaction opens, and the hash that the channel is named by; null if it opens none. */
const openedBy = (serialized: Hex): { salt: Hex; hash: Hex } | null => {
  try {
    const transaction = Transaction.deserialize(serialized as `0x76${string}`)
    const [data = '0x'] = transaction.calls?.slice(-1).map((call) => call.data) ?? []
    const { functionName, args } = decodeFunctionData({ abi: escrowAbi, data })
    if (functionName !== 'open' || !transaction.from) return null
    return { salt: args[4], hash: Channel.computeExpiringNonceHash(transaction, { sender: transaction.from }) }
  } catch {
    return null
  }
}

/** Anvil estimates too little gas for what a contract writes to new places, for which Tempo charges more. */
const AMPLE_GAS = '0x2dc6c0'

/** Pages of any origin may send requests, as to anvil itself. */
const FROM_PAGES = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'access-control-allow-methods': '*',
}

/**
 * Serves the JSON-RPC of a chain whose channel escrow is a contract. The precompile of Tempo sees the hash of the
 * transaction that opens a channel; a contract does not, so that it is written into its storage before.
 */
export const serveTempoRpc = async (url: string, escrow: Hex): Promise<{ url: string; close(): void }> => {
  const post = (calls: Call | Call[]): Promise<Response> =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(calls) })
  const note = async (serialized: Hex): Promise<void> => {
    const opened = openedBy(serialized)
    if (!opened) return
    const slot = keccak256(encodeAbiParameters(parseAbiParameters('bytes32, uint256'), [opened.salt, 0n]))
    await post({ jsonrpc: '2.0', id: 1, method: 'anvil_setStorageAt', params: [escrow, slot, opened.hash] })
  }
  const server = createServer(async (request, response) => {
    try {
      if (request.method !== 'POST') {
        const { status } = await fetch(url, { method: 'HEAD' })
        return response.writeHead(request.method === 'OPTIONS' ? 204 : status, FROM_PAGES).end()
      }
      const calls = (await json(request)) as Call | Call[]
      for (const { method, params } of [calls].flat()) {
        const [first] = params ?? []
        if (method.startsWith('eth_sendRawTransaction')) await note(first as Hex)
        // The clock of the last block is that of the last transaction, and may lie too far back for what expires soon.
        if (method === 'eth_call' && params?.[1] === 'latest') params[1] = 'pending'
        if (method === 'eth_fillTransaction') Object.assign(first as object, { gas: AMPLE_GAS, ...(first as object) })
      }
      const answer = await post(calls)
      response.writeHead(answer.status, { ...FROM_PAGES, 'content-type': 'application/json' }).end(await answer.text())
    } catch {
      response.destroy()
    }
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  server.unref()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
