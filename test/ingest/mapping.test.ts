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
  ])('for %s and the glob %s is %s', (path, glob, expected) => {
    expect(matchesGlob(path, glob)).toBe(expected)
  })
})

const own = (json: string) => parseOwnMapping('feed.json', json, 'price_observations')

describe('a description', () => {
  test.each([
    ['{"colums": {}}', 'feed.json: unknown key colums (did you mean columns?)'],
    ['{"columns": {"prise": "a"}}', 'feed.json: columns: unknown column prise (did you mean price?)'],
    [
      '{"columns": {"price": []}}',
      'feed.json: columns.price: expected a column name, a list of them, {"join": [names]} or {"sql": "expression"}, got []',
    ],
    ['{"kind": "snapshots"}', 'feed.json: kind: expected one of observations, change_points, got "snapshots"'],
    ['{"max_quarantine": 2}', 'feed.json: max_quarantine: expected at most 1, got 2'],
    ['{"year": 2026.5}', 'feed.json: year: expected a whole number, got 2026.5'],
    ['{"delimiter": ";;"}', 'feed.json: delimiter: expected at most 1 character, got ";;"'],
    [
      '{"constants": {"currency": []}}',
      'feed.json: constants.currency: expected a text, a number, true or false, got []',
    ],
    ['{"columns": 7}', 'feed.json: columns: expected an object, got 7'],
    ['{"price_text": "yes"}', 'feed.json: price_text: expected true or false, got "yes"'],
    ['{"encoding": "cp437"}', 'feed.json: encoding: expected one of utf-8, utf-16, latin-1, windows-1250,'],
  ])('of %s is refused by name', (json, message) => {
    expect(() => own(json)).toThrow(message)
  })

  test('that is not JSON is refused', () => {
    expect(() => own('{"columns"')).toThrow(/^feed\.json: not JSON: /)
  })

  test.each([
    [
      '{"constants": {"post_id": "7"}}',
      /constants\.post_id: price_observations has no column post_id; it has platform, /,
    ],
    ['{"columns": {"theme": "t"}}', /columns\.theme: price_observations has no column theme/],
    ['{"files": {"a*": {"constants": {"views": 1}}}}', /constants\.views: price_observations has no column views/],
  ])('of %s has a column of another feed and is refused', (json, message) => {
    expect(() => own(json)).toThrow(message)
  })

  const mapping = own(
    JSON.stringify({
      constants: { country: 'ca', price: 5 },
      columns: { platform: 'shop' },
      timezone: 'America/Toronto',
      files: {
        '2024*': { constants: { country: 'us' }, columns: { brand: 'maker' }, price_text: true },
        '*.csv': { columns: { brand: 'marque' } },
      },
    }),
  )

  test('of a file is that of its feed, overridden by that of the matching glob', () => {
    expect(described(mapping, '2024.jsonl', 'price_observations')).toMatchObject({
      constants: { country: 'us', price: '5' },
      columns: { platform: 'shop', brand: 'maker' },
      timezone: 'America/Toronto',
      price_text: true,
    })
    expect(described(mapping, '2023.jsonl', 'price_observations')).toMatchObject({
      constants: { country: 'ca' },
      columns: { platform: 'shop' },
    })
  })

  test('of a file that two globs match is refused', () => {
    expect(() => described(mapping, '2024.csv', 'price_observations')).toThrow(
      'feed.json: files: 2024* and *.csv both match 2024.csv',
    )
  })

  test('takes constants from the file name', () => {
    const pattern = String.raw`(?<platform>[a-z]+)/(?<year>\d{4})_(?<month>\d\d)_(?<day>\d\d)`
    const named = own(JSON.stringify({ name_pattern: pattern }))
    expect(described(named, 'aldi/2024_04_20.csv', 'price_observations').constants).toEqual({
      platform: 'aldi',
      observed_at: '2024-04-20',
    })
    expect(described(named, 'aldi/2024_04_20.csv', 'social_posts').constants).toMatchObject({
      collected_at: '2024-04-20',
    })
    expect(() => described(named, 'aldi/latest.csv', 'price_observations')).toThrow(
      /does not match the file aldi\/latest\.csv/,
    )
    const unknown = own('{"name_pattern": "(?<shop>[a-z]+)"}')
    expect(() => described(unknown, 'a.csv', 'price_observations')).toThrow(/the group shop is neither a column/)
  })
})

describe('a mapping of a foreign folder', () => {
  test('lists the files of each feed', () => {
    const mapping = parseForeignMapping('m.json', '{"price_observations": {"files": ["a*.csv"], "price_text": true}}')
    expect([...mapping]).toEqual([
      ['price_observations', { source: 'm.json', description: { price_text: true }, files: [['a*.csv', {}]] }],
    ])
  })

  test.each([
    ['{"prices": {"files": ["a"]}}', /prices/],
    ['{"price_observations": {}}', /files/],
  ])('of %s is refused', (json, message) => {
    expect(() => parseForeignMapping('m.json', json)).toThrow(message)
  })
})
