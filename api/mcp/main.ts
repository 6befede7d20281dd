#!/usr/bin/env node
import { version } from '../../engine/index.ts'
import { ConfigError, readConfig } from '../ops/config.ts'
import { withPackages } from '../ops/packages.ts'
import { testWallet } from '../payment/test-wallet.ts'
import { readArguments, USAGE } from './arguments.ts'
import { createLocalClient } from './local.ts'
import { createRemoteClient } from './remote.ts'

/** Standard output carries only the protocol. */
const log = (line: unknown): void => {
  process.stderr.write(`shelfmark-mcp: ${line instanceof Error ? line.stack : line}\n`)
}

/** Concurrent queries of one agent. */
const CONNECTIONS = 2

const { SHELFMARK_LAKE, SHELFMARK_AS_OF, SHELFMARK_THREADS, SHELFMARK_MEMORY_LIMIT, SHELFMARK_WALLET } = process.env

/** Settings of the lake; those of a service do not matter here. */
const lakeSettings = () => readConfig({ SHELFMARK_LAKE, SHELFMARK_AS_OF, SHELFMARK_THREADS, SHELFMARK_MEMORY_LIMIT })

const run = async (args: readonly string[]): Promise<void> => {
  const given = readArguments(args)
  if (given.kind === 'help') process.stdout.write(USAGE)
  else if (given.kind === 'version') process.stdout.write(`${version()}\n`)
  else {
    const { lake, as_of, threads, memory_limit } = lakeSettings()
    const { serveStdio } = await withPackages('shelfmark-mcp', () => import('./stdio.ts'))
    if (given.kind === 'remote') {
      const { kind: _, ...options } = given
      const wallet_file = SHELFMARK_WALLET || testWallet({ lake })
      await serveStdio(createRemoteClient({ ...options, wallet_file, log }), log)
    } else {
      const options = { as_of, threads, memory_limit, connections: CONNECTIONS }
      const client = createLocalClient({ lake: given.lake ?? lake, options, log })
      await serveStdio(client, log, client.warm)
    }
  }
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  const isUsage = error instanceof ConfigError
  process.stderr.write(`${isUsage ? error.message : (error as Error).stack}\n`)
  process.exitCode = isUsage ? 2 : 3
}
