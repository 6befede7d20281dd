import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { commandLine, type Manifest, number, queries, readCurrentManifest, snapshotIds } from '../engine/index.ts'
import { apiPath } from './http/address.ts'
import { type Config, readConfig } from './ops/config.ts'
import { loadEnvFile } from './ops/env-file.ts'
import { exitWithError } from './ops/exit.ts'
import { stopWithChildren, stopWithParents } from './ops/family.ts'
import { findFreePort } from './ops/ports.ts'
import { serve } from './serve.ts'

/** `make` creates the first lake in a folder; `dismiss` ends the process that would, where a lake exists. */
export type LakeMaker = { make: (lake: string) => Promise<void>; dismiss: () => Promise<void> }

/** Settings of the environment, with a free port if none is set and the default is in use. */
const environmentWithPort = async (): Promise<Record<string, string | undefined>> => {
  const { SHELFMARK_PORT, SHELFMARK_HOST = '127.0.0.1' } = process.env
  const environment = { SHELFMARK_LOG_LEVEL: 'warn', ...process.env }
  if (SHELFMARK_PORT) return environment
  const { port } = readConfig(environment)
  const free = await findFreePort(port, SHELFMARK_HOST)
  if (free !== port) console.error(`Port ${port} or ${port + 1} is in use: using ${free} and ${free + 1}.`)
  return { ...environment, SHELFMARK_PORT: String(free) }
}

/** Paid queries that the sample lake can answer. */
const examples = ['/v1/shopper/best-price?q=laptop', '/v1/analyst/price-dispersion?category=laptops']
const paths = queries.map((query) => `${apiPath(query)}?`)
const example = examples.find((address) => paths.some((path) => address.startsWith(path)))

/** Where `pay` sends requests to without --url. */
const USUAL_ADDRESS = 'http://127.0.0.1:8402'

const paying = (address: string): string => {
  const args = `'${example}'${address === USUAL_ADDRESS ? '' : ` --url ${address}`}`
  return `  ${commandLine('pay', args)}                     # pays with test money, on Base
  ${commandLine('pay', `${args} --network solana`)}    # or tempo
`
}

/** What to try first, on the sample lake. */
const firstSteps = (address: string, { payments, lake }: Config, manifest: Manifest | null): string => `
${manifest ? `${lake}: ${contentsOf(manifest)}.` : `${lake}: no snapshot yet.`}
Shelfmark answers at ${address}.
Open ${address}/ in a browser, or try:

  curl '${address}/v1/public/stats'
  curl -i '${address}${example}'
${payments === 'embedded' ? paying(address) : ''}
The contract: ${address}/openapi.json    Stop: Ctrl-C
`

/** What the lake holds, in one line. */
const contentsOf = ({ counts, observed_from, observed_to }: Manifest): string => {
  const { observations = 0, listings = 0, retailers = 0 } = counts
  const [first, last] = [observed_from, observed_to].map((time) => time?.slice(0, 10))
  return `${number(observations)} prices of ${number(listings)} listings at ${number(retailers)} retailers, ${first} to ${last}`
}

/** Serves the lake, or one of sample data if there is none, and prints what to try. */
export const start = async ({ make, dismiss }: LakeMaker): Promise<void> => {
  if (process.env.npm_lifecycle_event) stopWithParents()
  try {
    loadEnvFile()
    const config = readConfig(await environmentWithPort())
    const { lake } = config
    const hasLake = config.store !== undefined || existsSync(join(lake, 'current'))
    if (hasLake) await dismiss()
    // The service would wait for a readable lake. Fail immediately instead, unless an older snapshot can be served.
    if (hasLake && (await snapshotIds(lake)).length < 2) await readCurrentManifest(lake)
    const makeFirst = (): Promise<void> => {
      console.error(`There is no lake at ${lake} yet: making one from sample feeds, in about ten seconds.`)
      return make(lake)
    }
    const address = await serve(config, hasLake ? undefined : makeFirst)
    // The local chains.
    stopWithChildren()
    console.log(firstSteps(address, config, await readCurrentManifest(lake)))
  } catch (error) {
    exitWithError(error)
  }
}
