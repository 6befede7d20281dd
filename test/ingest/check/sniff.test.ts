import { describe, expect, test } from 'vitest'
import { sniff } from '../../../ingest/check/read/sniff.ts'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const latin1 = (text: string): Uint8Array => Uint8Array.from([...text].map((letter) => letter.charCodeAt(0)))
const utf16 = (text: string, isBig = false): Uint8Array =>
  Uint8Array.from(
    [...text].flatMap((letter) => {
      const code = letter.charCodeAt(0)
      return isBig ? [code >> 8, code & 255] : [code & 255, code >> 8]
    }),
  )

const TABLE = 'sku,name,price\nA1,Tea,1.50\nA2,Café,2.50\n'

describe('the encoding is recognised', () => {
  test.each<[name: string, bytes: Uint8Array, encoding: string]>([
    ['plain ASCII', utf8('sku,price\nA,1\n'), 'utf-8'],
    ['UTF-8', utf8(TABLE), 'utf-8'],
    ['UTF-8 with a byte order mark', utf8(`\uFEFF${TABLE}`), 'utf-8'],
    ['UTF-8 cut within a letter', utf8('sku,name\nA,Caf\u00e9').slice(0, -1), 'utf-8'],
    ['Latin-1', latin1(TABLE), 'latin-1'],
    ['UTF-16 with a byte order mark', utf16(`\uFEFF${TABLE}`), 'utf-16'],
    ['UTF-16 without one', utf16(TABLE), 'utf-16'],
    ['UTF-16, big end first', utf16(`\uFEFF${TABLE}`, true), 'utf-16'],
  ])('of %s', (_, bytes, encoding) => {
    const sniffed = sniff('prices.csv', bytes, true)
    expect(sniffed).toMatchObject({ format: 'csv', encoding, delimiter: ',', start: { header_rows: 1 } })
    expect(sniffed.columns[0]!.name).toBe('sku')
  })

  test('such that letters are decoded correctly', () => {
    for (const bytes of [utf8(TABLE), latin1(TABLE), utf16(TABLE)])
      expect(sniff('prices.csv', bytes, true).columns[1]!.values).toEqual(['Tea', 'Café'])
  })
})

test.each<[encoding: string, bytes: string, name: string, value: string]>([
  ['windows-1250', 'n\xe1zev,cena\n\xc8aj,150 K\xe8\n', 'název', 'Čaj'],
  [
    'windows-1251',
    '\xcd\xe0\xe8\xec\xe5\xed\xee\xe2\xe0\xed\xe8\xe5,\xd6\xe5\xed\xe0\n\xd7\xe0\xe9,150\n',
    'Наименование',
    'Чай',
  ],
  ['windows-1254', '\xdcr\xfcn Ad\xfd,Fiyat\n\xc7ay,150 TL\n', 'Ürün Adı', 'Çay'],
  ['shift_jis', '\x8f\xa4\x95i\x96\xbc,\x89\xbf\x8ai\n\x82\xa8\x92\x83,150\x89~\n', '商品名', 'お茶'],
])('names of columns and currencies show the encoding %s', (encoding, bytes, name, value) => {
  const sniffed = sniff('prices.csv', Buffer.from(bytes, 'latin1'), true)
  expect(sniffed).toMatchObject({ encoding, options: { encoding } })
  expect(sniffed.columns[0]).toEqual({ name, values: [value] })
})

describe('delimited text', () => {
  test.each<[text: string, delimiter: string | null]>([
    ['a,b\n1,2\n', ','],
    ['a;b\n1,50;2,50\n3,10;4,20\n', ';'],
    ['a\tb c, d\n1\tx, y\n', '\t'],
    ['a|b\n1|x;y;z\n', '|'],
    ['name,price\n"Soup; bowl; red",1\n"Tea; cup",2\n', ','],
    ['name\nTea\nSoup\n', null],
  ])('of %j has its delimiter recognised', (text, delimiter) => {
    expect(sniff('prices.csv', utf8(text), true).delimiter).toBe(delimiter)
  })

  test('may have delimiters, line breaks and quotes within quotes', () => {
    const [name, price] = sniff('x.csv', utf8('name,price\n"Tea, ""green""\nloose",1\nSoup,2\n'), true).columns
    expect(name).toEqual({ name: 'name', values: ['Tea, "green"\nloose', 'Soup'] })
    expect(price).toEqual({ name: 'price', values: ['1', '2'] })
  })

  test('may have a header with one name too few: those after the first column, or before an empty last one', () => {
    const rows = Array.from({ length: 9 }, (_, at) => `Herb ${at},Fresh herbs,1.${at}8,C${at}`)
    const { options, columns } = sniff('a.csv', utf8(['description,price,code', ...rows, ''].join('\n')), true)
    expect(options).toEqual({ skip_rows: 1, header: false })
    expect(columns.map(({ name, alias, values }) => [name, alias, values[0]])).toEqual([
      ['column1', undefined, 'Herb 0'],
      ['column2', 'description', 'Fresh herbs'],
      ['column3', 'price', '1.08'],
      ['column4', 'code', 'C0'],
    ])
    const ended = Array.from({ length: 9 }, (_, at) => `Herb ${at};1,${at}8;C${at};`)
    const other = sniff('a.csv', utf8(['titolo;prezzo;codice', ...ended, ''].join('\n')), true)
    expect(other.columns.map(({ alias, values }) => [alias, values[0]])).toEqual([
      ['titolo', 'Herb 0'],
      ['prezzo', '1,08'],
      ['codice', 'C0'],
      [undefined, ''],
    ])
  })

  test('is read without a last line that is cut off', () => {
    expect(sniff('x.csv', utf8('name,price\nTea,1\nSou')).columns[0]!.values).toEqual(['Tea'])
  })

  test.each<[text: string, header: boolean]>([
    ['sku,name,price\nA1,Tea,1.50\n', true],
    ['A1,Tea,1.50\nA2,Soup,2.50\n', false],
    ['2024-01-02,A1,Tea\n2024-01-03,A2,Soup\n', false],
    ['us,walmart,Tea\nus,target,Soup\nus,walmart,Rice\n', false],
    [',sku,price\n0,A1,1\n1,A2,2\n', true],
    ['name,name\nTea,Soup\n', true],
  ])('of %j has a header: %s', (text, header) => {
    expect(sniff('x.csv', utf8(text), true).start!.header_rows === 1).toBe(header)
  })
})

