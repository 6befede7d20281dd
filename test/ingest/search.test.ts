import { beforeAll, describe, expect, test } from 'vitest'
import { snapshotFolder } from '../../engine/index.ts'
import { keyNumber } from '../../engine/search/keys.ts'
import { refreshed, temporaryFolder } from '../support/given.ts'
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
  const connection = await connectTo(snapshotFolder(lake, snapshot_id))
  const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson()
  // In the order of the files, which a join would lose.
  const numbered = await rows('SELECT country, listing_id, row, word_count, accessory FROM search_listing')
  const named = new Map((await rows('SELECT listing_id, product_id FROM listing')) as [number, string][])
  const held = await rows('SELECT product_id FROM listing')
  const listings = numbered.map(([country, id, , words, accessory]) => [
    country,
    named.get(id as number),
    words,
    accessory,
  ])
  const found = numbered.map(([, , row]) => held[row as number]!)
  const words = await rows('SELECT country, word, listing_count FROM search_word')
  const postings = await rows('SELECT country, place FROM search_posting')
  const keys = await rows('SELECT country, key::VARCHAR, place FROM search_key')
  connection.closeSync()
  return { listings, found, words, postings, keys }
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
      ['ca', 'd', 1, 0],
      ['us', 'b', 2, 1],
      ['us', 'a', 3, 0],
      ['us', 'c', 1, 0],
    ])
  })

  test('has the row of each listing in memory', () => {
    expect(index.found).toEqual(index.listings.map(([, product_id]) => [product_id]))
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
