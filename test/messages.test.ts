import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand as runService } from '../api/cli/commands.ts'
import { ConfigError, readConfig, settings } from '../api/config.ts'
import { createRateLimit } from '../api/limits.ts'
import { runCli, type Sink } from '../engine/cli.ts'
import type { Engine } from '../engine/index.ts'
import { parseArguments } from '../ingest/cli/arguments.ts'
import { runCommand as runRefresh } from '../ingest/cli/commands.ts'
import { failureOf } from '../ingest/cli/failure.ts'
import { type Given, refusalOf } from './support/ask.ts'
import { ensureLake, openEngine, temporaryFolder, writeFeeds } from './support/given.ts'
import { serveLake } from './support/http.ts'
import { referenceFeeds } from './support/reference.ts'
import { feedRow, priced } from './support/rows.ts'

const AS_OF = '2026-11-21T00:00:00Z'
const brand = { spelling: 'Acme' }
const observations = [
  ...Array.from({ length: 25 }, (_, i) => priced(`serving ${i}`, 100 + i, brand)).flat(),
  ...priced('thin', 100, { ...brand, platform: 'beta' }),
].map(feedRow)

/** What is tried, the code or status of its refusal, and the text. */
type Line = readonly [tried: string, code: string | number, text: string]

const queries: readonly (readonly [string, Given])[] = [
  ['analyst/inflation', {}],
  ['analyst/inflation', { category: '' }],
  ['analyst/inflation', { category: 'coffee', weeks: 3 }],
  ['analyst/inflation', { category: 'x'.repeat(201) }],
  ['analyst/inflation', { category: 'coffee', country: 'mx' }],
  ['analyst/inflation', { category: 'coffee', days: 0 }],
  ['analyst/inflation', { category: 'coffee', days: 'many' }],
  ['analyst/inflation', { category: 'coffee', granularity: 'yearly' }],
  ['analyst/inflation', { category: 'coffee', as_of: 'yesterday' }],
  ['analyst/inflation', { category: 'coffee', from: '2026-02-30' }],
  ['analyst/inflation', { category: 'coffee', from: '2026-10-02', to: '2026-10-01' }],
  ['analyst/inflation', { category: 'coffee', from: '2010-01-01', to: '2026-10-01' }],
  ['analyst/inflation', { category: 'coffee', time_window: 'custom' }],
  ['analyst/inflation', { category: 'coffee', time_window: 'fortnight' }],
  ['analyst/inflation', { category: 'coffee', from: '2024-01-01', to: '2024-02-01' }],
  ['analyst/inflation', { category: 'qqqqqqqq' }],
  ['analyst/inflation', { category: 'cofee machines' }],
  ['analyst/inflation', { category: 'coffee', department: 'qqqqqqqq' }],
  ['analyst/inflation', { category: '99999999' }],
  ['analyst/inflation', { category: 'coffee', retailer: 'nobody' }],
  ['analyst/inflation', { category: 'coffee', retailer: 'beta' }],
  ['analyst/price-dispersion', { category: 'coffee', days: 5 }],
  ['analyst/price-dispersion', { category: 'coffee', country: 'ca' }],
  ['analyst/retailer-index', {}],
  ['marketing/brand-tracker', { brand: 'Nonesuch' }],
  ['marketing/share-of-shelf', {}],
  ['marketing/competitive-landscape', { category: 'coffee', limit: 0 }],
  ['public/categories', { parent_path: 'qqqqqqqq' }],
  ['public/coverage', { quality_status: 'good' }],
  ['public/retailers', { offset: -1 }],
  ['reference/brick-attributes', { gpc_code: 'x' }],
  ['reference/classify', {}],
  ['reference/classify', { browse_id: 'x'.repeat(500) }],
  ['shopper/best-price', {}],
  ['shopper/best-price', { q: 'qqqqqqqq' }],
  ['shopper/best-price', { q: 'coffee', product_uid: 'p' }],
  ['shopper/best-price', { entity_uid: 'nothing' }],
  ['shopper/best-price', { q: 'coffee', strict: 'maybe' }],
  ['shopper/deal-finder', { min_discount_pct: 101 }],
  ['shopper/deal-finder', { category: 'coffee' }],
  ['shopper/price-drop-alert', { q: 'coffee', lookback_days: 0 }],
  ['social/brand-momentum', { category: 'grocery' }],
  ['social/brand-momentum', { category: 'coffee' }],
  ['social/topic-trends', { category: 'grocery', window: '3d' }],
]

