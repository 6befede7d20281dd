import { createPublicClient, type Hex, http, type PublicClient } from 'viem'
import type { Rails } from './rails.ts'

/** How long a node's word on an account lasts, and for how many accounts it is kept. */
const CODE_MS = 600_000
const MAX_ACCOUNTS = 10_000

/** The node of Base, and what it said of accounts. */
export type BaseNode = {
  client: PublicClient
  /** Whether an account is a contract, which may accept signatures other than its key's. The result is kept for ten minutes. */
  isContract(address: Hex): Promise<boolean>
}

const createBaseNode = (rpc: string, timeout: number): BaseNode => {
  // What was settled a moment ago is in a newer block than a cached number.
  const client = createPublicClient({ cacheTime: 0, transport: http(rpc, { retryCount: 1, timeout }) })
  const accounts = new Map<string, { at: number; isContract: Promise<boolean> }>()
  return {
    client,
    isContract(address) {
      const name = address.toLowerCase()
      const account = accounts.get(name)
      if (account && account.at > Date.now() - CODE_MS) return account.isContract
      const isContract = client.getCode({ address }).then((code) => code !== undefined)
      accounts.delete(name)
      accounts.set(name, { at: Date.now(), isContract })
      for (const oldest of accounts.keys()) {
        if (accounts.size <= MAX_ACCOUNTS) break
        accounts.delete(oldest)
      }
      isContract.catch(() => accounts.delete(name))
      return isContract
    },
  }
}

const nodes = new WeakMap<Rails, BaseNode>()

/** The node of a service, created once: that takes as long as half a 402. */
export const baseNodeOf = (rpc: string, rails: Rails): BaseNode => {
  const node = nodes.get(rails) ?? createBaseNode(rpc, rails.settle_ms)
  nodes.set(rails, node)
  return node
}
