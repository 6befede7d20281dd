import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { commandLine, quotedValue } from '../../engine/index.ts'
import { type Config, ConfigError, readConfig } from '../ops/config.ts'
import { loadEnvFile } from '../ops/env-file.ts'
import { receiptOf } from '../payment/receipt.ts'
import { readTestWallet, testWallet } from '../payment/test-wallet.ts'
import { clients } from './clients.ts'
import { USAGE } from './help.ts'

const serve = commandLine('serve')
const NO_CHAINS = `No local chains are running: start the service with ${serve}, with the same SHELFMARK_LAKE.`
const CHAINS_GONE = `The local chains do not answer: restart the service with ${serve} and retry.`
const noService = (url: string) =>
  `Nothing answers at ${url}: start the service with ${serve}, or set its address with --url.`

/** `batch` is the file to send instead of a request for the path. */
type PayArguments = { path: string; batch: string | undefined; network: keyof typeof clients; url: string | undefined }

const isNetwork = (name: string): name is keyof typeof clients => Object.hasOwn(clients, name)

/** Reads the command line. Throws an error that names what is expected. */
const readArguments = (args: string[]): PayArguments => {
  const text = { type: 'string' } as const
  const options = { network: { ...text, default: 'base' }, url: text, batch: text } as const
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [path, ...others] = positionals
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
  const facts = [`status       ${response.status}`, `cost         ${response.ok ? cost : 'nothing'}`]
  if (transaction) facts.push(`transaction  ${transaction}`, `receipt      ${JSON.stringify(receipt)}`)
  process.stderr.write(`${facts.join('\n')}\n`)
  process.stdout.write(`${await response.text()}\n`)
  return response.ok ? 0 : 1
}

/** Pays for the request of a command line. Returns the exit code; never throws. */
export const run = async (args: string[], environment: NodeJS.ProcessEnv): Promise<number> => {
  try {
    const given = readArguments(args)
    loadEnvFile()
    return await pay(given, readConfig(environment))
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    const isUsage = error instanceof ConfigError || code.startsWith('ERR_PARSE_ARGS')
    const { cause } = error as Error
    process.stderr.write(`${message}${cause && !isUsage ? `: ${cause}` : ''}\n`)
    return isUsage ? 2 : 3
  }
}
