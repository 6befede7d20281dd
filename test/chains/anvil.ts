import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

/** An EVM chain that mines every transaction at once, answering JSON-RPC at `url`. */
export type Anvil = { url: string; close(): Promise<void> }

/**
 * The shell becomes the chain. A background watcher reads from a pipe that nobody writes to and that closes when this
 * process ends, even by SIGKILL; then it ends the chain too.
 */
const WATCHED = '(cat <&3; kill $$) >/dev/null 2>&1 & exec "$0" "$@"'

const command = (): string => {
  const { resolve } = createRequire(createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json'))
  const cpu = process.arch === 'x64' ? 'amd64' : process.arch
  return resolve(`@foundry-rs/anvil-${process.platform}-${cpu}/bin/anvil`)
}

const addressOf = async (chain: ChildProcess): Promise<string> => {
  for await (const line of createInterface(chain.stdout!)) {
    const [, address] = /^Listening on (\S+)$/.exec(line) ?? []
    if (address) return `http://${address}`
  }
  throw new Error('A local chain exited before it was ready.')
}

/** Starts anvil on a free port of 127.0.0.1. */
export const startAnvil = async (...options: readonly string[]): Promise<Anvil> => {
  const args = ['-c', WATCHED, command(), '--host', '127.0.0.1', '--port', '0', ...options]
  // In a group of its own: Ctrl-C ends the service, which still has payments to settle, and then its chains.
  const chain = spawn('/bin/sh', args, { stdio: ['ignore', 'pipe', 'inherit', 'pipe'], detached: true })
  const ended = once(chain, 'exit')
  const close = async () => {
    chain.stdio[3]?.destroy()
    await ended
  }
  void ended.then(close, () => {})
  const url = await addressOf(chain)
  chain.stdout?.resume()
  return { url, close }
}
