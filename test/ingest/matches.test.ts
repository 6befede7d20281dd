import { describe, expect, test } from 'vitest'
import { clusters } from '../../ingest/matches/clusters.ts'
import { learnt, USUAL } from '../../ingest/matches/weights.ts'
import { csv, query, runFiles } from './feeds.ts'

const header = 'platform,country,listing_id,product_name,brand,gtin,condition'

/** The feeds of rows `platform,country,listing_id,product_name,brand,gtin,condition,price`. */
const feedsOf = (rows: readonly string[], currency = 'USD') => ({
  'product_catalogue/a.csv': [header, ...rows.map((row) => row.split(',').slice(0, 7).join(','))].join('\n'),
  'price_observations/a.csv': csv(
    ...rows.map((row) => {
      const [platform, country, id] = row.split(',')
      return `${platform},${country},${id},2026-01-05T10:00:00Z,${row.split(',')[7]},${country === 'ca' ? 'CAD' : currency}`
    }),
  ),
})

const PRODUCTS = [
  'acme,us,1,Bodum Chambord French press 8 cup,,,new,39.00',
  'other,us,1,Bodum Chambord French press 8 cup coffee maker,,,new,38.00',
  'acme,us,2,Bodum Kenya French press 3 cup,,,new,29.00',
  'other,us,2,Bodum Kenya French press 3 cup coffee maker,,,new,28.00',
  ...[
    'Stovetop espresso pot',
    'Garlic crusher steel',
    'Cast iron skillet',
    'Paring blade ceramic',
    'Salad spinner large',
  ].flatMap((title, index) => [
    `acme,us,${index + 3},${title},,,new,31.00`,
    `other,us,${index + 3},${title.toUpperCase().split('').reverse().join('')},,,new,45.00`,
  ]),
]

const names = `platform || ' ' || listings.country || ' ' || product_id`

const listingsOf = (lake: string, id: string) =>
  query(`SELECT ${names} AS name, likely_uid, likely_probability
    FROM read_parquet('${lake}/snapshots/${id}/listings/*/*.parquet') AS listings
    JOIN read_parquet('${lake}/snapshots/${id}/retailers.parquet') USING (retailer_id) ORDER BY name`)

const matchesOf = (lake: string, id: string) =>
  query(`WITH named AS (
      SELECT listing_id, ${names} AS name FROM read_parquet('${lake}/snapshots/${id}/listings/*/*.parquet') AS listings
      JOIN read_parquet('${lake}/snapshots/${id}/retailers.parquet') USING (retailer_id)
    )
    SELECT a.name AS a, b.name AS b, matches.* EXCLUDE (listing_id, other_listing_id)
    FROM read_parquet('${lake}/snapshots/${id}/matches.parquet') AS matches
    JOIN named AS a ON a.listing_id = matches.listing_id JOIN named AS b ON b.listing_id = other_listing_id ORDER BY a, b`)

/** Which listings share a likely product. */
const productsOf = async (rows: readonly string[]): Promise<string[][]> => {
  const { lake, snapshot_id } = await runFiles(feedsOf(rows))
  const listings = (await listingsOf(lake, snapshot_id!)).filter(({ likely_uid }) => likely_uid !== null)
  const uids = [...new Set(listings.map(({ likely_uid }) => likely_uid))]
  return uids
    .map((uid) => listings.filter(({ likely_uid }) => likely_uid === uid).map(({ name }) => String(name)))
    .sort()
}

