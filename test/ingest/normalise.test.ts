import { beforeAll, describe, expect, test } from 'vitest'
import { type Lake, query, runDescribed, runFiles, table } from './feeds.ts'

type Case = { column: string; texts: readonly string[]; description: object }

const cases: Case[] = []
let report: Lake

const rowsOf = ({ column, texts }: Case, at: number) =>
  texts.map((text, row) => ({
    platform: 'acme',
    country: 'us',
    listing_id: `${at} ${row}`,
    observed_at: '2026-01-05T10:00:00Z',
    price: '5.00',
    [column]: text,
  }))

// One refresh of all cases: each is a file under a description of its own, with its own listings.
beforeAll(async () => {
  const jsonl = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  const files = cases.map((one, index) => [`${index}.jsonl`, [jsonl(rowsOf(one, index)), one.description]] as const)
  report = await runDescribed(Object.fromEntries(files))
})

/**
 * Adds a row for each text of a column to the refresh of this file; what the listing or observation then says, in the order
 * of the texts.
 */
const reading = (
  column: string,
  texts: readonly string[],
  expression: string,
  description: object = {},
  from = 'observations',
): (() => Promise<unknown[]>) => {
  const at = cases.push({ column, texts, description }) - 1
  return async () => {
    const readings = await query(`
      SELECT product_id, ${expression} AS text FROM ${table(report, from)} AS fact
      JOIN ${table(report, 'listings')} AS listing USING (listing_id)`)
    const textOf = new Map(readings.map(({ product_id, text }) => [product_id, text]))
    return texts.map((_, row) => (textOf.has(`${at} ${row}`) ? textOf.get(`${at} ${row}`) : 'refused'))
  }
}

