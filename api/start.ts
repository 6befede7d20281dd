import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commandLine, queries, readCurrentManifest, snapshotIds } from '../engine/index.ts'
import { type Config, readConfig } from './ops/config.ts'
import { loadEnvFile } from './ops/env-file.ts'
import { exitWithError } from './ops/exit.ts'
import { stopWithChildren, stopWithParents } from './ops/family.ts'
import { SIGNALS, serve } from './serve.ts'

/** Runs a command of another folder. A signal to this process ends both. */
const run = async (command: string, ...args: string[]): Promise<void> => {
  const script = fileURLToPath(new URL(`../${command}`, import.meta.url))
  const child = spawn(process.execPath, [...process.execArgv, script, ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const stop = (signal: NodeJS.Signals): void => void child.kill(signal)
  for (const signal of SIGNALS) process.once(signal, stop)
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
  for (const signal of SIGNALS) process.off(signal, stop)
  if (signal) process.exit(128 + constants.signals[signal])
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed with exit code ${code}`)
}

/** Makes a lake from sample feeds, which are not kept, so that an interrupted start does not affect the next. */
const makeLake = async (lake: string): Promise<void> => {
  const feeds = mkdtempSync(join(tmpdir(), 'shelfmark-feeds-'))
  process.once('exit', () => rmSync(feeds, { recursive: true, force: true }))
  await run('data/sample/main.ts', '--out', feeds)
  await run('ingest/main.ts', '--feeds', feeds, '--lake', lake)
  rmSync(feeds, { recursive: true })
}

/** Paid queries that the sample lake can answer. */
const examples = ['/v1/shopper/best-price?q=laptop', '/v1/analyst/price-dispersion?category=laptops']
const paths = queries.map(({ group, name }) => `/v1/${group}/${name}?`)
const example = examples.find((address) => paths.some((path) => address.startsWith(path)))

const paying = `  ${commandLine('pay', `'${example}'`)}                     # pays with test money, on Base
  ${commandLine('pay', `'${example}' --network solana`)}    # or tempo
`

/** What to try first, on the sample lake. */
const firstSteps = (address: string, { payments }: Config): string => `
Shelfmark answers at ${address}.
Open ${address}/ in a browser, or try:

  curl '${address}/v1/public/stats'
  curl -i '${address}${example}'
${payments === 'embedded' ? paying : ''}
The contract: ${address}/openapi.json    Stop: Ctrl-C
`

if (process.env.npm_lifecycle_event) stopWithParents()
try {
  loadEnvFile()
  const config = readConfig({ SHELFMARK_LOG_LEVEL: 'warn', ...process.env })
  if (config.store === undefined && !existsSync(join(config.lake, 'current'))) {
    console.error(`There is no lake at ${config.lake} yet: making one from sample feeds.`)
    await makeLake(config.lake)
  }
  // The service would wait for a readable lake. Fail immediately instead, unless an older snapshot can be served.
  if ((await snapshotIds(config.lake)).length < 2) await readCurrentManifest(config.lake)
  const address = await serve(config)
  // The local chains, and the TypeScript compiler.
  stopWithChildren()
  console.log(firstSteps(address, config))
} catch (error) {
  exitWithError(error)
}