const written = (given: Given): string =>
  Object.entries(given)
    .map(([name, value]) => `${name}=${String(value).replace(/(.)\1{99,}/, '$1...')}`)
    .join(' ')

const refusalsOfQueries = async (engine: Engine): Promise<Line[]> => {
  const lines: Line[] = []
  for (const [id, given] of queries) {
    const { code, message } = await refusalOf(engine, id, given)
    lines.push([`${id} ${written(given)}`, code, message])
  }
  return lines
}

const commandLines: readonly (readonly string[])[] = [
  ['analist'],
  ['analyst', 'inflaton'],
  ['analyst', 'inflation', '--categry', 'coffee'],
  ['analyst', 'inflation', '--xyzzy', '1'],
  ['analyst', 'inflation', '--category', 'ground', 'coffee'],
  ['analyst', 'inflation', '--category', 'tea', '--category', 'coffee'],
  ['analyst', 'inflation', '--category='],
  ['analyst', 'inflation', '--category', 'coffee', '--as-of', 'yesterday'],
  ['analyst', 'inflation', '--category', 'coffee', '--json', '--csv'],
  ['analyst', 'inflation', '--category', 'coffee', '--explain', '--csv'],
  ['analyst', 'inflation', '--category', 'coffee', '--explain=maybe'],
  ['analyst', 'inflation', '--category', 'coffee', '--lake', 'FOLDER'],
  ['sql', 'SELECT 1', 'SELECT 2'],
  ['sql', 'SELECT 1', '--csv', '--json'],
  ['sql', 'analyst', 'inflation', '--category', 'coffee', '--csv'],
  ['sql', '--into', 'lake.duckdb', 'SELECT 1'],
]

const refusalsOfCommands = async (folder: string): Promise<Line[]> => {
  const lines: Line[] = []
  for (const words of commandLines) {
    let said = ''
    const sink: Sink = {
      write: (chunk) => {
        said += chunk
      },
      isTerminal: false,
      hasColours: false,
      columns: 80,
    }
    const argv = words.map((word) => word.replace('FOLDER', folder))
    const exitCode = await runCli(argv, { stdout: { ...sink, write: () => undefined }, stderr: sink })
    const { code, message } = (JSON.parse(said) as { error: { code: string; message: string } }).error
    lines.push([words.join(' '), `${exitCode} ${code}`, message])
  }
  return lines
}

