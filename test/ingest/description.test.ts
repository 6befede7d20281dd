import { beforeAll, describe, expect, test } from 'vitest'
import { byFile, csv, type Lake, observationsOf, query, runDescribed, single, table } from './feeds.ts'

const FRENCH =
  'magasin;id;date;prix;produit\nmétro;1;05/01/2026;4,99 $;Café moulu\nmétro;2;05/01/2026;1 299,00 $;Machine à café\n'
const inFrench = (platform: string, encoding?: string) => ({
  columns: { listing_id: 'id', observed_at: 'date', price: 'prix', product_name: 'produit' },
  constants: { platform, country: 'ca' },
  ...{ delimiter: ';', decimal_comma: true, timestamp_format: ['%Y-%m-%d', '%d/%m/%Y'], timezone: 'America/Toronto' },
  ...(encoding ? { encoding } : {}),
})

const TIMES = ['2026-01-05 20:00:00 +0000', '05/01/2026 15:00:00', 'soon']

const DESCRIBED: Parameters<typeof runDescribed>[0] = {
  'latin.csv': [Buffer.from(FRENCH, 'latin1'), inFrench('latin', 'latin-1')],
  'utf16.csv': [Buffer.from(`\ufeff${FRENCH}`, 'utf16le'), inFrench('utf16')],
  'undeclared.csv': [Buffer.from(FRENCH, 'latin1'), inFrench('undeclared')],
  'times.csv': [
    csv(...TIMES.map((at, listing) => `acme,us,t${listing},${at},1.00,USD`)),
    { timestamp_format: ['%Y-%m-%d %H:%M:%S %z', '%d/%m/%Y %H:%M:%S'], timezone: 'America/Toronto' },
  ],
  'sql.csv': [
    'platform,country,listing_id,observed_at,price,off,unit\nsql,us,1,2026-01-05,3.50,1.49,kg\nsql,us,2,2026-01-05,5,x,each\n',
    { columns: { price: { sql: 'price + "off"' }, product_name: { sql: "upper(unit) || ' ' || listing_id" } } },
  ],
  'prices_20260105.json': [
    JSON.stringify({ shop: 'json', items: [{ sku: 7, history: [{ price: '3.50' }, { price: '3.60' }] }] }),
    {
      columns: { listing_id: 'sku', platform: 'shop' },
      constants: { country: 'us' },
      json_path: 'items[].history[]',
      name_pattern: 'prices_(?<year>\\d{4})(?<month>\\d\\d)(?<day>\\d\\d)',
    },
  ],
}

describe('a mapping can describe', () => {
  let report: Lake
  beforeAll(async () => {
    report = await runDescribed(DESCRIBED)
  })

  const named = async (platform: string) =>
    query(`SELECT product_name, price FROM ${table(report, 'listings')} JOIN ${single(report, 'retailers')}
      USING (retailer_id) WHERE platform = '${platform}' ORDER BY product_id`)

  test('Latin-1 and UTF-16, French prices and semicolons', async () => {
    const expected = [
      { product_name: 'Café moulu', price: 499 },
      { product_name: 'Machine à café', price: 129900 },
    ]
    expect(await named('latin')).toEqual(expected)
    expect(await named('utf16')).toEqual(expected)
    const undeclared = { rows_read: 2, kept: 0, quarantined: { ENCODING_INVALID: 2 } }
    expect(byFile(report).get('undeclared.csv')).toMatchObject(undeclared)
  })

  test('times in several formats, with an offset or in a time zone', async () => {
    const lines = (await observationsOf(report)).filter((line) => line.startsWith('acme us t'))
    expect(lines.map((line) => line.split(' ').slice(5, 7))).toEqual([
      ['2026-01-05', '72000'],
      ['2026-01-05', '72000'],
    ])
  })

  test('SQL expressions over the columns of the file, which convert to numbers where necessary', async () => {
    expect(await named('sql')).toEqual([{ product_name: 'KG 1', price: 499 }])
    expect(byFile(report).get('sql.csv')).toMatchObject({ quarantined: { PRICE_MISSING: 1 } })
  })

  test.each([
    ["(SELECT max(price) FROM read_csv('/etc/passwd'))", /subquer/i],
    ["read_text('/etc/passwd')", /read_text/],
    ['no_such_column + 1', /no_such_column/],
    ['price)) FROM range(9) --', /a comment/],
  ])('but not the expression %s', async (sql, message) => {
    const refused = await runDescribed({
      'a.csv': [csv('acme,us,1,2026-01-05,1.00,USD'), { columns: { product_name: { sql } } }],
    })
    expect(refused).toMatchObject({ status: 'refused', reasons: [expect.stringMatching(message)] })
  })

  test('a date in the file name and a path into JSON', async () => {
    const read = { rows_read: 2, kept: 1, duplicates: { same_key: 1 } }
    expect(byFile(report).get('prices_20260105.json')).toMatchObject(read)
    expect((await observationsOf(report)).filter((line) => line.startsWith('json'))).toEqual([
      'json us 7 uncategorized - 2026-01-05 0 350 - - -',
    ])
  })
})
