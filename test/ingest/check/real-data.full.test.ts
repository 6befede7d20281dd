import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, describe, expect, test } from 'vitest'
import { type Proposal, proposeMapping } from '../../../ingest/check/propose/propose.ts'
import type { SampledFile } from '../../../ingest/check/read/sample.ts'
import { checkExpression } from '../../../ingest/feeds/expression.ts'
import { type Description, matchesGlob } from '../../../ingest/feeds/mapping.ts'
import { sampledFolder } from './sampled.ts'

const shared = new URL('../../../../shared/data/', import.meta.url).pathname
const isThere = existsSync(shared)
if (!isThere) console.warn(`skipped: no real price data in ${shared}`)

const instance = await DuckDBInstance.create(':memory:')
const connection = await instance.connect()

afterAll(() => {
  connection.closeSync()
  instance.closeSync()
})

type ColumnSource = NonNullable<NonNullable<Description['columns']>['price']>
type Shipped = Description & { files: string[] | Record<string, Description> }

const shippedOf = (name: string): Record<string, Shipped> =>
  JSON.parse(readFileSync(new URL(`../../../data/mappings/${name}.json`, import.meta.url), 'utf8'))

const entriesOf = ({ files }: Shipped): [glob: string, Description][] =>
  Array.isArray(files) ? files.map((glob) => [glob, {}]) : Object.entries(files)

/** What a mapping says of one file; null where it does not read it. */
const descriptionOf = (mapping: Shipped | undefined, path: string): Description | null => {
  const own = mapping && entriesOf(mapping).filter(([glob]) => matchesGlob(path, glob))
  if (!mapping || !own || own.length === 0) return null
  const all = [mapping, ...own.map(([, description]) => description)]
  return {
    ...Object.assign({}, ...all),
    columns: Object.assign({}, ...all.map(({ columns }) => columns)),
    constants: Object.assign({}, ...all.map(({ constants }) => constants)),
  }
}

/** The first of a list that the file has: names may change between files. */
const present = (source: ColumnSource, file: SampledFile): ColumnSource =>
  Array.isArray(source)
    ? (source.find((name) => file.columns.some((column) => column.name === name)) ?? source)
    : source

const valuesOf = (file: SampledFile, name: string): readonly string[] | undefined =>
  file.columns.find((column) => column.name === name)?.values

/** Whether two columns of a file hold the same, as where an id is its barcode. */
const isEquallyGood = (file: SampledFile, left: string, right: string): boolean => {
  const [first, second] = [valuesOf(file, left), valuesOf(file, right)]
  return first !== undefined && second !== undefined && first.every((value, index) => value === second[index])
}

/** Whether a proposed source reads what the shipped one does, also within an expression. */
const isSame = async (
  shipped: ColumnSource,
  proposed: ColumnSource | undefined,
  file: SampledFile,
): Promise<boolean> => {
  if (JSON.stringify(shipped) === JSON.stringify(proposed)) return true
  if (typeof shipped !== 'string' || proposed === undefined) return false
  if (typeof proposed === 'string') return isEquallyGood(file, shipped, proposed)
  return 'sql' in proposed && (await checkExpression(connection, proposed.sql, { where: file.path })).includes(shipped)
}

const isDecided = ({ decisions }: Proposal, column: string): boolean =>
  decisions.some((decision) => decision.startsWith(`${column}: `) || decision.includes(`: ${column}: `))

/** The columns of a shipped mapping that a proposal neither reads alike nor leaves open. */
const missed = async (shipped: Description, proposed: Description, file: SampledFile, proposal: Proposal) => {
  const missing: string[] = []
  for (const [column, source] of Object.entries(shipped.columns ?? {})) {
    // A person adds the unit that no value states; without it no size is proposed.
    if (column === 'size_value' || column === 'size_unit') continue
    const own =
      proposed.columns?.[column as 'price'] ?? file.columns.find(({ name }) => name.toLowerCase() === column)?.name
    if (!(await isSame(present(source, file), own, file)) && !isDecided(proposal, column)) missing.push(column)
  }
  for (const column of ['platform', 'country', 'observed_at'] as const) {
    const isRead = proposed.columns?.[column] !== undefined || proposed.name_pattern !== undefined
    if (shipped.constants?.[column] !== undefined && !isRead && !isDecided(proposal, column)) missing.push(column)
  }
  const alike = JSON.stringify(shipped.listing_id_from) === JSON.stringify(proposed.listing_id_from)
  if (shipped.listing_id_from && !alike && !isDecided(proposal, 'listing_id')) missing.push('listing_id')
  if (shipped.timestamp_format && shipped.timestamp_format !== proposed.timestamp_format)
    missing.push('timestamp_format')
  if (shipped.timezone && !isDecided(proposal, 'observed_at')) missing.push('timezone')
  if (shipped.year !== proposed.year) missing.push('year')
  if (shipped.price_text && !proposed.price_text) missing.push('price_text')
  return missing
}