/** What a setting or a command of the service is refused with; null where it is accepted. */
const configErrorOf = async (attempt: () => unknown): Promise<string | null> => {
  try {
    await attempt()
    return null
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

/** Each setting as a letter that only free texts accept, settings that are refused together, and commands. */
const refusalsOfService = async (): Promise<Line[]> => {
  const lines: Line[] = []
  const environments: Record<string, string>[] = [
    ...Object.keys(settings.shape).map((name) => ({ [name]: 'é' })),
    { SHELFMARK_PAYMENTS: 'off', SHELFMARK_HOST: '0.0.0.0' },
    { SHELFMARK_PAYMENTS: 'facilitator' },
  ]
  for (const environment of environments) {
    const message = await configErrorOf(() => readConfig(environment))
    const tried = Object.entries(environment).map((entry) => entry.join('='))
    if (message !== null) lines.push([tried.join(' '), 'ConfigError', message])
  }
  for (const words of [['sreve'], ['--port', '1'], ['payments', '--from', 'yesterday']]) {
    const message = await configErrorOf(() => runService(words, {}))
    lines.push([words.join(' '), 'ConfigError', message ?? ''])
  }
  return lines
}

const refreshLines: readonly (readonly string[])[] = [
  ['refersh'],
  ['quality', 'twice'],
  ['--feeds', 'EMPTY', '--threads', '0'],
  ['--feeds', 'EMPTY', '--max-drop', '2'],
  ['--feeds', 'EMPTY', '--memory-limit', 'lots'],
  ['--feeds', 'EMPTY', '--as-of', 'yesterday'],
  ['prune', '--keep', '0'],
  ['withdraw'],
  ['withdraw', '--platform', 'nobody'],
  ['rollback', '000009-00000000'],
  ['backup'],
  ['restore'],
  ['backup', '--to', 'LAKE'],
  ['backup', '--to', 'NOTHING/copy', '--all', '000001-00000000'],
  ['--feeds', 'NOTHING'],
  ['--feeds', 'EMPTY'],
  ['--feeds', 'WRONG'],
  ['--feeds', 'EMPTY', '--mapping', 'NOTHING'],
]

const refusalsOfRefreshes = async (folders: Record<string, string>): Promise<Line[]> => {
  const lines: Line[] = []
  for (const words of refreshLines) {
    const args = words.map((word) => word.replace(/[A-Z]{4,}/, (name) => folders[name] ?? name))
    try {
      const { values, positionals } = parseArguments(args)
      const { result } = await runRefresh(values, folders.LAKE ?? '', positionals)
      const { status, reasons } = result as { status: string; reasons: string[] }
      for (const reason of reasons) lines.push([words.join(' '), status, reason])
    } catch (error) {
      const { output, code } = failureOf(error)
      lines.push([words.join(' '), `exit ${code}`, String(output)])
    }
  }
  return lines
}

const paths = [
  '/v1/analyst/nothing',
  '/v1/analyst/inflation',
  '/v1/analyst/inflation?category=coffee&category=tea',
  '/v1/analyst/inflation?category=%ff',
  '/v1/analyst/%ff',
  `/v1/analyst/inflation?category=${'x'.repeat(9000)}`,
  '/v1/public/brands?limit=0',
]

const refusalsOfHttp = async (lake: string): Promise<Line[]> => {
  const lines: Line[] = []
  const service = await serveLake(lake, { SHELFMARK_AS_OF: AS_OF })
  for (const path of paths) {
    const { status, body } = await service.get(path)
    const { code, message } = (JSON.parse(body) as { error: { code: string; message: string } }).error
    lines.push([path.replace(/x{99,}/, 'x...'), `${status} ${code}`, message])
  }
  const takeToken = createRateLimit({ rate: 60, burst: 1 })
  try {
    for (let i = 0; i < 2; i += 1) takeToken('client', 0)
  } catch (error) {
    const { status, code, message } = error as { status: number; code: string; message: string } & Error
    lines.push(['more requests than SHELFMARK_RATE', `${status} ${code}`, message])
  }
  return lines
}

/** Review the texts in messages.txt; `npm test -- test/messages -u` writes it. */
test('the texts of refusals are those reviewed in messages.txt', async () => {
  const { lake } = await ensureLake({ observations, files: referenceFeeds })
  const folders = {
    LAKE: lake,
    EMPTY: await temporaryFolder(),
    NOTHING: join(await temporaryFolder(), 'nothing'),
    WRONG: await writeFeeds({
      observations: [],
      files: { 'price_observations/empty.csv': '', 'price_observations/other.csv': 'a,b\n1,2\n' },
    }),
  }
  const engine = await openEngine(lake, { as_of: new Date(AS_OF) })
  const areas: Record<string, Line[]> = {
    queries: await refusalsOfQueries(engine),
    'shelfmark: exit code and code': await refusalsOfCommands(folders.EMPTY),
    'shelfmark-refresh: exit code, or the status of a refresh': await refusalsOfRefreshes(folders),
    'shelfmark-serve: settings and commands': await refusalsOfService(),
    'HTTP: status and code': await refusalsOfHttp(lake),
  }
  /** A text in one line, without what differs from run to run: folders, and ids of snapshots. */
  const plain = (text: string): string =>
    Object.entries(folders)
      .reduce((line, [name, folder]) => line.replaceAll(folder, name), text)
      .replace(/\b000001-[0-9a-f]{8}\b/g, '000001-...')
      .replace(/\s+/g, ' ')
  const text = Object.entries(areas).map(([area, lines]) =>
    [`# ${area}\n`, ...lines.map(([tried, code, message]) => `${tried.trim()}\n  ${code}: ${plain(message)}\n`)].join(
      '',
    ),
  )
  await expect(text.join('\n')).toMatchFileSnapshot('messages.txt')
})
