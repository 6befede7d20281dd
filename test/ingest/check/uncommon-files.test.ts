import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { type CheckResult, check } from '../../../ingest/check/check.ts'
import { givenFiles } from '../feeds.ts'

const checked = async (name: string, content: string | Uint8Array): Promise<CheckResult> =>
  check({ paths: [await givenFiles({ [name]: content })] })

const lines = (...all: readonly string[]): string => `${all.join('\n')}\n`

describe('a document', () => {
  test('with the prices of shops in each product has a row for each, not for the best of them', async () => {
    const shops = (at: number) =>
      ['Acme', 'Bravo'].map((shop, index) => ({ shop, amount: at + index + 0.5, currency: 'EUR' }))
    const products = [1, 2, 3].map((at) => ({
      id: `p${at}`,
      name: `Oat drink ${at} l`,
      price: at + 0.5,
      prices: shops(at),
    }))
    const { mapping, rows } = await checked('shops.json', JSON.stringify({ updated: '2026-05-01', products }))
    expect(mapping!.price_observations).toMatchObject({
      json_path: 'products[].prices[]',
      columns: { price: 'amount', platform: 'shop', listing_id: 'id', product_name: 'name' },
    })
    expect(rows.map(({ values }) => [values.platform, values.price])).toEqual(
      [1, 2, 3].flatMap((at) => [
        ['acme', `${at}.50`],
        ['bravo', `${at + 1}.50`],
      ]),
    )
  })

  test('with a list of records where a shop could be has none', async () => {
    const products = [1, 2, 3].map((at) => ({ name: `Oat drink ${at} l`, price: at, stores: [{ at: 'Acme' }] }))
    const { groups } = await checked('stores.json', JSON.stringify(products))
    expect(groups[0]!.columns).toContainEqual({ column: 'platform', source: '?', reason: 'to be decided' })
  })

  test('with an amount for each name in what is called prices has a row for each', async () => {
    const content = '{"updated_at": "2026-05-03", "prices": {"pb95": 6.28, "pb98": 6.77, "on": 7.14, "lpg": 3.69}}'
    const { mapping, rows } = await checked('fuel.json', content)
    expect(mapping!.price_observations).toMatchObject({ json_path: 'prices.{product_name}' })
    expect(rows.map(({ values }) => [values.product_name, values.price])).toEqual([
      ['pb95', '6.28'],
      ['pb98', '6.77'],
      ['on', '7.14'],
      ['lpg', '3.69'],
    ])
  })

  test('with a byte order mark before each record is read', async () => {
    const record = (at: number) => `\uFEFF{"name": "Tea ${at}\uFEFF", "price": ${at}.5}`
    const content = (records: string) => [`[\n${records}\n]`, `{"items": [\n${records}\n]}`]
    for (const text of content([1, 2, 3].map(record).join(',\n'))) {
      const { files, rows } = await checked('bom.json', text)
      expect(files).toMatchObject([{ rows_read: 3, kept: 3 }])
      expect(rows[0]!.values).toMatchObject({ product_name: 'Tea 1\uFEFF', price: '1.50' })
    }
  })

  test.each([
    ['array.json', (records: string) => `[${records}]`],
    ['nested.json', (records: string) => `{"items": [${records}]}`],
  ])('with NaN for no number is read: %s', async (name, around) => {
    const record = (at: number) => `{"name": "Oat drink ${at} NaN", "price": ${at}.5, "old": NaN}`
    const { files, rows } = await checked(name, around([1, 2, 3].map(record).join(',')))
    expect(files).toMatchObject([{ rows_read: 3, kept: 3 }])
    expect(rows[0]!.values).toMatchObject({ product_name: 'Oat drink 1 NaN', price: '1.50' })
  })
})

test('lines may end in a carriage return alone', async () => {
  const content = ['name,price,date', 'Oat drink,1.19,2026-01-01', 'Rye bread,2.29,2026-01-01', ''].join('\r')
  const { mapping, files } = await checked('old.csv', content)
  expect(mapping!.price_observations).toMatchObject({ columns: { product_name: 'name', observed_at: 'date' } })
  expect(files).toMatchObject([{ rows_read: 2, kept: 2 }])
})

