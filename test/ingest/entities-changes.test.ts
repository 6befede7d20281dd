import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { renderReport } from '../../ingest/cli/render.ts'
import { entitiesOf, type Listing, type Refreshed, refreshOffers } from './entity-feeds.ts'
import { query, single } from './feeds.ts'

const [TISSUES, PENS] = ['036000291452', '4006381333931'] as const

const changesOf = (report: Refreshed) =>
  query(`SELECT snapshot_id, platform || ' ' || attribute.product_id AS name, from_entity_uid, to_entity_uid, kind
    FROM ${single(report, 'entity_changes')} AS change
    JOIN ${single(report, 'listing_attributes')} AS attribute USING (listing_id, product_uid)
    ORDER BY snapshot_id, listing_id`)

const later = (listings: readonly Listing[]): Listing[] =>
  listings.map((listing) => ({ ...listing, day: '2026-02-05' }))

/** Two refreshes; every change of the second as `name kind`, checked against the entities before and after. */
const changed = async (first: readonly Listing[], second: readonly Listing[]): Promise<string[]> => {
  const one = await refreshOffers(first)
  expect(await changesOf(one)).toEqual([])
  const before = await entitiesOf(one)
  const two = await refreshOffers(later(second), { lake: one.lake })
  const after = await entitiesOf(two)
  const changes = await changesOf(two)
  for (const { snapshot_id, name, from_entity_uid, to_entity_uid } of changes)
    expect([snapshot_id, from_entity_uid, to_entity_uid]).toEqual([
      two.snapshot_id,
      before[String(name)],
      after[String(name)],
    ])
  // None is silent.
  const moved = Object.keys(before).filter((name) => before[name] !== after[name])
  expect(changes.map(({ name }) => name).sort()).toEqual(moved.sort())
  const counts = two.entities?.changes ?? {}
  expect(Object.values(counts).reduce((sum, rows) => sum + rows, 0)).toBe(changes.length)
  return changes.map(({ name, kind }) => `${name} ${kind}`)
}

// Each uses barcodes, brands and shops of its own, so that one pair of refreshes does for all.
const CHANGES: readonly (readonly [does: string, first: Listing[], second: Listing[], changes: string[]])[] = [
  [
    'a merge if it joins other listings',
    [{ name: 'a merge' }, { name: 'b merge', gtin: TISSUES }],
    [{ name: 'a merge', gtin: TISSUES }],
    ['a merge merge'],
  ],
  [
    'a split if it leaves others, as when a barcode becomes suspect',
    [
      { name: 'a split', gtin: '036000290011', brand: 'Kleenex' },
      { name: 'b split', gtin: '036000290011', brand: 'Scott' },
    ],
    [{ name: 'c split', gtin: '036000290011', brand: 'Puffs' }],
    ['a split split', 'b split split'],
  ],
  [
    'a move if it leaves some listings and joins others',
    [
      { name: 'a move', gtin: '036000290028' },
      { name: 'b move', gtin: '036000290028' },
      { name: 'c move', gtin: '036000290035' },
    ],
    [{ name: 'b move', gtin: '036000290035' }],
    ['b move move'],
  ],
  [
    'a rename if the whole entity gets another anchor',
    [
      { name: 'a rename', brand: 'Sony', title: 'Camera DSCW55' },
      { name: 'b rename', brand: 'Sony', title: 'Sony DSC-W55 camera' },
    ],
    [{ name: 'a rename', brand: 'Sony', title: 'Camera DSCW55', gtin: PENS }],
    ['a rename rename', 'b rename rename'],
  ],
]

describe('a listing that changes its entity is', () => {
  let changes: string[]
  beforeAll(async () => {
    changes = await changed(
      CHANGES.flatMap(([, first]) => first),
      CHANGES.flatMap(([, , second]) => second),
    )
  })

  test.each(CHANGES)('%s', (_, first, second, expected) => {
    const names = [...first, ...second].map(({ name }) => name)
    expect(changes.filter((change) => names.some((name) => change.startsWith(`${name} `)))).toEqual(expected)
  })
})

describe('the entity changes of a lake', () => {
  const first = [{ name: 'a 1' }, { name: 'b 1', gtin: TISSUES }]
  const second = later([{ name: 'a 1', gtin: TISSUES }])

  test('remain in later snapshots and are reported once', async () => {
    const { lake } = await refreshOffers(first)
    const merged = await refreshOffers(second, { lake })
    expect(renderReport(merged, lake)).toContain('listings in another entity\n  merge 1\n')
    const again = await refreshOffers(second, { lake })
    expect(again).toMatchObject({ status: 'unchanged', digest: merged.digest, entities: { changes: {} } })
    const third = await refreshOffers([{ name: 'c 1' }], { lake })
    expect(third).toMatchObject({ status: 'published', entities: { changes: {} } })
    expect(await changesOf(third)).toEqual(await changesOf(merged))
  })

  test('start with the first snapshot that has entities', async () => {
    const { lake, snapshot_id } = await refreshOffers(first)
    const folder = join(lake, 'snapshots', String(snapshot_id))
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as { files: { path: string }[] }
    const files = manifest.files.filter(({ path }) => path !== 'entity_changes.parquet')
    await writeFile(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, files }))
    // Such a snapshot is older than the hashes of manifests.
    await rm(join(folder, 'manifest.sha256'))
    await writeFile(join(lake, 'current'), `${snapshot_id}\n`)
    await rm(join(folder, 'entity_changes.parquet'))
    expect(await changesOf(await refreshOffers(second, { lake }))).toHaveLength(1)
  })
})
