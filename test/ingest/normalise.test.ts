import { describe, expect, test } from 'vitest'
import { query, runFiles, table } from './feeds.ts'

/** One refresh of a row for each text of a column; what the listing or observation then says, in the order of the texts. */
const readAs = async (
  column: string,
  texts: readonly string[],
  expression: string,
  description: object = {},
  from = 'observations',
): Promise<unknown[]> => {
  const rows = texts.map((text, at) => ({
    platform: 'acme',
    country: 'us',
    listing_id: String(at).padStart(3, '0'),
    observed_at: '2026-01-05T10:00:00Z',
    price: '5.00',
    [column]: text,
  }))
  const report = await runFiles({
    'price_observations/a.jsonl': rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
    'price_observations/feed.json': JSON.stringify(description),
  })
  const found = await query(`
    SELECT product_id, ${expression} AS text FROM ${table(report, from)} AS fact
    JOIN ${table(report, 'listings')} AS listing USING (listing_id)`)
  const textOf = new Map(found.map(({ product_id, text }) => [product_id, text]))
  return rows.map(({ listing_id }) => (textOf.has(listing_id) ? textOf.get(listing_id) : 'refused'))
}

describe('a price', () => {
  test('is read as cents, rounded half away from zero', async () => {
    const texts = [
      '1',
      '1.5',
      '1.005',
      '1.00499',
      '0.285',
      '.5',
      '5.',
      ' 12.5 ',
      '1e2',
      '0.005',
      '999999.99',
      '999999.994',
    ]
    expect(await readAs('price', texts, 'fact.price')).toEqual([
      100, 150, 101, 100, 29, 50, 500, 1250, 10000, 1, 99999999, 99999999,
    ])
  })

  test('as printed is read if it is a single price, otherwise refused', async () => {
    const texts = ['$3.45', '97¢', '1,959', '$1,234,567', 'CA$ 2.50', '3.45', '12.5¢', '19', ' $4.99 ', '.99', '3.45 $']
    expect(await readAs('price', texts, 'fact.price', { price_text: true })).toEqual([
      345,
      97,
      195900,
      'refused',
      250,
      345,
      13,
      1900,
      499,
      99,
      345,
    ])
    const none = [
      '2 for $7',
      '236.18 gbp',
      'was',
      'NA',
      'error',
      'fop.price.per.each 0.75',
      'sale\n$3.50 MIN 2',
      '1,9',
      '$',
      '-3',
      '€3',
    ]
    expect(await readAs('price', ['$1', ...none], 'fact.price', { price_text: true })).toEqual([
      100,
      ...none.map(() => 'refused'),
    ])
  })

  test('as printed in French has a comma before its cents', async () => {
    const texts = [
      '4,99 $',
      '1 299,00 $',
      '1\u00a0299,00\u00a0$',
      '1\u202f299,00 $',
      '4,99',
      '1.299,00 $',
      '4,999 $',
      '12 99,00 $',
    ]
    expect(await readAs('price', texts, 'fact.price', { price_text: true })).toEqual([
      499,
      129900,
      129900,
      129900,
      499,
      129900,
      499900,
      'refused',
    ])
    const decimal = ['4,99 $', '1 299 $', '4,5', '1.299,00', '1299,00', '4.99', '4,99,00']
    expect(await readAs('price', decimal, 'fact.price', { decimal_comma: true })).toEqual([
      499,
      129900,
      450,
      129900,
      129900,
      'refused',
      'refused',
    ])
    const ratings = { decimal_comma: true, constants: { price: '5,00' } }
    expect(await readAs('star_rating', ['4,5', '4'], 'listing.star_rating', ratings)).toEqual(['4.50', '4.00'])
  })

  test('that is an invalid list price is omitted', async () => {
    const texts = ['6.00', 'was', '0', '-1', '1000000', '4.00', '']
    expect(await readAs('list_price', texts, 'fact.list_price')).toEqual([600, null, null, null, null, 400, null])
  })
})