describe('years', () => {
  test('are the dates of products that have several of them, with a note', async () => {
    const rows = ['Oat drink 1 l', 'Rye bread'].flatMap((name, index) =>
      [2019, 2020, 2021].map((year) => `${year},${name},${index + 1}.${year % 100}`),
    )
    const { notes, rows: read } = await checked('a.csv', lines('year,product,price', ...rows))
    expect(read[0]!.values.observed_at).toBe('2019-01-01T00:00:00.000Z')
    expect(notes).toContain('observed_at: "year" has only years; the first day of each is used.')
  })

  test('are no dates of products that have one each', async () => {
    const rows = Array.from({ length: 20 }, (_, at) => `${2001 + at},Bordeaux number ${at},${10 + at}.90`)
    const { groups } = await checked('wines.csv', lines('year,product,price', ...rows))
    expect(groups[0]!.columns).toContainEqual({ column: 'observed_at', source: '?', reason: 'to be decided' })
  })

  test('are dates with the months of the rows where columns are called after them, below a title of prices', async () => {
    const months = ['ENERO', 'FEBRERO', 'MARZO', 'ABRIL'].map((month, at) => `${month},1${at}.11,1${at}.54,1${at}.36`)
    const content = lines('PRECIOS PROMEDIO,,,', 'MES/AÑO,2019,2020,2021', ...months)
    const { mapping, rows } = await checked('fuel.csv', content)
    expect(mapping!.price_observations!.unpivot).toMatchObject({ columns: ['2019', '2020', '2021'], value_to: 'price' })
    expect(rows.slice(0, 4).map(({ values }) => [values.observed_at, values.price])).toEqual([
      ['2019-01-01T00:00:00.000Z', '10.11'],
      ['2019-02-01T00:00:00.000Z', '11.11'],
      ['2019-03-01T00:00:00.000Z', '12.11'],
      ['2019-04-01T00:00:00.000Z', '13.11'],
    ])
  })
})

test.each([
  ['nosaukums;cena;cena ar atlaidi', 'cena ar atlaidi'],
  ['nazwa;cena;cena promocyjna', 'cena promocyjna'],
  ['nimi;hinta;hinta tarjous', 'hinta tarjous'],
  ['название;цена;цена со скидкой', 'цена со скидкой'],
])('a price with a reduction is that of sales: %s', async (header, sale) => {
  const rows = [1, 2, 3, 4].map((at) => `Oat drink ${at};${at},99;${at % 2 ? `${at},49` : ''}`)
  const { rows: read, mapping } = await checked('a.csv', lines(header, ...rows))
  expect(JSON.stringify(mapping!.price_observations!.columns!.price)).toContain(sale)
  expect(read.slice(0, 2).map(({ values }) => values.price)).toEqual(['1.49', '2.99'])
})

test('a currency that only some shops state is a question', async () => {
  const prices = ['Carrefour', 'Albert'].flatMap((shop) =>
    [1, 2, 3, 4].map((at) => `${shop},Oat drink ${at} l,${at}.50${shop === 'Albert' ? '' : ' TL'}`),
  )
  const { mapping, decisions, questions } = await checked('a.csv', lines('shop,product,price', ...prices))
  expect(mapping!.price_observations!.constants).toBeUndefined()
  expect(decisions.join('\n')).toContain('currency: prices have TL, but some shops have none with any price')
  expect(questions[0]).toMatchObject({ key: 'place', default: 'tr TRY' })
})

test('rows of the United States beside prices in euros are refused and counted, not the file', async () => {
  const countries = ['Germany', 'France', 'Spain', 'United States']
  const prices = Array.from({ length: 40 }, (_, at) => `${countries[at % 4]},Oat drink ${at} l,${at + 1}.50`)
  const { mapping, files, problems, notes } = await checked('a.csv', lines('country,product,price_eur', ...prices))
  expect(mapping!.price_observations).toMatchObject({ constants: { currency: 'EUR' }, max_quarantine: 0.3 })
  expect(files).toMatchObject([{ rows_read: 40, kept: 30 }])
  expect(problems).toEqual([])
  expect(notes.join('\n')).toContain('about 25 % of the rows are of the United States or Canada')
})

test('a workbook may have sheets of charts before its tables', async () => {
  const cell = (reference: string, text: string | number) =>
    typeof text === 'number'
      ? `<c r="${reference}"><v>${text}</v></c>`
      : `<c r="${reference}" t="inlineStr"><is><t>${text}</t></is></c>`
  const row = (at: number, name: string, price: string | number) =>
    `<row r="${at}">${cell(`A${at}`, name)}${cell(`B${at}`, price)}</row>`
  const rows = [row(1, 'Name', 'Price'), ...[2, 3, 4, 5].map((at) => row(at, `Oat drink ${at}`, at + 0.5))].join('')
  const sheet = (name: string, id: number) => `<sheet name="${name}" sheetId="${id}" r:id="rId${id}"/>`
  const link = (id: number, target: string) => `<Relationship Id="rId${id}" Target="${target}/sheet1.xml"/>`
  const content = zipSync({
    'xl/workbook.xml': strToU8(`<workbook><sheets>${sheet('Chart', 1)}${sheet('Data', 2)}</sheets></workbook>`),
    'xl/_rels/workbook.xml.rels': strToU8(
      `<Relationships>${link(1, 'chartsheets')}${link(2, 'worksheets')}</Relationships>`,
    ),
    'xl/chartsheets/sheet1.xml': strToU8('<chartsheet></chartsheet>'),
    'xl/worksheets/sheet1.xml': strToU8(`<worksheet><sheetData>${rows}</sheetData></worksheet>`),
  })
  const { mapping, files } = await checked('charts.xlsx', content)
  expect(mapping!.price_observations).toMatchObject({ columns: { product_name: 'Name' } })
  expect(files).toMatchObject([{ rows_read: 4, kept: 4 }])
})
