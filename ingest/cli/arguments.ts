import { parseArgs } from 'node:util'
import {
  type AwsEnvironment,
  EngineError,
  isCountry,
  openStore,
  quotedValue,
  readClusterAddress,
  type Store,
} from '../../engine/index.ts'
import type { CheckOptions } from '../check/check.ts'
import { platformKey } from '../check/propose/platform.ts'
import type { Withdrawal } from '../facts/withdrawal.ts'
import type { ImpactOptions } from '../impact/impact.ts'
import type { BuildOptions, RefreshOptions } from '../options.ts'

const TEXT = { type: 'string' } as const
const TEXTS = { type: 'string', multiple: true } as const
const FLAG = { type: 'boolean' } as const

export const parseArguments = (args: string[]) =>
  parseArgs({
    args,
    allowPositionals: true,
    options: {
      feeds: TEXT,
      mapping: TEXTS,
      lake: TEXT,
      accept: TEXTS,
      'as-of': TEXT,
      'max-quarantine': TEXT,
      release: TEXT,
      'thin-below': TEXT,
      'max-drop': TEXT,
      'memory-limit': TEXT,
      threads: TEXT,
      keep: TEXT,
      platform: TEXT,
      country: TEXT,
      from: TEXT,
      to: TEXT,
      cluster: TEXT,
      at: TEXT,
      'dry-run': FLAG,
      'reissue-indexes': FLAG,
      'without-facts': FLAG,
      all: FLAG,
      repair: FLAG,
      yes: FLAG,
      json: FLAG,
    },
  })

export type OptionValues = ReturnType<typeof parseArguments>['values']

export const invalidArgument = (message: string): EngineError => new EngineError('INVALID_PARAMS', message)

const share = (name: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  const value = Number(text)
  if (text.trim() === '' || !(value >= 0 && value <= 1))
    throw invalidArgument(`--${name}: expected a share from 0 to 1, got ${quotedValue(text)}`)
  return value
}

export const positiveInteger = (name: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw invalidArgument(`--${name}: expected a whole number from 1, got ${quotedValue(text)}`)
  return Number(text)
}

const memory = (text: string | undefined): string | undefined => {
  if (text === undefined || /^\d+(?:\.\d+)?\s*[KMGT]i?B$/i.test(text)) return text
  throw invalidArgument(`--memory-limit: expected a size such as 2GiB, got ${quotedValue(text)}`)
}

const release = (text: string | undefined): string | undefined => {
  if (text === undefined || /^v\d{8}$/.test(text)) return text
  throw invalidArgument(`--release: expected a label such as v20251127, got ${quotedValue(text)}`)
}

const time = (text: string | undefined): Date | undefined => {
  if (text === undefined) return undefined
  const value = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d))?$/.test(text) ? new Date(text) : new Date(Number.NaN)
  if (Number.isNaN(value.getTime()))
    throw invalidArgument(`--as-of: expected a date or an RFC 3339 time, got ${quotedValue(text)}`)
  return value
}

const countryOf = (text: string | undefined): string | undefined => {
  if (text === undefined || isCountry(text)) return text
  throw invalidArgument(`--country: expected a code of ISO 3166 such as us or ca, got ${quotedValue(text)}`)
}

const platformOf = (text: string): string => {
  const key = platformKey(text)
  if (key !== '') return key
  throw invalidArgument(`--platform: expected a name with letters a to z or digits, got ${quotedValue(text)}`)
}

const day = (name: string, text: string | undefined): string | undefined => {
  if (text === undefined) return undefined
  const value = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? text : Number.NaN)
  if (Number.isNaN(value.getTime()) || value.toISOString().slice(0, 10) !== text)
    throw invalidArgument(`--${name}: expected a date such as 2026-10-01, got ${quotedValue(text)}`)
  return text
}

/** The folder that an option names. */
export const folderOf = (name: 'from' | 'to', text: string | undefined): string => {
  if (text === undefined) throw invalidArgument(`--${name} is missing: name the folder of the backup`)
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text))
    throw invalidArgument(`--${name}: expected a folder, got ${quotedValue(text)}; push and pull use object stores`)
  return text
}