describe('JSON', () => {
  const record = { sku: 'A1', offers: { price: '1.50', priceCurrency: 'CAD' }, tags: ['a', 'b'], sold: null }

  test('lines are read as records with nested columns', () => {
    const sniffed = sniff('x.jsonl', utf8(`${JSON.stringify(record)}\n${JSON.stringify({ sku: 'A2' })}\n{"sku": "A3`))
    expect(sniffed).toMatchObject({ format: 'jsonl', options: {} })
    expect(sniffed.columns).toEqual([
      { name: 'sku', values: ['A1', 'A2'] },
      { name: 'offers.price', sql: `"offers"->>'$.price'`, values: ['1.50', ''] },
      { name: 'offers.priceCurrency', sql: `"offers"->>'$.priceCurrency'`, values: ['CAD', ''] },
      { name: 'tags', values: ['["a","b"]', ''] },
      { name: 'sold', values: ['', ''] },
    ])
  })

  test.each<[document: unknown, path: string | null, records: number]>([
    [[record, record], null, 2],
    [{ meta: { count: 2 }, items: [record, record] }, 'items[]', 2],
    [{ data: { 'all products': [record] } }, 'data.all products[]', 1],
    [{ 1001: record, 1002: record, 1003: record }, '{key}', 3],
    [{ 1001: { price: 1, name: 'Tea' }, 1002: { price: 2, name: 'Rice' } }, '{listing_id}', 2],
    [{ '2024-01-01': [record], '2024-01-02': [record, record] }, '{observed_at}[]', 3],
    [
      {
        items: [
          {
            sku: 'A1',
            history: [
              { date: '2024-01-01', price: 1 },
              { date: '2024-01-02', price: 2 },
            ],
          },
        ],
      },
      'items[].history[]',
      2,
    ],
    [
      {
        A1: { name: 'Tea', prices: [{ '2024-01-01': 1.5 }, { '2024-01-02': 2.5 }], stock: [{ '2024-01-01': 3 }] },
        A2: { name: 'Rice', prices: [], stock: [] },
      },
      '{listing_id}.prices[].{observed_at}',
      2,
    ],
    [[{ sku: 'A1', prices: { '2024-01-01': 1.5, '2024-01-02': 2.5 } }], '[].prices.{observed_at}', 2],
    [
      {
        products: [
          {
            title: 'Tea',
            variants: [
              { sku: 'A1', price: '1.50' },
              { sku: 'A2', price: '2.50' },
            ],
          },
        ],
      },
      'products[].variants[]',
      2,
    ],
    [
      [
        {
          productId: '1',
          productName: 'Whole milk',
          items: [{ itemId: '11', sellers: [{ sellerId: '1', offer: { Price: 3.5, ListPrice: 4 } }] }],
        },
        {
          productId: '2',
          productName: 'Rye bread',
          items: [{ itemId: '21', sellers: [{ sellerId: '1', offer: { Price: 2.5, ListPrice: 2.5 } }] }],
        },
      ],
      '[].items[].sellers[]',
      2,
    ],
    [{ 'Oat Milk': 2.19, Butter: 3.49, 'Rye Bread': 1.99 }, '{product_name}', 3],
    [
      { 'Oat Milk': { '2026-06-01': 2.1, '2026-06-02': 2.2 }, Butter: { '2026-06-01': 3 } },
      '{product_name}.{observed_at}',
      3,
    ],
    [
      {
        prices: {
          'Oat Milk': [
            ['2026-06-01', 2.1],
            ['2026-06-02', 2.2],
          ],
          Butter: [['2026-06-01', 3]],
        },
      },
      'prices.{product_name}[]',
      3,
    ],
  ])('document %j has the path of its records recognised', (document, path, records) => {
    for (const text of [JSON.stringify(document), JSON.stringify(document, null, 2)]) {
      const sniffed = sniff('x.json', utf8(text), true)
      expect(sniffed.format).toBe('json')
      expect(sniffed.options.json_path ?? null).toBe(path)
      expect(sniffed.columns[0]!.values).toHaveLength(records)
    }
  })

  test('document that is cut off is read up to there', () => {
    const text = JSON.stringify({ items: [record, record, record] }, null, 2)
    const sniffed = sniff('x.json', utf8(text.slice(0, -60)))
    expect(sniffed.options.json_path).toBe('items[]')
    expect(sniffed.columns[0]!.values.slice(0, 2)).toEqual(['A1', 'A1'])
  })
})

test('an empty file has no format', () => {
  expect(sniff('x.csv', new Uint8Array())).toMatchObject({ format: null, columns: [] })
})
