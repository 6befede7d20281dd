import { createHash } from 'node:crypto'
import { cp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { READINGS } from '../../ingest/catalogue/reading-rules.ts'
import type { RefreshReport } from '../../ingest/report.ts'
import { isFullSize } from '../support/full-size.ts'
import { referenceFeeds } from '../support/reference.ts'
import { type Listing, offers } from './entity-feeds.ts'
import { csv, newFolder, query, runFiles } from './feeds.ts'
import { corpus } from './reading-corpus.ts'

type Files = Readonly<Record<string, string>>
type Entry = { path: string; sha256: string }

const folderOf = ({ snapshot_id, previous }: RefreshReport, lake: string): string =>
  join(lake, 'snapshots', String(snapshot_id ?? previous))

/** Changes the manifest of a snapshot, whose hashes go. */
const editFiles = async (folder: string, lake: string, edit: (files: Entry[]) => Entry[]): Promise<void> => {
  const path = join(folder, 'manifest.json')
  const manifest = JSON.parse(await readFile(path, 'utf8')) as { snapshot_id: string; files: Entry[] }
  await writeFile(path, JSON.stringify({ ...manifest, files: edit(manifest.files) }))
  await rm(join(folder, 'manifest.sha256'), { force: true })
  await writeFile(join(lake, 'current'), `${manifest.snapshot_id}\n`)
}

/** A copy of a lake whose readings are of other rules, so that a refresh reads all texts again. */
const withOtherRules = async (report: RefreshReport, lake: string): Promise<string> => {
  const copy = join(await newFolder(), 'lake')
  await cp(lake, copy, { recursive: true })
  const folder = folderOf(report, copy)
  const [path, other] = [`${READINGS}.parquet`, 'listing_readings_0.parquet']
  await rename(join(folder, path), join(folder, other))
  await editFiles(folder, copy, (files) =>
    files.map((entry) => (entry.path === path ? { ...entry, path: other } : entry)),
  )
  return copy
}

/** The SHA-256 of every file of a snapshot, by its path. */
const hashesOf = async (report: RefreshReport, lake: string): Promise<Record<string, string>> => {
  const manifest = await readFile(join(folderOf(report, lake), 'manifest.json'), 'utf8')
  const { files } = JSON.parse(manifest) as { files: Entry[] }
  return Object.fromEntries(files.map(({ path, sha256 }) => [path, sha256]))
}

/** Refreshes a lake with one delivery after another, each beside a refresh that reads all texts again. */
const refreshInTurn = async (deliveries: readonly Files[]): Promise<RefreshReport[]> => {
  const lake = join(await newFolder(), 'lake')
  const reports: RefreshReport[] = []
  for (const files of deliveries) {
    const before = reports.at(-1)
    const lakeOfOtherRules = before ? await withOtherRules(before, lake) : undefined
    const report = await runFiles(files, { lake, threads: 1 })
    if (lakeOfOtherRules) {
      const expected = await runFiles(files, { lake: lakeOfOtherRules, threads: 1 })
      expect(await hashesOf(report, lake)).toEqual(await hashesOf(expected, lakeOfOtherRules))
      expect({ ...report, entities: { ...report.entities, seconds: 0 } }).toMatchObject({
        dropped_barcodes: expected.dropped_barcodes,
        entities: { ...expected.entities, seconds: 0 },
      })
    }
    reports.push(report)
  }
  return reports
}

const [TISSUES, PENS, WRONG] = ['036000291452', '4006381333931', '036000291453'] as const

const LISTINGS: readonly Listing[] = [
  { name: 'a 1', title: 'Kleenex Tissues 12 ct', brand: 'Kleenex', gtin: TISSUES },
  { name: 'b 1', title: 'Kleenex facial tissues, 12 count', brand: 'Scott', gtin: TISSUES },
  { name: 'a 2', title: 'Sony Camera DSCW55', brand: 'Sony' },
  { name: 'b 2', title: 'Camera DSC-W55 by Sony', brand: 'Sony' },
  { name: 'c 2', title: 'Camera DSC-W55 refurbished', brand: 'Sony', price: 12 },
  { name: 'a 3', title: 'Heinz Tomato Ketchup Classic 500 g', brand: 'Heinz', gtin: WRONG },
  { name: 'c 3', title: 'Heinz Tomato Ketchup Classic 500 g', brand: 'Heinz', country: 'ca' },
  { name: 'c 4', title: 'Stabilo pens', brand: 'n/a', gtin: `${PENS}|${WRONG}`, mpn: 'BOSS70', condition: 'used' },
  { name: 'd 9' },
]

const on = (day: string, listings: readonly Listing[]): string => offers(listings.map((one) => ({ ...one, day })))
const priced = (day: string, ...names: readonly string[]): string =>
  csv(...names.map((name) => `${name.split(' ').join(',').replace(',', ',us,')},${day}T10:00:00Z,10.00,USD`))

const CATALOGUE =
  'platform,country,listing_id,last_seen_at,product_name,category_path,url,size_value,size_unit,is_bundle'

describe('a refresh that reuses readings writes the same files as one that reads every text', () => {
  test('when prices alone arrive, texts change, and listings join, separate, appear and disappear', async () => {
    const reports = await refreshInTurn([
      { 'price_observations/a.csv': on('2026-01-05', LISTINGS) },
      { 'price_observations/a.csv': priced('2026-02-05', 'a 1', 'b 1', 'a 2', 'd 9') },
      // Another name, brand, barcode, condition, size; a third brand on a barcode; a new listing.
      {
        'price_observations/a.csv': on('2026-03-05', [
          { name: 'a 2', title: 'Sony Camera DSCW70', brand: 'Sony' },
          { name: 'b 2', title: 'Camera DSC-W55 by Sony', brand: 'Sony Corp', size: '2', pack: '3' },
          { name: 'a 3', title: 'Heinz Tomato Ketchup Classic 500 g', brand: 'Heinz', gtin: PENS },
          { name: 'c 4', title: 'Stabilo pens', gtin: PENS, condition: 'new' },
          { name: 'd 1', title: 'Puffs tissues', brand: 'Puffs', gtin: TISSUES },
        ]),
      },
      // A title becomes ambiguous: by a second product of a shop, and by a price.
      {
        'price_observations/a.csv': on('2026-04-05', [
          { name: 'a 2', title: 'Sony Camera DSCW55', brand: 'Sony' },
          { name: 'b 5', title: 'Camera DSC-W55 by Sony', brand: 'Sony' },
          { name: 'c 3', title: 'Heinz Tomato Ketchup Classic 500 g', brand: 'Heinz', country: 'ca', price: 90 },
        ]),
      },
      // Categories and addresses, of a catalogue and a taxonomy; a GPC release, crosswalk and lexicon.
      {
        ...referenceFeeds,
        'product_catalogue/c.csv': [
          CATALOGUE,
          'a,us,1,2026-04-06,Kleenex Tissues 12 ct,Home > Paper,https://www.a.example/1,,,',
          'a,us,2,2026-04-06,Sony Camera DSCW55,Cameras,,500,g,yes',
        ].join('\n'),
        'category_taxonomy/t.csv': 'path,name\nhome,Home\nhome/paper,Paper\ncameras,Cameras\n',
        'price_observations/a.csv': priced('2026-04-06', 'a 1'),
      },
      {
        'product_catalogue/c.csv': `${CATALOGUE}\na,us,1,2026-04-09,Kleenex Tissues 12 ct,Home,https://a.example/1,,,\n`,
        'price_observations/a.csv': priced('2026-04-09', 'a 1'),
      },
      // The whole month of a shop: its other listings go, and the greatest number of a listing is given again.
      {
        'price_observations/feed.json': '{"replaces": "month"}',
        'price_observations/a.csv': on('2026-04-07', [
          { name: 'b 6', title: 'Bose Turntable PSLX350H', brand: 'Bose' },
        ]),
      },
    ])
    expect(reports.map(({ status }) => status)).toEqual(reports.map(() => 'published'))
    expect(reports.map(({ entities }) => entities?.suspect_barcodes)).toContainEqual({ brands: 1 })
    expect(reports[0]!.dropped_barcodes).toEqual({ bad_check_digit: 2 })
    expect(reports[3]!.entities!.changes).not.toEqual({})
    expect(reports[6]!.withdrawn).toBeGreaterThan(0)
  })

  // The deliveries above have every kind of change.
  test.runIf(isFullSize)('when listings change at random from month to month', async () => {
    const said = fc.record({
      gtin: fc.constantFrom(undefined, TISSUES, PENS, WRONG),
      brand: fc.constantFrom(undefined, 'Sony', 'Sony Corp', 'Bose', 'n/a'),
      title: fc.constantFrom(undefined, 'Camera DSCW55', 'Camera DSC-W55, used', 'Tea 500 g', 'Tea 6 x 330 ml'),
      price: fc.constantFrom(9, 10, 60),
      country: fc.constantFrom('us', 'ca'),
    })
    const month = fc.array(fc.option(said, { nil: undefined }), { minLength: 24, maxLength: 24 })
    await fc.assert(
      fc.asyncProperty(fc.array(month, { minLength: 3, maxLength: 3 }), async (months) => {
        const files = months.map((all, index) => {
          const listings = all.flatMap((fields, id) => (fields ? { ...fields, name: `${'abc'[id % 3]} ${id}` } : []))
          return {
            'price_observations/a.csv': on(`2026-0${index + 1}-05`, [{ name: 'd 1' }, ...(listings as Listing[])]),
          }
        })
        await refreshInTurn(files)
      }),
      { seed: 7, numRuns: 4 },
    )
  })
})

/** Makes all readings of a snapshot say that the listing is used. */
const falsify = async (report: RefreshReport, lake: string): Promise<void> => {
  const path = join(folderOf(report, lake), `${READINGS}.parquet`)
  await query(
    `COPY (SELECT * REPLACE ('used' AS condition) FROM read_parquet('${path}')) TO '${path}.new' (FORMAT parquet)`,
  )
  await rename(`${path}.new`, path)
}

const conditionsAfter = async (lake: string, files: Files): Promise<unknown[]> => {
  const report = await runFiles(files, { lake })
  const rows = await query(`SELECT condition FROM read_parquet('${folderOf(report, lake)}/listings/*/*.parquet')
    ORDER BY listing_id`)
  return rows.map(({ condition }) => condition)
}

describe('the readings of listings', () => {
  const first = { 'price_observations/a.csv': on('2026-01-05', LISTINGS.slice(0, 3)) }

  test('are reused only for listings whose texts are unchanged', async () => {
    const report = await runFiles(first)
    await falsify(report, report.lake)
    const second = on('2026-02-05', [{ name: 'a 2', title: 'Sony Camera DSCW70', brand: 'Sony' }, { name: 'b 3' }])
    const conditions = await conditionsAfter(report.lake, { 'price_observations/a.csv': second })
    expect(conditions).toEqual(['used', 'new', 'used', 'new'])
  })

  test('are made again for every listing when the rules have changed', async () => {
    const report = await runFiles(first)
    await falsify(report, report.lake)
    const lake = await withOtherRules(report, report.lake)
    const second = { 'price_observations/a.csv': priced('2026-02-05', 'a 1') }
    expect(await conditionsAfter(lake, second)).toEqual(['new', 'new', 'new'])
  })

  test('are unchanged for the corpus, unless READING_RULES is incremented', async () => {
    const report = await runFiles({
      'product_catalogue/c.csv': corpus(),
      'price_observations/a.csv': priced('2026-01-05', 'a 1'),
    })
    expect(report.status).toBe('published')
    const folder = folderOf(report, report.lake)
    const readings = await query(`SELECT * EXCLUDE (text_hash) FROM read_parquet('${folder}/${READINGS}.parquet')
      ORDER BY listing_id`)
    expect(readings).toHaveLength(720)
    const hash = createHash('sha256')
      .update(JSON.stringify(readings, (_, value) => (typeof value === 'bigint' ? String(value) : value)))
      .digest('hex')
    expect(await readFile(new URL('../../data/README.md', import.meta.url), 'utf8')).toContain(`${READINGS}.parquet`)
    expect([READINGS, hash]).toEqual([
      'listing_readings_7',
      'a00b0f964a7683ab1db886470b8d7ac603cdf372278a5e375fa71b48158c533a',
    ])
  })
})
