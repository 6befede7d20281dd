import { describe, expect, test } from 'vitest'
import { describe as described, matchesGlob, parseForeignMapping, parseOwnMapping } from '../../ingest/feeds/mapping.ts'

describe('matchesGlob', () => {
  test.each([
    ['a.csv', '*.csv', true],
    ['a.csv.gz', '*.csv', false],
    ['deep/a.csv', '*.csv', false],
    ['deep/er/a.csv', '**/*.csv', true],
    ['a.csv', '**/*.csv', true],
    ['deep/er/a.csv', 'deep/**', true],
    ['2024-01.csv', '2024-??.csv', true],
    ['2024-1.csv', '2024-??.csv', false],
    ['a+b(1).csv', 'a+b(1).csv', true],
    ['aab1.csv', 'a+b(1).csv', false],
  ])('%s against %s: %s', (path, glob, expected) => {
    expect(matchesGlob(path, glob)).toBe(expected)
  })
})

describe('a description', () => {
  test.each([
    ['{"colums": {}}', /feed\.json: .*colums/],
    ['{"columns": {"prise": "a"}}', /prise/],
    ['{"columns": {"price": []}}', /columns\.price/],
    ['{"kind": "snapshots"}', /kind/],
    ['{"max_quarantine": 2}', /max_quarantine/],
    ['{"columns"', /feed\.json is not JSON/],
  ])('%s is refused by name', (json, message) => {
    expect(() => parseOwnMapping('feed.json', json)).toThrow(message)
  })

  test("of a file is the feed's, then that of each glob it matches", () => {
    const mapping = parseOwnMapping(
      'feed.json',
      JSON.stringify({
        constants: { country: 'ca', price: 5 },
        columns: { platform: 'shop' },
        timezone: 'America/Toronto',
        files: {
          '2024*': { constants: { country: 'us' } },
          '*.csv': { columns: { brand: 'maker' }, price_text: true },
        },
      }),
    )
    expect(described(mapping, '2024.csv')).toMatchObject({
      constants: { country: 'us', price: '5' },
      columns: { platform: 'shop', brand: 'maker' },
      timezone: 'America/Toronto',
      price_text: true,
    })
    expect(described(mapping, '2023.jsonl')).toMatchObject({
      constants: { country: 'ca' },
      columns: { platform: 'shop' },
    })
  })
})

describe('a mapping of a foreign folder', () => {
  test('names the files of each feed', () => {
    const mapping = parseForeignMapping('m.json', '{"price_observations": {"files": ["a*.csv"], "price_text": true}}')
    expect([...mapping]).toEqual([
      ['price_observations', { description: { price_text: true }, files: [['a*.csv', {}]] }],
    ])
  })

  test.each([
    ['{"prices": {"files": ["a"]}}', /prices/],
    ['{"price_observations": {}}', /files/],
  ])('%s is refused', (json, message) => {
    expect(() => parseForeignMapping('m.json', json)).toThrow(message)
  })
})
