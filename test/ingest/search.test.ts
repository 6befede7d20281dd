import { beforeAll, describe, expect, test } from 'vitest'
import { snapshotFolder } from '../../engine/index.ts'
import { keyNumber } from '../../engine/search/keys.ts'
import { refreshed, temporaryFolder } from '../support/given.ts'
import { indexRows } from '../support/index-rows.ts'
import { connectTo } from '../support/prepared.ts'
import type { Row } from '../support/rows.ts'

const offer = (listing_id: string, product_name: string, more: Row = {}): Row => ({
  platform: 'alpha',
  country: 'us',
  listing_id,
  observed_at: '2026-11-10T12:00:00Z',
  price: '1.00',
  category_path: 'Tea',
  product_name,
  ...more,
})

const offers: readonly Row[] = [
  offer('a', 'Green Tea 12 oz', { review_count: 5, gtin: '4548736112094', url: 'https://www.alpha.example/a/' }),
  offer('b', 'Black Teas', { review_count: 9, brand: 'Leaf & Co', category_path: 'Tea > Tea Parts' }),
  // Most reviews, but its price is of long ago.
  offer('c', 'Tea', { review_count: 99, observed_at: '2026-01-10T12:00:00Z' }),
  offer('d', 'Tea', { country: 'ca' }),
]

/** The rows of the index, each listing by its retailer's id. */
const indexOf = async (lake: string, snapshot_id: string) => {
  const folder = snapshotFolder(lake, snapshot_id)
  const connection = await connectTo(folder)
  const held = (await connection.runAndReadAll('SELECT country, product_id FROM listing')).getRowsJson()
  connection.closeSync()
  const rows = (table: string) =>
    ['ca', 'us'].flatMap((country) => indexRows(folder, table, country).map((row): Row => ({ country, ...row })))
  const ofCountry = (country: unknown): unknown[] => held.flatMap(([of, id]) => (of === country ? [id] : []))
  const listings = rows('search_places').map(({ country, row, word_count }) => [
    country,
    ofCountry(country)[row as number],
    word_count,
  ])
  const uids = rows('listing_texts').map(({ country, texts }) => [country, JSON.parse(String(texts))[2]])
  const words = rows('search_words').map(({ country, word, listing_count }) => [country, word, listing_count])
  const postings = rows('search_postings').map(({ country, place }) => [country, place])
  const keys = rows('search_keys').map(({ country, key, place }) => [country, String(key), place])
  return { listings, held, uids, words, postings, keys }
}

type Index = Awaited<ReturnType<typeof indexOf>>

let index: Index
let snapshot_id: string

beforeAll(async () => {
  const lake = await temporaryFolder()
  snapshot_id = (await refreshed(lake, { observations: offers }, { threads: 2 })).snapshot_id!
  index = await indexOf(lake, snapshot_id)
})

describe('the search index', () => {
  test('numbers listings with a price in the last 90 days first, then by reviews', () => {
    expect(index.listings).toEqual([
      ['ca', 'd', 1],
      ['us', 'b', 2],
      ['us', 'a', 3],
      ['us', 'c', 1],
    ])
  })

  test('has the texts of listings in their order', () => {
    expect(index.uids).toEqual(index.held)
  })

  test('has every word with its listings in order', () => {
    const starts = new Map<string, number>()
    let start = 0
    for (const [country, word, count] of index.words) {
      starts.set(`${country} ${word}`, start)
      start += Number(count)
    }
    const us = index.words.filter(([country]) => country === 'us')
    const texts = us.filter(([, word]) => !String(word).startsWith('='))
    const placesOf = (word: unknown, count: unknown) =>
      index.postings
        .slice(starts.get(`us ${word}`)!, starts.get(`us ${word}`)! + Number(count))
        .map(([, place]) => place)
    // Places: b 0, a 1, c 2. `leaf` is a brand; `12oz` and its parts are words of a.
    expect(texts.map(([, word, count]) => [word, placesOf(word, count)])).toEqual([
      ['12', [1]],
      ['12oz', [1]],
      ['black', [0]],
      ['co', [0]],
      ['green', [1]],
      ['leaf', [0]],
      ['oz', [1]],
      ['tea', [0, 1, 2]],
    ])
    // What the words are to the names, and the size that one of them states.
    const marks = us.flatMap(([, word, count]) =>
      /^=(?:l:|size)/.test(String(word)) ? [[word, placesOf(word, count)]] : [],
    )
    expect(marks).toEqual([
      ['=l:tea', [0, 1, 2]],
      ['=size', [1]],
    ])
  })

  test.each([
    ['gtin 04548736112094', 1],
    ['url alpha.example/a', 1],
    ['id b', 0],
    ['name black tea', 0],
    ['name tea', 2],
  ])('leads from %s to its listing', (text, place) => {
    const key = String(keyNumber(text))
    expect(index.keys.filter(([country, other]) => country === 'us' && other === key)).toEqual([['us', key, place]])
  })

  test('is sorted by key', () => {
    const keys = index.keys.filter(([country]) => country === 'us').map(([, key]) => BigInt(String(key)))
    expect(keys).toEqual(keys.toSorted((a, b) => (a < b ? -1 : 1)))
  })

  test('is the same for rows in another order and one thread', async () => {
    const lake = await temporaryFolder()
    const report = await refreshed(lake, { observations: offers.toReversed() }, { threads: 1 })
    expect(report.snapshot_id).toBe(snapshot_id)
    expect(await indexOf(lake, snapshot_id)).toEqual(index)
  })
})
