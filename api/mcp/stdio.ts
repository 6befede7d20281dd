import { Console } from 'node:console'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { QueryClient } from './client.ts'
import { createServer } from './server.ts'

/** Longer lines end the connection: no request is that long. */
const MAX_LINE_BYTES = 1_000_000

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/**
 * Serves a client on standard input and output until the input ends or a signal arrives; running queries are then
 * interrupted and the process exits with code 0. `onReady` runs when the host has initialized the connection.
 */
export const serveStdio = async (
  client: QueryClient,
  log: (line: unknown) => void,
  onReady: () => void = () => {},
): Promise<void> => {
  // Libraries must not write between the messages.
  globalThis.console = new Console(process.stderr)
  const server = createServer(client, log)
  // Closing aborts the signals of running calls before it ends the process.
  const stop = () => server.close()
  for (const signal of SIGNALS) process.once(signal, stop)
  process.stdin.once('end', stop).once('error', stop)
  process.stdout.once('error', stop)
  server.server.oninitialized = onReady
  server.server.onerror = ({ message }) => log(message)
  server.server.onclose = () => process.exit(0)
  await server.connect(new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MAX_LINE_BYTES }))
}