describe('a price', () => {
  const plain = [
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
  const plainRead = reading('price', plain, 'fact.price', { decimals: 2 })
  const unsaid = reading('price', plain, 'fact.price')
  test('is read as cents, rounded half away from zero where the mapping says how many decimals there are, else refused', async () => {
    const cents = [100, 150, 101, 100, 29, 50, 500, 1250, 10000, 1, 99999999, 99999999]
    expect(await plainRead()).toEqual(cents)
    expect(await unsaid()).toEqual(
      cents.map((price, i) => ((plain[i]!.split('.')[1] ?? '').length > 2 ? 'refused' : price)),
    )
  })

  const printed = [
    '$3.45',
    '97¢',
    '1,959',
    '$1,234,567',
    'US$ 2.50',
    '3.45',
    '12.5¢',
    '19',
    ' $4.99 ',
    '.99',
    '3.45 $',
    '62.22/Kg',
    '$1.99 per lb',
    '0.59 ea.',
    '$2.50*',
  ]
  const printedRead = reading('price', printed, 'fact.price', { price_text: true })
  const nonePrinted = [
    '2 for $7',
    '2/$5',
    '$0.30/100ml',
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
    'CA$ 2.50',
  ]
  const noneRead = reading('price', ['$1', ...nonePrinted], 'fact.price', { price_text: true })
  test('as printed is read if it is a single price, otherwise refused', async () => {
    expect(await printedRead()).toEqual([
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
      6222,
      199,
      59,
      250,
    ])
    expect(await noneRead()).toEqual([100, ...nonePrinted.map(() => 'refused')])
  })

  const french = [
    '4,99 $',
    '1 299,00 $',
    '1\u00a0299,00\u00a0$',
    '1\u202f299,00 $',
    '4,99',
    '1.299,00 $',
    '4,999 $',
    '12 99,00 $',
  ]
  const frenchRead = reading('price', french, 'fact.price', { price_text: true })
  const decimal = ['4,99 $', '1 299 $', '4,5', '1.299,00', '1299,00', '4.99', '4,99,00']
  const decimalRead = reading('price', decimal, 'fact.price', { decimal_comma: true })
  const ratings = { decimal_comma: true, constants: { price: '5,00' } }
  const ratingsRead = reading('star_rating', ['4,5', '4'], 'listing.star_rating', ratings)
  test('as printed in French has a comma before its cents', async () => {
    expect(await frenchRead()).toEqual([499, 129900, 129900, 129900, 499, 129900, 499900, 'refused'])
    expect(await decimalRead()).toEqual([499, 129900, 450, 129900, 129900, 'refused', 'refused'])
    expect(await ratingsRead()).toEqual(['4.50', '4.00'])
  })

  const listPrices = reading('list_price', ['6.00', 'was', '0', '-1', '1000000', '4.00', ''], 'fact.list_price')
  test('that is an invalid list price is omitted', async () => {
    expect(await listPrices()).toEqual([600, null, null, null, null, 400, null])
  })
})

describe('a time', () => {
  const times = (texts: readonly string[], description = {}) =>
    reading('observed_at', texts, "strftime(listing.observed_at, '%Y-%m-%dT%H:%M:%S')", description, 'listing_months')

  const standard = [
    '2026-01-05T10:11:12Z',
    '2026-01-05',
    '2026-01-05 10:11:12',
    '2026-01-05T10:11:12.75Z',
    '2026-01-05t10:11:12z',
  ]
  const standardRead = times(standard)
  test('is read as RFC 3339, with midnight for a date and UTC without a zone', async () => {
    expect(await standardRead()).toEqual([
      '2026-01-05T10:11:12',
      '2026-01-05T00:00:00',
      '2026-01-05T10:11:12',
      '2026-01-05T10:11:12',
      '2026-01-05T10:11:12',
    ])
  })

  const offset = [
    '2026-01-05T10:00:00+02:00',
    '2026-01-05T22:00:00-05:30',
    '2026-01-05 10:00:00+00',
    '2026-01-05T10:00:00.5-0800',
  ]
  const offsetRead = times(offset, { timezone: 'America/Toronto' })
  test('with an offset is converted to UTC', async () => {
    expect(await offsetRead()).toEqual([
      '2026-01-05T08:00:00',
      '2026-01-06T03:30:00',
      '2026-01-05T10:00:00',
      '2026-01-05T18:00:00',
    ])
  })

  const zoned = ['2026-01-05 22:00:00', '2026-07-05 22:00:00', '2026-01-05T10:00:00Z']
  const zonedRead = times(zoned, { timezone: 'America/Toronto' })
  test('in a time zone is converted to UTC, with daylight saving time', async () => {
    expect(await zonedRead()).toEqual(['2026-01-06T03:00:00', '2026-07-06T02:00:00', '2026-01-05T10:00:00'])
  })

  const foreignTimes = times(['۲۰۲۶/۰۳/۰۲', '٢٠٢٦/٠٣/٠٩'], { timestamp_format: '%Y/%m/%d' })
  const foreignPrices = reading('price', ['۲٬۵۰۰', '٦٫٢٨', '１，２３０'], 'fact.price', { price_text: true })
  const foreignCounts = reading('review_count', ['٤١٢', '४१२', 'many'], 'listing.review_count')
  test('has digits of any script, as prices and counts have', async () => {
    expect(await foreignTimes()).toEqual(['2026-03-02T00:00:00', '2026-03-09T00:00:00'])
    expect(await foreignPrices()).toEqual([250000, 628, 123000])
    expect(await foreignCounts()).toEqual([412, 412, null])
  })

  const described = times(['03/25/2022 14:59:58', '2022-03-25'], { timestamp_format: '%m/%d/%Y %H:%M:%S' })
  test('is read in the format that the feed describes', async () => {
    expect(await described()).toEqual(['2022-03-25T14:59:58', 'refused'])
  })
})

describe('promo_flag', () => {
  const texts = ['true', '1', 'True', 'YES', ' t ', 'false', '0', 'False', 'no', 'maybe', '']
  const flags = [true, true, true, true, true, false, false, false, false, null, null]
  const read = reading('promo_flag', texts, 'fact.promo_flag')
  test('is read in every spelling and is null for an unknown one', async () => {
    expect(await read()).toEqual(flags)
  })
})

describe.each(['availability', 'in_stock'])('%s', (column) => {
  const within = ['in_stock', 'InStock', 'http://schema.org/InStock', 'limited', 'Low Stock', 'True', '1', '25', 'yes']
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
  const texts = [...within, ...without, 'unknown', 'Best seller', '']
  const read = reading(column, texts, 'fact.in_stock')
  test('is read in every spelling and is null for an unknown one', async () => {
    expect(await read()).toEqual([...within.map(() => true), ...without.map(() => false), null, null, null])
  })
})

describe('a rating', () => {
  const expression = 'listing.star_rating::VARCHAR'
  const ratings = reading('star_rating', ['4.6', '5', '5.01', '-1', 'NaN', '0', '3.456'], expression)
  const zero = { constants: { star_rating: '0' } }
  const withReviews = reading('review_count', ['0', '3', '', '-2'], expression, zero)
  const reviews = reading('review_count', ['0', '412', 'many', '-2'], 'listing.review_count')
  test('is from 0 to 5, and null where there are no reviews', async () => {
    expect(await ratings()).toEqual(['4.60', '5.00', null, null, null, null, '3.46'])
    expect(await withReviews()).toEqual([null, '0.00', null, null])
    expect(await reviews()).toEqual([0, 412, null, null])
  })
})

describe('a currency', () => {
  const read = reading('currency', ['USD', 'usd', 'US$', '$', '', 'CAD', 'C$', 'EUR'], 'fact.price')
  test('that is missing or a bare dollar sign is the currency of the country', async () => {
    expect(await read()).toEqual([500, 500, 500, 500, 500, 'refused', 'refused', 'refused'])
  })
})

describe('a platform', () => {
  const texts = ['acme', 'Acme', ' ACME-2 ', 'a_b', '-acme', 'Ac me', 'x'.repeat(64), 'x'.repeat(65)]
  const read = reading('platform', texts, 'fact.price')
  test('is read as a lower-case key', async () => {
    expect(await read()).toEqual([500, 500, 500, 500, 'refused', 'refused', 500, 'refused'])
  })
})

describe('omitted values', () => {
  const rows = [
    'was,9,many,perhaps,Best seller,RRP 5',
    '0,0,-1,,unknown,0',
    '9.99,4.5,7,true,in_stock,9.999',
    '9.99,4.5,7,true,in_stock,9.99',
  ]
  test('are counted by field and reason', async () => {
    const omitting = await runFiles({
      'price_observations/a.csv': [
        'platform,country,listing_id,observed_at,price,list_price,star_rating,review_count,promo_flag,availability,recommended_price',
        ...rows.map((row, index) => `acme,us,${index},2026-01-05,5.00,${row}`),
        '',
      ].join('\n'),
    })
    expect(omitting.files[0]!.dropped_values).toEqual([
      { field: 'availability', reason: 'unknown', count: 1 },
      { field: 'list_price', reason: 'not_a_number', count: 1 },
      { field: 'list_price', reason: 'out_of_range', count: 1 },
      { field: 'promo_flag', reason: 'unknown', count: 1 },
      { field: 'recommended_price', reason: 'not_a_number', count: 1 },
      { field: 'recommended_price', reason: 'out_of_range', count: 1 },
      { field: 'recommended_price', reason: 'too_fine', count: 1 },
      { field: 'review_count', reason: 'not_a_number', count: 1 },
      { field: 'review_count', reason: 'out_of_range', count: 1 },
      { field: 'star_rating', reason: 'out_of_range', count: 1 },
    ])
    expect(omitting.files[0]!.kept).toBe(4)
    expect(omitting.quality).toMatchObject([{ rows: 4, unread_prices: 3 }])
  })
})
