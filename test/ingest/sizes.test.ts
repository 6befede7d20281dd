import { beforeAll, describe, expect, test } from 'vitest'
import { snapshotFolder } from '../../engine/index.ts'
import { readSize } from '../../ingest/entities/size.ts'
import { csv, HEADER, type Lake, query, runFiles } from './feeds.ts'

const sizeOf = (title: string, size: string | null = null, pack: string | null = null) => {
  const { milli, unit, pieces, differs } = readSize({
    title,
    size,
    pack,
    brand: null,
    mpn: null,
    model: null,
    is_bundle: false,
  })
  return [milli === null ? null : milli / 1000, unit, pieces, differs]
}

describe('the size of a listing', () => {
  test.each([
    ['is that of its columns', 'Crown Royal', '750 ml', null, [750, 'ml', 1, false]],
    ['is read of its columns in any unit', 'Stout', '0.355 l', '6', [355, 'ml', 6, false]],
    ['is that of its title without columns', 'Lager 6 x 355 ml', null, null, [355, 'ml', 6, false]],
    ['has the pack count of the column', 'Lager 355 ml', null, '6', [355, 'ml', 6, false]],
    ['is a count of pieces where nothing else is stated', 'Napkins', null, '40', [1, 'each', 40, false]],
    [
      'is that of the title where the two differ by more than 2 %',
      'Crown Royal 50 ml',
      '750 ml',
      null,
      [50, 'ml', 1, true],
    ],
    ['is that of the columns where the two are within 2 %', 'Coffee 12 oz', '341 g', null, [341, 'g', 1, false]],
    [
      'has the pieces of the title where the column has their total',
      'Lager 6 x 355 ml',
      '2.13 l',
      null,
      [355, 'ml', 6, false],
    ],
    ['is unknown where neither states one', 'Lager', null, null, [null, null, null, false]],
  ] as const)('%s: %s, %s, %s', (_, title, size, pack, expected) => {
    expect(sizeOf(title, size, pack)).toEqual(expected)
  })

  test.each([
    'Espresso machine 5 Cup',
    'Toaster 4 slice',
    '6-Person Tent',
    'Pressure Cooker 8 Quart',
    'Refrigerator, 550 L',
    'Dehumidifier 4 L',
  ])('is none of goods that last: %s', (title) => expect(sizeOf(title)).toEqual([null, null, null, false]))

  test('is that of what is used with such goods', () => {
    expect(sizeOf('Coffee machine cleaner 500 ml')).toEqual([500, 'ml', 1, false])
    expect(sizeOf('Dishwasher tablets 30 ct')).toEqual([1, 'each', 30, false])
  })
})

describe('a lake', () => {
  const row = (id: string, name: string, path: string, rest = ',,,') =>
    `acme,us,${id},2026-01-05T10:00:00Z,10.00,USD,${name},${path},${rest}`
  const columns = ',product_name,category_path,list_price,recommended_price,size_value,size_unit'
  const rows = [
    row('whisky', 'Crown Royal 50 ml', 'Liquor > Whisky', '12.00,14.99,750,ml'),
    row('napkins', 'Napkins 40 ct', 'Liquor > Party'),
    row('pump', 'Pump 2 pack', 'Garden > Water'),
    row('hose', 'Hose', 'Garden > Water'),
    row('jug', 'Jug 1.5 L', 'Kitchen Appliances > Jugs'),
  ]
  let report: Lake
  beforeAll(async () => {
    report = await runFiles({ 'price_observations/a.csv': csv(...rows).replace(HEADER, HEADER + columns) })
  })
  const listings = () =>
    query(`SELECT product_id, recommended_price, size_milli, size_unit, pack_count
      FROM read_parquet('${snapshotFolder(report.lake, report.snapshot_id!)}/listings/*/*.parquet') ORDER BY product_id`)

  test('has sizes in departments of goods that are consumed, and recommended prices', async () => {
    const none = { recommended_price: null, size_milli: null, size_unit: null, pack_count: null }
    expect(await listings()).toEqual([
      { ...none, product_id: 'hose' },
      { ...none, product_id: 'jug' },
      { ...none, product_id: 'napkins', size_milli: 1000, size_unit: 'each', pack_count: 40 },
      { ...none, product_id: 'pump' },
      { product_id: 'whisky', recommended_price: 1499, size_milli: 50_000, size_unit: 'ml', pack_count: 1 },
    ])
  })

  test('counts in its quality table where columns and titles differ, and asks what list prices are', async () => {
    expect(report.quality).toMatchObject([{ month: '2026-01', different_sizes: 1, list_price_share: 0.2 }])
    expect(report.questions).toEqual([])
    const below = csv(
      'acme,us,a,2026-01-05,10.00,USD,12.00',
      'acme,us,b,2026-01-05,10.00,USD,12.00',
      'acme,us,c,2026-01-05,10.00,USD,',
    )
    const other = await runFiles({ 'price_observations/a.csv': below.replace(HEADER, `${HEADER},list_price`) })
    expect(other.quality).toMatchObject([{ list_price_share: 2 / 3 }])
    expect(other.questions).toEqual([
      expect.stringMatching(/^acme us 2026-01: 67 % of the rows are below their list price\./),
    ])
  })
})
