import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Engine, readManifest, snapshotFolder } from '../../../../engine/index.ts'
import { writeAsEarlier } from '../../../ingest/small-lake.ts'
import { ask } from '../../../support/ask.ts'
import { ensureLake, givenEngine, openEngine } from '../../../support/given.ts'
import { pct } from '../../../support/oracle.ts'
import { feedRow, listing, type Observation, observed } from '../../../support/rows.ts'
import { because, beyondVector, noVectors } from '../../../support/vectors.ts'

type Case = {
  size: [number, number]
  price: [number, number]
  kind: string | null
  unit_price_change_pct: number | null
}
type Vector = {
  cases: Case[]
  population: { matched: number; size_changes: [number, number][]; size_effect_pct: number }
}

const vector: Vector | null = noVectors ? null : beyondVector('shrinkflation')

type Seen = readonly [day: string, text: string, price: number]

/** A listing whose title states a size, on a shelf. */
const sized = (shelf: string, id: string, seen: readonly Seen[], platform = 'alpha'): Observation[] =>
  seen.flatMap(([day, text, price]) =>
    observed(listing(`${shelf} ${id}`, { shelf: ['Grocery', shelf], platform, product_name: `Rusks ${id} ${text}` }), {
      [day]: price,
    }),
  )

const daily = (from: number, to: number, text: string, price: number): Seen[] =>
  Array.from({ length: to - from + 1 }, (_, i) => [`2026-10-${String(from + i).padStart(2, '0')}`, text, price])
/** One size and price from the first to the tenth of October, another from the eleventh on. */
const change = (before: string, after: string, prices: readonly [number, number] = [400, 400]): Seen[] => [
  ...daily(1, 10, before, prices[0]),
  ...daily(11, 20, after, prices[1]),
]

let engine: Engine
beforeAll(async () => {
  const known = vector?.cases.flatMap(({ size, price }, i) =>
    sized(`Case ${i}`, 'a', change(`${size[0]} g`, `${size[1]} g`, price)),
  )
  const matched = Array.from({ length: vector?.population.matched ?? 0 }, (_, i) => {
    const [before, after] = vector!.population.size_changes[i] ?? [250, 250]
    return sized('Matched', `${i}`, [
      ['2026-09-10', `${before} g`, 1000],
      ['2026-09-20', `${before} g`, 1000],
      ['2026-11-10', `${after} g`, 1100],
      ['2026-11-20', `${after} g`, 1100],
    ])
  })
  engine = await givenEngine(
    [
      ...(known ?? []),
      ...matched.flat(),
      sized('Texts', 'a', change('16 oz', '454 g')),
      sized('Texts', 'b', change('500 g', '0.5 kg')),
      sized('Texts', 'c', change('500 g', '500 ml')),
      // Seen once, with the next one after ten days and after fourteen.
      sized('Once', 'a', [...daily(1, 10, '500 g', 400), ['2026-10-11', '450 g', 400], ...daily(21, 25, '400 g', 400)]),
      sized('Once', 'b', [...daily(1, 9, '500 g', 400), ['2026-10-10', '450 g', 400], ...daily(24, 28, '400 g', 400)]),
      // Two packs under one listing.
      sized('Side', 'a', [...change('500 g', '450 g'), ...daily(21, 25, '500 g', 400)]),
      // A sale on the day of the change is not the price at the new size.
      sized('Sale', 'a', [
        ...daily(1, 10, '500 g', 400),
        ...daily(11, 11, '450 g', 300),
        ...daily(12, 20, '450 g', 410),
      ]),
      // The size before was last seen before the first month.
      sized('Gap', 'a', [['2026-08-01', '500 g', 400], ['2026-08-20', '500 g', 400], ...daily(11, 20, '450 g', 400)]),
      sized('Packs', 'a', change('6 x 330 ml', '5 x 330 ml')),
      sized('Packs', 'b', change('40 ct', '36 ct'), 'beta'),
      // Sizes are those of retailers whose departments state weights or volumes.
      sized('Packs', 'c', daily(1, 2, '500 g', 400), 'beta'),
      sized('Used', 'a', change('500 g', '450 g')).map((row) => ({
        ...row,
        listing: { ...row.listing, condition: 'used', is_new: false },
      })),
    ].flat(),
    { as_of: new Date('2026-12-01T00:00:00Z') },
  )
})

const shrinkflation = (shelf: string, months = 3) =>
  ask(engine, 'analyst/shrinkflation', { category: `Grocery > ${shelf}`, months })

