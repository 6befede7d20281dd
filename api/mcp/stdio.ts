import { Console } from 'node:console'
import { StdioServerTransport, serveStdio as serveEras } from '@modelcontextprotocol/server/stdio'
import type { QueryClient } from './client.ts'
import { createServer } from './server.ts'

/** Longer lines end the connection: no request is that long. */
const MAX_LINE_BYTES = 1_000_000

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/**
 * Serves a client on standard input and output until the input ends or a signal arrives; running queries are then
 * interrupted and the process exits with code 0. `onReady` runs when the host has sent its first message.
 */
export const serveStdio = async (
  client: QueryClient,
  log: (line: unknown) => void,
  onReady: () => void = () => {},
): Promise<void> => {
  // Libraries must not write between the messages.
  globalThis.console = new Console(process.stderr)
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MAX_LINE_BYTES })
  const factory = () => {
    const server = createServer(client, log)
    onReady()
    return server
  }
  const handle = serveEras(factory, { transport, onerror: ({ message }) => log(message) })
  // Closing aborts the signals of running calls before it ends the process.
  const stop = () => void handle.close().finally(() => process.exit(0))
  const closed = transport.onclose
  transport.onclose = () => {
    closed?.()
    process.exit(0)
  }
  for (const signal of SIGNALS) process.once(signal, stop)
  process.stdin.once('end', stop).once('error', stop)
  process.stdout.once('error', stop)
}
