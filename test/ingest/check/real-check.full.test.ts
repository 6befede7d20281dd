import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type CheckResult, check } from '../../../ingest/check/check.ts'
import { type Description, matchesGlob } from '../../../ingest/feeds/mapping.ts'
import type { RefreshReport } from '../../../ingest/report.ts'
import { newFolder, run } from '../feeds.ts'

const shared = new URL('../../../../shared/data/', import.meta.url).pathname
const isThere = existsSync(shared)
if (!isThere) console.warn(`skipped: no real price data in ${shared}`)

type Answers = Description
type Entry = Answers & { files: string[] | Record<string, Answers> }
type Mapping = Record<string, Entry>

const shippedPath = (name: string): string => new URL(`../../../data/mappings/${name}.json`, import.meta.url).pathname

const globsOf = ({ files }: Entry): [glob: string, own: Answers][] =>
  Array.isArray(files) ? files.map((glob) => [glob, {}]) : Object.entries(files)

const PLACES = ['platform', 'country', 'currency'] as const

/** Constants that a mapping has and another leaves open: no column and no name gives them. */
const open = (theirs: Answers['constants'] = {}, ours: Answers, names: readonly string[]) =>
  Object.fromEntries(
    Object.entries(theirs).filter(
      ([column]) => names.includes(column) && ours.columns?.[column as 'platform'] === undefined,
    ),
  )

/** A proposed mapping as a person would complete it who knows what the shipped one says of the files. */
const answered = (proposed: Mapping, shipped: Mapping, names: readonly string[]): Mapping =>
  Object.fromEntries(
    Object.entries(proposed).map(([feed, entry]) => {
      const mapping = shipped[feed] ?? ({ files: [] } as Entry)
      const files = names.flatMap((name): [string, Answers][] => {
        const own = globsOf(entry).find(([glob]) => matchesGlob(name, glob))?.[1]
        const answer = globsOf(mapping).find(([glob]) => matchesGlob(name, glob))?.[1] ?? {}
        const isMapped = globsOf(mapping).some(([glob]) => matchesGlob(name, glob))
        return own && isMapped
          ? [[name, { ...own, constants: { ...own.constants, ...open(answer.constants, own, ['observed_at']) } }]]
          : []
      })
      const { timezone, max_quarantine, constants } = mapping
      const decided = { ...(timezone ? { timezone } : {}), ...(max_quarantine ? { max_quarantine } : {}) }
      const places = { ...entry.constants, ...open(constants, entry, PLACES) }
      return [feed, { ...entry, ...decided, constants: places, files: Object.fromEntries(files) }]
    }),
  )

const keptOf = ({ files }: RefreshReport): number => files.reduce((sum, { kept }) => sum + kept, 0)

const refreshed = (name: string, mapping: string): Promise<RefreshReport> =>
  run(join(shared, name), { mappings: [mapping], max_quarantine: 0.01, memory_limit: '1GiB' })

/** The rows that a refresh with the shipped mapping keeps. */
const KEPT = {
  ca_bcl_panel: 32_242,
  ca_bcl_pricelist: 15_078,
  ca_hammer_items: 36_379,
  ca_hammer_promo: 467_076,
  ca_tracker_small: 1007,
  social_youtube: 48_348,
  us_aldi_catalog: 6671,
  us_kroger_upc: 1572,
  us_pcpp_monthly: 183_436,
  us_tj_monthly: 158_833,
}

test('every shipped mapping has an expected number of kept rows', () => {
  const files = readdirSync(new URL('../../../data/mappings', import.meta.url))
  const shipped = files.flatMap((name) => /^(.+)\.json$/.exec(name)?.[1] ?? []).sort()
  // Figures of official series alone make no lake; their check is among those below.
  expect(Object.keys(KEPT)).toEqual(shipped.filter((name) => name !== 'us_bls_average'))
})

describe.skipIf(!isThere)('the proposed mapping with its decisions made, compared with the shipped one,', () => {
  test.each(Object.entries(KEPT))('keeps for %s at least %i rows', async (name, kept) => {
    const checked = await check({ paths: [join(shared, name)] })
    expect(checked.files.reduce((sum, file) => sum + file.kept, 0)).toBeGreaterThanOrEqual(kept)
    const path = join(await newFolder(), 'mapping.json')
    const shipped = JSON.parse(readFileSync(shippedPath(name), 'utf8')) as Mapping
    const names = checked.files.map(({ file }) => file)
    await writeFile(path, JSON.stringify(answered(checked.mapping as Mapping, shipped, names)))
    const proposed = await refreshed(name, path)
    expect(proposed.status).toBe('published')
    expect(keptOf(proposed)).toBeGreaterThanOrEqual(kept)
  })
})

const summary = ({ files }: CheckResult) => files.map(({ file, rows_read, kept }) => [file, rows_read, kept] as const)

describe.skipIf(!isThere)('a check of further real files', () => {
  test.each<[name: string, kept: (readonly [file: string, rows: number, kept: number])[]]>([
    ['us_bls_average', [['prices.json.gz', 1159, 1159]]],
    ['us_microcenter_gpu', [['records.json.gz', 204, 204]]],
    [
      'er_abt_buy',
      [
        ['abt.parquet', 1076, 416],
        ['buy.parquet', 1076, 586],
      ],
    ],
    ['er_pricerunner', [['offers.parquet', 35_311, 35_311]]],
    [
      'er_walmart_amazon',
      [
        ['amazon.parquet', 22_074, 19_214],
        ['walmart.parquet', 2_554, 2_490],
      ],
    ],
    ['eu_heissepreise', [['price_changes.parquet', 366_948, 366_325]]],
    [
      'us_completejourney',
      [
        ['transactions_sample.parquet', 100_000, 98_326],
        ['products.parquet', 92_353, 92_353],
      ],
    ],
    ['reference_gpc', []],
    ['reference_taxonomies', []],
    ['reference_browse_nodes', []],
    ['us_bestbuy_categories', []],
  ])('of %s counts the rows read and kept', async (name, kept) => {
    const checked = await check({ paths: [join(shared, name)] })
    expect(summary(checked)).toEqual(kept)
  })
})