/** The address of a lake for readers elsewhere. */
export const addressOf = (text: string | undefined): string | undefined => {
  if (text === undefined || /^[a-z][a-z0-9+.-]*:\/\/./i.test(text)) return text
  throw invalidArgument(`--at: expected the address of the lake, such as s3://BUCKET/LAKE, got ${quotedValue(text)}`)
}

/** The store that an option names. */
export const storeOf = (
  name: 'from' | 'to',
  text: string | undefined,
  environment: AwsEnvironment,
  signal: AbortSignal | undefined,
): Store => {
  if (text === undefined) throw invalidArgument(`--${name} is missing: name a folder or s3://BUCKET/PREFIX`)
  try {
    return openStore(text, environment, { signal })
  } catch (cause) {
    throw cause instanceof EngineError ? invalidArgument(`--${name}: ${cause.message}`) : cause
  }
}

/** The address of the cluster that `--to` names, and the name that its nodes know it by. */
export const loadOptions = ({
  to: address,
  cluster,
  from,
  lake,
}: OptionValues): { address: string; cluster: string | undefined } => {
  if (from !== undefined && lake !== undefined)
    throw invalidArgument('--lake and --from both name a snapshot to load; leave one out')
  if (address === undefined)
    throw invalidArgument('--to is missing: name the nodes, such as clickhouse://USER:PASSWORD@HOST:8123,HOST2:8123')
  try {
    readClusterAddress(address)
  } catch (cause) {
    // Without the value, which may contain a password.
    throw cause instanceof EngineError ? invalidArgument(`--to: ${cause.message}`) : cause
  }
  return { address, cluster }
}

/** The moment and the country of figures that are compared. */
export const impactOptions = ({ country, 'as-of': as_of }: OptionValues): Pick<ImpactOptions, 'as_of' | 'country'> => ({
  as_of: time(as_of),
  country: countryOf(country),
})

export const buildOptions = (values: OptionValues, lake: string): BuildOptions => ({
  lake,
  thin_below: positiveInteger('thin-below', values['thin-below']),
  memory_limit: memory(values['memory-limit']),
  threads: positiveInteger('threads', values.threads),
  keep: positiveInteger('keep', values.keep),
  dry_run: values['dry-run'],
})

export const refreshOptions = (values: OptionValues, lake: string): RefreshOptions => {
  if (values.feeds === undefined) throw invalidArgument('--feeds is missing: name the folder of feeds')
  return {
    ...buildOptions(values, lake),
    feeds: values.feeds,
    mappings: values.mapping,
    accept: values.accept,
    as_of: time(values['as-of']),
    reissue_indexes: values['reissue-indexes'],
    max_quarantine: share('max-quarantine', values['max-quarantine']),
    release: release(values.release),
    max_drop: share('max-drop', values['max-drop']),
  }
}

export const checkOptions = (values: OptionValues, paths: readonly string[]): CheckOptions => {
  const { mapping: mappings, platform, country } = values
  if (mappings && (platform ?? country) !== undefined)
    throw invalidArgument(
      `--${platform === undefined ? 'country' : 'platform'}: write it into ${mappings[0]}, as one of its constants`,
    )
  return {
    paths,
    feeds: values.feeds,
    mappings,
    platform: platform && platformOf(platform),
    country: countryOf(country),
    max_quarantine: share('max-quarantine', values['max-quarantine']),
    memory_limit: memory(values['memory-limit']),
    threads: positiveInteger('threads', values.threads),
  }
}

export const withdrawalOptions = (
  values: OptionValues,
  lake: string,
): { options: BuildOptions; withdrawal: Withdrawal } => {
  const { platform, country } = values
  if (platform === undefined) throw invalidArgument('--platform is missing: name the retailer whose rows to withdraw')
  const [from, to] = [day('from', values.from), day('to', values.to)]
  if (from !== undefined && to !== undefined && from >= to)
    throw invalidArgument(`--from ${from} must be before --to ${to}, which is not included`)
  return { options: buildOptions(values, lake), withdrawal: { platform, country: countryOf(country), from, to } }
}