describe('likely matches', () => {
  test('join the listings of two shops that are likely one product, and no others', async () => {
    expect(await productsOf(PRODUCTS)).toEqual([
      ['acme us 1', 'other us 1'],
      ['acme us 2', 'other us 2'],
    ])
  })

  test('depend neither on threads nor on the order of refreshes', async () => {
    const once = await runFiles(feedsOf(PRODUCTS), { threads: 1 })
    const first = await runFiles(feedsOf(PRODUCTS.slice(3)), { threads: 2 })
    const second = await runFiles(feedsOf(PRODUCTS.slice(0, 3)), { threads: 2, lake: first.lake })
    const [at, then] = [once.snapshot_id!, second.snapshot_id!]
    expect(await listingsOf(first.lake, then)).toEqual(await listingsOf(once.lake, at))
    const sides = (rows: Record<string, unknown>[]) =>
      rows.map(({ a, b, ...levels }) => ({ pair: [a, b].map(String).sort(), ...levels }))
    expect(sides(await matchesOf(first.lake, then))).toEqual(sides(await matchesOf(once.lake, at)))
  })

  test('are never of two conditions', async () => {
    const used = PRODUCTS.map((row) => (row.startsWith('other') ? row.replace(',new,', ',used,') : row))
    expect(await productsOf(used)).toEqual([])
  })

  test('join two countries without comparing their prices', async () => {
    const { lake, snapshot_id } = await runFiles(
      feedsOf(PRODUCTS.map((row) => (row.startsWith('other') ? row.replace(',us,', ',ca,') : row))),
    )
    const matches = await matchesOf(lake, snapshot_id!)
    expect(matches).toMatchObject([
      { a: 'other ca 1', b: 'acme us 1', country: null, price: 0 },
      { a: 'other ca 2', b: 'acme us 2', country: null, price: 0 },
    ])
  })

  test('leave a listing alone whose entity the other shop has already', async () => {
    const rows = [
      'acme,us,1,Bodum Chambord French press 8 cup,,4006381333931,new,39.00',
      'other,us,1,Press for coffee model eight,,4006381333931,new,38.00',
      'other,us,2,Bodum Chambord French press 8 cup coffee maker,,,new,38.00',
      ...PRODUCTS.slice(4),
    ]
    expect(await productsOf(rows)).toEqual([])
  })

  test('include the other listings of an entity', async () => {
    const rows = [
      'acme,us,1,Bodum Chambord French press 8 cup,,4006381333931,new,39.00',
      'third,us,1,Press for coffee model eight,,4006381333931,new,38.00',
      'other,us,2,Bodum Chambord French press 8 cup coffee maker,,,new,38.00',
      ...PRODUCTS.slice(4),
    ]
    expect(await productsOf(rows)).toEqual([['acme us 1', 'other us 2', 'third us 1']])
  })

  test('take words that all listings share', async () => {
    const rows = ['acme,us,1,Red mug,,,new,9.00', 'other,us,1,Red mug,,,new,9.00']
    expect((await runFiles(feedsOf(rows))).matches).toMatchObject({ pairs: expect.any(Number) })
  })

  test('are not of two sizes, which may be in columns alone', async () => {
    const sized = (size: number) => {
      const feeds = feedsOf(
        PRODUCTS.map((row) => row.replace(/French press \d cup/, 'coffee').replace(' maker', ' beans')),
      )
      const [head, ...rows] = feeds['product_catalogue/a.csv'].split('\n')
      const sizes = rows.map((row) => `${row},Grocery,${row.startsWith('other,us,1,') ? size : 250},g`)
      return runFiles({
        ...feeds,
        'product_catalogue/a.csv': [`${head},category_path,size_value,size_unit`, ...sizes].join('\n'),
      })
    }
    const [same, other] = [await sized(250), await sized(400)]
    const measures = async ({ lake, snapshot_id }: typeof same) =>
      (await matchesOf(lake, snapshot_id!)).map(({ a, probability, measure }) => ({ a, probability, measure }))
    expect(await measures(same)).toMatchObject([
      { a: 'acme us 1', measure: 6 },
      { a: 'acme us 2', measure: 6 },
    ])
    const [first, second] = await measures(other)
    expect(first).toMatchObject({ a: 'acme us 1', measure: 3 })
    expect(second).toMatchObject({ a: 'acme us 2', measure: 6 })
    expect(first!.probability).toBeLessThan(900)
    expect(second!.probability).toBeGreaterThanOrEqual(900)
  })

  test('are counted by tier in the report of a refresh', async () => {
    const { matches, quality } = await runFiles(feedsOf(PRODUCTS))
    expect(matches).toMatchObject({ likely: 4, pairs: 2 })
    expect(
      quality.map(({ retailer, certain_matches, likely_matches }) => [retailer, certain_matches, likely_matches]),
    ).toEqual([
      ['acme', 0, 2],
      ['other', 0, 2],
    ])
  })
})

describe('a likely product', () => {
  const link = (l_entity: number, l_shop: number, r_entity: number, r_shop: number) => ({
    ...{ l_entity, r_entity },
    ...{ l_shops: [l_shop], r_shops: [r_shop] },
  })

  test('has no second listing of a shop, whichever link would bring it', () => {
    const { join, members } = clusters()
    expect([join(link(1, 10, 2, 20)), join(link(2, 20, 3, 10)), join(link(3, 10, 4, 20))]).toEqual([true, false, true])
    expect(new Map(members())).toEqual(
      new Map([
        [1, 1],
        [2, 1],
        [3, 3],
        [4, 3],
      ]),
    )
  })
})

describe('weights', () => {
  test('are the usual ones without pairs, and those of the pairs where there are many', () => {
    expect(learnt([], { pairs: 0, found: 0, l_offers: 0, r_offers: 0 })).toEqual(USUAL)
    const levels = [
      { name: 'lead', level: 0, alike: 10_000, unlike: 90_000 },
      { name: 'lead', level: 2, alike: 90_000, unlike: 10_000 },
    ]
    const { lead } = learnt(levels, { pairs: 200_000, found: 100_000, l_offers: 200_000, r_offers: 200_000 })
    // ln(0.1 / 0.9) and its opposite, moved a little towards the usual.
    expect(lead![0]).toBeCloseTo(-2.2, 1)
    expect(lead![2]).toBeCloseTo(2.2, 1)
    expect(lead![1]).toBe(USUAL.lead![1])
  })
})
