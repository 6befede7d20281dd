#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { commandLine, quotedValue, version } from '../../engine/index.ts'
import { type Config, ConfigError, readConfig } from '../ops/config.ts'
import { loadEnvFile } from '../ops/env-file.ts'
import { receiptOf } from '../payment/receipt.ts'
import { readTestWallet, testWallet } from '../payment/test-wallet.ts'
import { clients } from './clients.ts'

const USAGE = `Pays for one request with test money. The answer goes to standard output, the payment to standard error.

  ${commandLine('pay', 'PATH [--network base|solana|tempo] [--url ADDRESS]')}
  ${commandLine('pay', '--batch FILE [--network base|solana|tempo] [--url ADDRESS]')}

  PATH         such as '/v1/shopper/best-price?q=tv'
  --batch      a JSON file of up to 100 requests, such as [{"path": "/v1/shopper/best-price", "params": {"q": "tv"}}]
  --network    the network to pay on; default base
  --url        the service; default that of SHELFMARK_HOST and SHELFMARK_PORT
  --help, --version
`
const serve = commandLine('serve')
const NO_CHAINS = `No local chains are running: start the service with ${serve}, with the same SHELFMARK_LAKE.`
const CHAINS_GONE = `The local chains do not answer: restart the service with ${serve} and retry.`
const noService = (url: string) =>
  `Nothing answers at ${url}: start the service with ${serve}, or set its address with --url.`

/** `batch` is the file to send instead of a request for the path. */
type PayArguments = { path: string; batch: string | undefined; network: keyof typeof clients; url: string | undefined }

const isNetwork = (name: string): name is keyof typeof clients => Object.hasOwn(clients, name)

/** Reads the command line; returns a text for --help and --version. Throws an error that names what is expected. */
const readArguments = (args: string[]): PayArguments | string => {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  const options = {
    network: { ...text, default: 'base' },
    url: text,
    batch: text,
    help: { ...flag, short: 'h' },
    version: flag,
  } as const
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [path, ...others] = positionals
  if (values.help) return USAGE
  if (values.version) return version()
  if (path === undefined && values.batch === undefined) throw new ConfigError(USAGE)
  const extra = values.batch === undefined ? others[0] : path
  if (extra !== undefined)
    throw new ConfigError(
      `unexpected argument "${extra}": expected ${values.batch === undefined ? 'one path, in quotes if it contains a ?' : 'no path with --batch'}`,
    )
  if (path && !path.startsWith('/'))
    throw new ConfigError(`PATH: expected a path that starts with /, got ${quotedValue(path)}`)
  if (!isNetwork(values.network))
    throw new ConfigError(`--network: expected one of base, solana, tempo, got ${quotedValue(values.network)}`)
  if (values.url !== undefined && !URL.canParse(values.url))
    throw new ConfigError(`--url: expected an address such as http://127.0.0.1:8402, got ${quotedValue(values.url)}`)
  return { path: path ?? '/v1/batch', batch: values.batch, network: values.network, url: values.url }
}

/** Whether anything answers HTTP at an address, with any status. */
const isReachable = async (url: string): Promise<boolean> =>
  fetch(url, { method: 'HEAD' }).then(
    () => true,
    () => false,
  )

/** The request of a batch in a file; empty without one. */
const requestOf = (batch: string | undefined): RequestInit => {
  if (batch === undefined) return {}
  const headers = { 'content-type': 'application/json' }
  try {
    return { method: 'POST', headers, body: readFileSync(batch, 'utf8') }
  } catch (error) {
    throw new ConfigError(`--batch: cannot read ${batch} (${(error as NodeJS.ErrnoException).code})`)
  }
}

const pay = async ({ path, batch, network, url }: PayArguments, config: Config): Promise<number> => {
  const request = requestOf(batch)
  const wallet = await readTestWallet(testWallet(config))
  if (!wallet) throw new ConfigError(NO_CHAINS)
  const target = new URL(path, url ?? `http://${config.host}:${config.port}`)
  if (!(await isReachable(wallet.rpc[network]))) throw new ConfigError(CHAINS_GONE)
  if (!(await isReachable(target.origin))) throw new Error(noService(target.origin))
  let cost = 'nothing'
  const fetchPaying = await clients[network](wallet, ({ amount, token }) => {
    cost = `${(Number(amount) / 1e6).toFixed(2)} USD, ${amount} base units of ${token}, on ${network}`
  })
  const response = await fetchPaying(target.href, request)
  const { transaction, ...receipt } = receiptOf(response.headers)
  console.error(`status       ${response.status}`)
  console.error(`cost         ${response.ok ? cost : 'nothing'}`)
  if (transaction) console.error(`transaction  ${transaction}`)
  if (transaction) console.error(`receipt      ${JSON.stringify(receipt)}`)
  console.log(await response.text())
  return response.ok ? 0 : 1
}

try {
  const given = readArguments(process.argv.slice(2))
  if (typeof given === 'string') console.log(given)
  else {
    loadEnvFile()
    process.exitCode = await pay(given, readConfig(process.env))
  }
} catch (error) {
  const { code = '', message } = error as NodeJS.ErrnoException
  const isUsage = error instanceof ConfigError || code.startsWith('ERR_PARSE_ARGS')
  console.error(isUsage ? message : `${message}${(error as Error).cause ? `: ${(error as Error).cause}` : ''}`)
  process.exitCode = isUsage ? 2 : 3
}
