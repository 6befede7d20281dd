#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { commandLine, version } from '../../engine/index.ts'
import { type Config, ConfigError, readConfig } from '../config.ts'
import { loadEnvFile } from '../env-file.ts'
import { readTestWallet, testWallet } from '../payment/embedded/test-wallet.ts'
import { clients } from './clients.ts'
import { receiptOf } from './receipt.ts'

const USAGE = `Pays for one request with test money. The answer goes to standard output, the payment to standard error.

  ${commandLine('pay', 'PATH [--network base|solana|tempo] [--url ADDRESS]')}

  PATH         such as '/v1/shopper/best-price?q=tv'
  --network    where to pay; default base
  --url        the service; default that of SHELFMARK_HOST and SHELFMARK_PORT
  --help, --version
`
const serve = commandLine('serve')
const NO_CHAINS = `No local chains run here: start the service with ${serve}, and give both the same SHELFMARK_LAKE.`
const CHAINS_GONE = `The local chains do not answer any more: start the service with ${serve}, and ask again.`
const noService = (url: string) =>
  `Nothing answers at ${url}: start the service with ${serve}, or name its address with --url.`

type Arguments = { path: string; network: keyof typeof clients; url: string | undefined }

const isNetwork = (name: string): name is keyof typeof clients => Object.hasOwn(clients, name)

/** Reads the command line; a text where it asks for help or the version. Throws an error that names what to send instead. */
const readArguments = (args: string[]): Arguments | string => {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  const options = {
    network: { ...text, default: 'base' },
    url: text,
    help: { ...flag, short: 'h' },
    version: flag,
  } as const
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [path, ...others] = positionals
  if (values.help) return USAGE
  if (values.version) return version()
  if (path === undefined) throw new ConfigError(USAGE)
  if (others.length > 0) throw new ConfigError(`${others[0]}: send one path, in quotes where it has a ?`)
  if (!path.startsWith('/')) throw new ConfigError(`${path}: send a path that starts with /`)
  if (!isNetwork(values.network)) throw new ConfigError('--network: send one of base, solana, tempo')
  if (values.url !== undefined && !URL.canParse(values.url)) throw new ConfigError('--url: send an address')
  return { path, network: values.network, url: values.url }
}

/** Whether anything answers HTTP at an address, whatever it answers. */
const answers = async (url: string): Promise<boolean> =>
  fetch(url, { method: 'HEAD' }).then(
    () => true,
    () => false,
  )

const pay = async ({ path, network, url }: Arguments, config: Config): Promise<number> => {
  const wallet = await readTestWallet(testWallet(config))
  if (!wallet) throw new ConfigError(NO_CHAINS)
  const target = new URL(path, url ?? `http://${config.host}:${config.port}`)
  if (!(await answers(wallet.rpc[network]))) throw new ConfigError(CHAINS_GONE)
  if (!(await answers(target.origin))) throw new Error(noService(target.origin))
  let cost = 'nothing'
  const fetchPaying = await clients[network](wallet, ({ amount, token }) => {
    cost = `${(Number(amount) / 1e6).toFixed(2)} USD, ${amount} base units of ${token}, on ${network}`
  })
  const response = await fetchPaying(target.href)
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