describe.skipIf(noVectors)(`changes of known size and price${because}`, () => {
  test.each(vector?.cases.map((each, i) => [i, each] as const) ?? [])(
    'case %i is of its kind: $size, $price',
    async (i, { kind, unit_price_change_pct, size }) => {
      const { size_changes, kinds } = await shrinkflation(`Case ${i}`)
      if (kind === null) {
        expect([size_changes, kinds]).toEqual([[], []])
        return
      }
      expect(size_changes).toHaveLength(1)
      expect(size_changes[0]).toMatchObject({
        kind,
        unit_price_change_pct: pct(unit_price_change_pct),
        previous_size: size[0],
        size: size[1],
        size_unit: 'g',
        date: '2026-10-11',
        previous_date: '2026-10-10',
      })
      expect(kinds).toEqual([{ kind, change_count: 1, mean_size_change_pct: pct((100 * size[1]) / size[0] - 100) }])
    },
  )

  test('the size effect is over all matched listings, and makes the unit price with the price', async () => {
    const { matched, size_effect_pct } = vector!.population
    expect(await shrinkflation('Matched')).toMatchObject({
      matched_count: matched,
      resized_count: 2,
      size_effect_pct: pct(size_effect_pct),
      price_change_pct: 10,
      unit_price_change_pct: pct(1.1 * (100 + size_effect_pct) - 100),
      shrunk_count: 2,
      grown_count: 0,
      unpriced_count: 0,
    })
  })
})

test('another text of the same size, within 2 %, or of another kind of size, is no change', async () => {
  expect(await shrinkflation('Texts')).toMatchObject({ shrunk_count: 0, grown_count: 0, size_changes: [] })
})

test('a size that was seen once counts from fourteen days on', async () => {
  const { size_changes } = await shrinkflation('Once')
  const changes = size_changes.map(({ product_name, date, previous_size, size }: Record<string, string | number>) =>
    [product_name, date, previous_size, size].join(),
  )
  expect(changes.sort()).toEqual([
    'Rusks a 400 g,2026-10-21,500,400',
    'Rusks b 400 g,2026-10-10,500,450',
    'Rusks b 400 g,2026-10-24,450,400',
  ])
})

test('a size that returns is that of another pack sold under the listing', async () => {
  expect((await shrinkflation('Side')).size_changes).toEqual([])
})

test('the prices compared are medians, so that a sale on the first day changes no kind', async () => {
  const { size_changes } = await shrinkflation('Sale')
  expect(size_changes).toMatchObject([{ previous_price: 4, price: 4.1, kind: 'sharkflation' }])
})

test('a change has no kind where the size before was seen too long ago', async () => {
  expect(await shrinkflation('Gap')).toMatchObject({
    unpriced_count: 1,
    kinds: [],
    size_changes: [
      { kind: null, previous_price: null, price: 4, unit_price_change_pct: null, previous_date: '2026-08-20' },
    ],
  })
  expect((await shrinkflation('Gap', 5)).size_changes[0].kind).toBe('shrinkflation')
})

test('sizes are of whole packs, in their unit, and are counted by retailer', async () => {
  const { size_changes, retailers, matched_count, size_effect_pct } = await shrinkflation('Packs')
  const byRetailer = (a: { retailer: string }, b: { retailer: string }) => (a.retailer < b.retailer ? -1 : 1)
  expect(size_changes.toSorted(byRetailer)).toMatchObject([
    { previous_size: 1980, size: 1650, size_unit: 'ml', size_change_pct: -16.67 },
    { previous_size: 40, size: 36, size_unit: 'each', size_change_pct: -10 },
  ])
  expect([matched_count, size_effect_pct]).toEqual([0, null])
  expect(retailers.map(({ retailer, shrunk_count }: Record<string, unknown>) => [retailer, shrunk_count])).toEqual([
    ['alpha', 1],
    ['beta', 1],
  ])
})

test('used listings have no part, and changes of the first month do not count', async () => {
  expect((await shrinkflation('Used')).size_changes).toEqual([])
  expect((await shrinkflation('Packs', 2)).size_changes).toEqual([])
})

test('a snapshot whose refreshes compared no texts is refused, and the refusal says what to do', async () => {
  const observations = sized('Coffee', 'a', change('500 g', '450 g')).map(feedRow)
  const { lake } = await ensureLake({ observations })
  const { snapshot_id } = (await openEngine(lake)).manifest
  const { files, ...manifest } = await readManifest(lake, snapshot_id)
  const kept = files.filter(({ path }) => path !== 'listing_sizes.parquet')
  await rm(join(snapshotFolder(lake, snapshot_id), 'listing_sizes.parquet'))
  await writeAsEarlier(lake, snapshot_id, JSON.stringify({ ...manifest, files: kept }))
  const earlier = await openEngine(lake, { as_of: new Date('2026-12-01T00:00:00Z') })
  await expect(ask(earlier, 'analyst/shrinkflation', { department: 'grocery' })).rejects.toMatchObject({
    code: 'NOT_PUBLISHED',
    message: expect.stringContaining('Refresh the lake'),
  })
})
