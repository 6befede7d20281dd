import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
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

describe('a listing that changes its entity', () => {
  test('is a merge if it joins other listings', async () => {
    const first = [{ name: 'a 1' }, { name: 'b 1', gtin: TISSUES }]
    expect(await changed(first, [{ name: 'a 1', gtin: TISSUES }])).toEqual(['a 1 merge'])
  })

  test('is a split if it leaves others, as when a barcode becomes suspect', async () => {
    const first = [
      { name: 'a 1', gtin: TISSUES, brand: 'Kleenex' },
      { name: 'b 1', gtin: TISSUES, brand: 'Scott' },
    ]
    expect(await changed(first, [{ name: 'c 1', gtin: TISSUES, brand: 'Puffs' }])).toEqual(['a 1 split', 'b 1 split'])
  })

  test('is a move if it leaves some listings and joins others', async () => {
    const first = [
      { name: 'a 1', gtin: TISSUES },
      { name: 'b 1', gtin: TISSUES },
      { name: 'c 1', gtin: PENS },
    ]
    expect(await changed(first, [{ name: 'b 1', gtin: PENS }])).toEqual(['b 1 move'])
  })

  test('is a rename if the whole entity gets another anchor', async () => {
    const first = [
      { name: 'a 1', brand: 'Sony', title: 'Camera DSCW55' },
      { name: 'b 1', brand: 'Sony', title: 'Sony DSC-W55 camera' },
    ]
    const second = [{ name: 'a 1', brand: 'Sony', title: 'Camera DSCW55', gtin: PENS }]
    expect(await changed(first, second)).toEqual(['a 1 rename', 'b 1 rename'])
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
