import { quotedValue } from '../../engine/index.ts'
import { readOptions } from '../ops/arguments.ts'
import { ConfigError } from '../ops/config.ts'
import { type NetworkName, networkNames } from '../ops/networks.ts'

/** What the server answers from. Amounts are in base units of a dollar token with 6 decimals. */
export type McpArguments =
  | { kind: 'local'; lake: string | undefined }
  | { kind: 'remote'; url: string; network: NetworkName; max_price: number; budget: number }

const DEFAULTS = { network: 'base', 'max-price': '0.05', budget: '1.00' } as const

const isNetwork = (name: string): name is NetworkName => networkNames.some((network) => network === name)

const amountOf = (option: keyof typeof DEFAULTS, text: string): number => {
  if (!/^\d{1,6}(\.\d{1,6})?$/.test(text))
    throw new ConfigError(`--${option}: expected dollars such as ${DEFAULTS[option]}, got ${quotedValue(text)}`)
  const amount = Math.round(Number(text) * 1_000_000)
  // The limit of the x402 client for one payment.
  if (option === 'max-price' && amount > 1_000_000)
    throw new ConfigError(`--max-price: expected at most 1, got ${text}`)
  return amount
}

const addressOf = (text: string): string => {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text.replace(/\/+$/, '')
  throw new ConfigError(`--url: expected an address such as http://127.0.0.1:8402, got ${quotedValue(text)}`)
}

/** Reads the command line. Throws ConfigError with what is expected. */
export const readArguments = (args: readonly string[]): McpArguments => {
  const text = { type: 'string' } as const
  const options = { lake: text, url: text, network: text, 'max-price': text, budget: text } as const
  const values = readOptions(args, options)
  const empty = Object.entries(values).find(([, value]) => value === '')
  if (empty) throw new ConfigError(`--${empty[0]}: is empty; send a value or omit the option`)
  const { url, lake } = values
  if (url === undefined) {
    const paying = (Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[]).find((name) => values[name] !== undefined)
    if (paying) throw new ConfigError(`--${paying}: expected with --url only; a lake is free of charge`)
    return { kind: 'local', lake }
  }
  if (lake !== undefined) throw new ConfigError('--lake and --url cannot be combined; send one')
  const { network, 'max-price': max_price, budget } = { ...DEFAULTS, ...values }
  if (!isNetwork(network))
    throw new ConfigError(`--network: expected one of ${networkNames.join(', ')}, got ${quotedValue(network)}`)
  return {
    kind: 'remote',
    url: addressOf(url),
    network,
    max_price: amountOf('max-price', max_price),
    budget: amountOf('budget', budget),
  }
}