const MAPPED = [
  'ca_bcl_panel',
  'ca_bcl_pricelist',
  'ca_hammer_items',
  'ca_hammer_promo',
  'ca_tracker_small',
  'social_youtube',
  'us_aldi_catalog',
  'us_kroger_upc',
  'us_pcpp_monthly',
  'us_tj_monthly',
]

describe.skipIf(!isThere)('the proposal for real files with a shipped mapping', () => {
  test.each(MAPPED)('of %s has each column of that mapping or leaves it to a decision', async (name) => {
    const files = await sampledFolder(join(shared, name))
    const proposal = proposeMapping(files)
    const missing: string[] = []
    for (const [feed, shipped] of Object.entries(shippedOf(name)))
      for (const file of files) {
        const ours = descriptionOf(shipped, file.path)
        const guessed = descriptionOf(proposal.mapping[feed as 'price_observations'] as Shipped | undefined, file.path)
        if (ours && !guessed) missing.push(`${file.path} as ${feed}`)
        else if (ours && guessed)
          missing.push(...(await missed(ours, guessed, file, proposal)).map((column) => `${file.path}: ${column}`))
      }
    expect(missing).toEqual([])
  })

  test.each(MAPPED)('of %s has expressions that run on the whole files', async (name) => {
    const files = await sampledFolder(join(shared, name))
    const { mapping } = proposeMapping(files)
    for (const file of files)
      for (const own of Object.values(mapping)) {
        const columns = descriptionOf(own as Shipped, file.path)?.columns ?? {}
        for (const source of Object.values(columns)) {
          if (typeof source !== 'object' || !('sql' in source)) continue
          await checkExpression(connection, source.sql, {
            where: file.path,
            columns: file.columns.map((column) => column.name),
          })
          const path = `'${join(shared, name, file.path)}'`
          const from = file.format === 'parquet' ? `read_parquet(${path})` : `read_csv(${path}, all_varchar = true)`
          const result = await connection.runAndReadAll(`SELECT count((${source.sql}))::INTEGER AS n FROM ${from}`)
          expect(result.getRowObjectsJS()[0]!.n).toBeGreaterThan(0)
        }
      }
  })
})

describe.skipIf(!isThere)('the proposal for real files without a shipped mapping', () => {
  test.each<[name: string, feed: string, decided: string[]]>([
    ['er_abt_buy', 'price_observations', ['platform', 'country', 'observed_at']],
    ['er_pricerunner', 'product_catalogue', ['platform', 'country']],
    ['eu_heissepreise', 'price_observations', ['country', 'kind']],
    ['us_bls_average', 'official_series', ['country', 'released_on']],
    ['us_completejourney', 'price_observations', ['price', 'platform', 'country', 'observed_at']],
    ['us_microcenter_gpu', 'price_observations', ['platform', 'country', 'observed_at']],
  ])('of %s has the feed %s and the expected decisions', async (name, feed, decided) => {
    const proposal = proposeMapping(await sampledFolder(join(shared, name)))
    expect(Object.keys(proposal.mapping)).toContain(feed)
    expect(decided.filter((column) => !isDecided(proposal, column))).toEqual([])
  })

  test.each(['reference_gpc', 'reference_taxonomies', 'reference_browse_nodes', 'us_bestbuy_categories'])(
    'of %s is empty, since they contain no prices, products or posts',
    async (name) => {
      const files = await sampledFolder(join(shared, name))
      expect(proposeMapping(files)).toMatchObject({ mapping: {}, unread: files.map(({ path }) => path) })
    },
  )
})
