import { ConfigError, readConfig } from '../ops/config.ts'
import { withPackages } from '../ops/packages.ts'
import { testWallet } from '../payment/test-wallet.ts'
import { type McpArguments, readArguments } from './arguments.ts'
import { createLocalClient } from './local.ts'
import { createRemoteClient } from './remote.ts'

/** Standard output carries only the protocol. */
const log = (line: unknown): void => {
  process.stderr.write(`shelfmark-mcp: ${line instanceof Error ? line.stack : line}\n`)
}

/** Concurrent queries of one agent. */
const CONNECTIONS = 2

/** Settings of the lake; those of a service do not matter here. */
const lakeSettings = ({
  SHELFMARK_LAKE,
  SHELFMARK_AS_OF,
  SHELFMARK_THREADS,
  SHELFMARK_MEMORY_LIMIT,
}: NodeJS.ProcessEnv) => readConfig({ SHELFMARK_LAKE, SHELFMARK_AS_OF, SHELFMARK_THREADS, SHELFMARK_MEMORY_LIMIT })

const serve = async (given: McpArguments, environment: NodeJS.ProcessEnv): Promise<void> => {
  const { lake, as_of, threads, memory_limit } = lakeSettings(environment)
  const { serveStdio } = await withPackages('shelfmark-mcp', () => import('./stdio.ts'))
  if (given.kind === 'remote') {
    const { kind: _, ...options } = given
    const wallet_file = environment.SHELFMARK_WALLET || testWallet({ lake })
    await serveStdio(createRemoteClient({ ...options, wallet_file, log }), log)
  } else {
    const options = { as_of, threads, memory_limit, connections: CONNECTIONS }
    const client = createLocalClient({ lake: given.lake ?? lake, options, log })
    await serveStdio(client, log, client.warm)
  }
}

/** Serves as a command line says. Returns the exit code; never throws. */
export const run = async (args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> => {
  try {
    await serve(readArguments(args), environment)
    return 0
  } catch (error) {
    const isUsage = error instanceof ConfigError
    process.stderr.write(`${isUsage ? error.message : (error as Error).stack}\n`)
    return isUsage ? 2 : 3
  }
}
