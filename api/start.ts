import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { queries, readCurrentManifest, snapshotIds } from '../engine/index.ts'
import { type Config, readConfig } from './config.ts'
import { giveUp, serve } from './serve.ts'

const run = (...args: string[]): void => {
  const { status } = spawnSync('npm', ['run', '-s', ...args], { stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) throw new Error(`npm run ${args.join(' ')} failed with exit code ${status}`)
}

/** Makes a lake of sample feeds, which are not kept: a start that was broken off leaves nothing in the way of the next. */
const makeLake = (lake: string): void => {
  const feeds = mkdtempSync(join(tmpdir(), 'shelfmark-feeds-'))
  try {
    run('sample', '--', '--out', feeds)
    run('refresh', '--', '--feeds', feeds, '--lake', lake)
  } finally {
    rmSync(feeds, { recursive: true })
  }
}

/** Paid questions that the sample lake can answer. */
const examples = ['/v1/shopper/best-price?q=laptop', '/v1/analyst/price-dispersion?category=laptops']
const paths = queries.map(({ group, name }) => `/v1/${group}/${name}?`)
const example = examples.find((asked) => paths.some((path) => asked.startsWith(path)))

const paying = `  npm run -s pay -- '${example}'                     # pays with test money, on Base
  npm run -s pay -- '${example}' --network solana    # or tempo
`

/** What to try first, on the sample lake. */
const invitation = (address: string, { payments }: Config): string => `
Shelfmark answers at ${address}. Try:

  curl '${address}/v1/public/stats'
  curl -i '${address}${example}'
${payments === 'embedded' ? paying : ''}
The contract: ${address}/openapi.json    Stop: Ctrl-C
`

try {
  const config = readConfig({ SHELFMARK_LOG_LEVEL: 'warn', ...process.env })
  if (!existsSync(join(config.lake, 'current'))) {
    console.error(`There is no lake at ${config.lake} yet: making one from sample feeds.`)
    makeLake(config.lake)
  }
  // A service waits for a lake that it can read; who starts one by hand is told at once, unless another snapshot may do.
  if ((await snapshotIds(config.lake)).length < 2) await readCurrentManifest(config.lake)
  console.log(invitation(await serve(config), config))
} catch (error) {
  giveUp(error)
}