describe('a time', () => {
  const asTimes = (texts: readonly string[], description = {}) =>
    readAs('observed_at', texts, "strftime(listing.observed_at, '%Y-%m-%dT%H:%M:%S')", description, 'listing_months')
  test('is read as RFC 3339, with midnight for a date and UTC without a zone', async () => {
    const texts = [
      '2026-01-05T10:11:12Z',
      '2026-01-05',
      '2026-01-05 10:11:12',
      '2026-01-05T10:11:12.75Z',
      '2026-01-05t10:11:12z',
    ]
    expect(await asTimes(texts)).toEqual([
      '2026-01-05T10:11:12',
      '2026-01-05T00:00:00',
      '2026-01-05T10:11:12',
      '2026-01-05T10:11:12',
      '2026-01-05T10:11:12',
    ])
  })

  test('with an offset is converted to UTC', async () => {
    const texts = [
      '2026-01-05T10:00:00+02:00',
      '2026-01-05T22:00:00-05:30',
      '2026-01-05 10:00:00+00',
      '2026-01-05T10:00:00.5-0800',
    ]
    expect(await asTimes(texts, { timezone: 'America/Toronto' })).toEqual([
      '2026-01-05T08:00:00',
      '2026-01-06T03:30:00',
      '2026-01-05T10:00:00',
      '2026-01-05T18:00:00',
    ])
  })

  test('in a time zone is converted to UTC, with daylight saving time', async () => {
    const texts = ['2026-01-05 22:00:00', '2026-07-05 22:00:00', '2026-01-05T10:00:00Z']
    expect(await asTimes(texts, { timezone: 'America/Toronto' })).toEqual([
      '2026-01-06T03:00:00',
      '2026-07-06T02:00:00',
      '2026-01-05T10:00:00',
    ])
  })

  test('is read in the format that the feed describes', async () => {
    expect(await asTimes(['03/25/2022 14:59:58', '2022-03-25'], { timestamp_format: '%m/%d/%Y %H:%M:%S' })).toEqual([
      '2022-03-25T14:59:58',
      'refused',
    ])
  })
})

test('promo_flag is read in every spelling and is null for an unknown one', async () => {
  const texts = ['true', '1', 'True', 'YES', ' t ', 'false', '0', 'False', 'no', 'maybe', '']
  const flags = [true, true, true, true, true, false, false, false, false, null, null]
  expect(await readAs('promo_flag', texts, 'fact.promo_flag')).toEqual(flags)
})

test.each(['availability', 'in_stock'])('%s is read in every spelling', async (column) => {
  const texts = ['in_stock', 'InStock', 'http://schema.org/InStock', 'limited', 'Low Stock', 'True', '1', '25', 'yes']
  expect(await readAs(column, texts, 'fact.in_stock')).toEqual(texts.map(() => true))
  const without = [
    'out_of_stock',
    'Out of stock',
    'https://schema.org/OutOfStock',
    'preorder',
    'backorder',
    'discontinued',
    '0',
    'false',
  ]
  expect(await readAs(column, without, 'fact.in_stock')).toEqual(without.map(() => false))
  expect(await readAs(column, ['unknown', 'Best seller', ''], 'fact.in_stock')).toEqual([null, null, null])
})

test('a rating is from 0 to 5, and null where there are no reviews', async () => {
  const expression = 'listing.star_rating::VARCHAR'
  expect(await readAs('star_rating', ['4.6', '5', '5.01', '-1', 'NaN', '0', '3.456'], expression)).toEqual([
    '4.60',
    '5.00',
    null,
    null,
    null,
    null,
    '3.46',
  ])
  const zero = { constants: { star_rating: '0' } }
  expect(await readAs('review_count', ['0', '3', '', '-2'], expression, zero)).toEqual([null, '0.00', null, null])
  expect(await readAs('review_count', ['0', '412', 'many', '-2'], 'listing.review_count')).toEqual([0, 412, null, null])
})

test('a missing currency or a bare dollar sign is the currency of the country', async () => {
  const texts = ['USD', 'usd', 'US$', '$', '', 'CAD', 'C$', 'EUR']
  const prices = [500, 500, 500, 500, 500, 'refused', 'refused', 'refused']
  expect(await readAs('currency', texts, 'fact.price')).toEqual(prices)
})

test('a platform is read as a lower-case key', async () => {
  const texts = ['acme', 'Acme', ' ACME-2 ', 'a_b', '-acme', 'Ac me', 'x'.repeat(64), 'x'.repeat(65)]
  const kept = [500, 500, 500, 500, 'refused', 'refused', 500, 'refused']
  expect(await readAs('platform', texts, 'fact.price')).toEqual(kept)
})

test('omitted values are counted by field and reason', async () => {
  const rows = ['was,9,many,perhaps,Best seller', '0,0,-1,,unknown', '9.99,4.5,7,true,in_stock']
  const report = await runFiles({
    'price_observations/a.csv': [
      'platform,country,listing_id,observed_at,price,list_price,star_rating,review_count,promo_flag,availability',
      ...rows.map((row, at) => `acme,us,${at},2026-01-05,5.00,${row}`),
      '',
    ].join('\n'),
  })
  expect(report.files[0]!.dropped_values).toEqual([
    { field: 'availability', reason: 'unknown', count: 1 },
    { field: 'list_price', reason: 'not_a_number', count: 1 },
    { field: 'list_price', reason: 'out_of_range', count: 1 },
    { field: 'promo_flag', reason: 'unknown', count: 1 },
    { field: 'review_count', reason: 'not_a_number', count: 1 },
    { field: 'review_count', reason: 'out_of_range', count: 1 },
    { field: 'star_rating', reason: 'out_of_range', count: 1 },
  ])
  expect(report.files[0]!.kept).toBe(3)
})
