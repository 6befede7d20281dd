import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from './config.ts'
import { giveUp, serve } from './serve.ts'

const FEEDS = 'data/feeds'

const run = (...args: string[]): void => {
  const { status } = spawnSync('npm', ['run', '-s', ...args], { stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) throw new Error(`npm run ${args.join(' ')} failed with exit code ${status}`)
}

/** What to try first, on the sample lake. */
const invitation = (address: string): string => `
Shelfmark answers at ${address}. Try:

  curl '${address}/v1/public/stats'
  curl '${address}/v1/analyst/inflation?category=coffee&time_window=last_90_days'
  curl '${address}/v1/analyst/price-dispersion?category=laptops'
  npm run -s shelfmark -- analyst inflation --category coffee --days 365

The contract: ${address}/openapi.json    Stop: Ctrl-C
`

try {
  // Payments cannot be made in this build: everything is free, on this machine alone.
  const config = readConfig({ SHELFMARK_PAYMENTS: 'off', SHELFMARK_LOG_LEVEL: 'warn', ...process.env })
  if (!existsSync(join(config.lake, 'current'))) {
    console.error(`There is no lake at ${config.lake} yet: making one from sample feeds.`)
    run('sample', '--', '--out', FEEDS)
    run('refresh', '--', '--feeds', FEEDS, '--lake', config.lake)
  }
  console.log(invitation(await serve(config)))
} catch (error) {
  giveUp(error)
}
