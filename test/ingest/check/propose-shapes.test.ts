import { gzipSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, describe, expect, test } from 'vitest'
import { check } from '../../../ingest/check/check.ts'
import type { SampledFile } from '../../../ingest/check/read/sample.ts'
import { givenFiles } from '../feeds.ts'
import { proposeChecked } from './proposed.ts'
import { table } from './sampled.ts'

const instance = await DuckDBInstance.create(':memory:')
const connection = await instance.connect()

afterAll(() => {
  connection.closeSync()
  instance.closeSync()
})

const proposed = async (...files: SampledFile[]) => (await proposeChecked(connection, files)).mapping.price_observations

const lines = (...rows: string[]): string => `${rows.join('\n')}\n`

describe('prices of series', () => {
  test('have the date that columns of years and months make, in any language', async () => {
    const file = table('a.csv', ['año', 'mes', 'producto', 'precio', 'retrieved_at'], (at) => [
      ...[`${1985 + (at >> 2)}`, `${1 + (at % 4)}`, 'Urea', `${40 + at}.25`, '2026-05-30'],
    ])
    expect(await proposed(file)).toMatchObject({
      columns: { observed_at: { sql: `concat("mes", '.', "año")` } },
      timestamp_format: ['%m.%Y', '%Y-%m-%d'],
    })
    const daily = table('a.csv', ['year', 'month', 'day', 'item', 'price'], (at) => [
      ...['2025', 'march', `${1 + (at % 30)}`, `Tea ${at}`, `${4 + (at % 9)}.99`],
    ])
    expect((await proposed(daily))!.timestamp_format).toBe('%d.%B.%Y')
  })

  test('have a date of their own where it says more than its year and month', async () => {
    const file = table('a.csv', ['date', 'year', 'month', 'item', 'price'], (at) => [
      ...[`2025-03-${10 + (at % 20)}`, '2025', '3', `Tea ${at}`, `${4 + (at % 9)}.99`],
    ])
    expect(await proposed(file)).toMatchObject({ columns: { observed_at: 'date' } })
  })

  test('are averages of regions, without products', async () => {
    const file = table('avocado.csv', ['Date', 'AveragePrice', 'Total Volume', 'region'], (at) => [
      ...[`2015-12-${10 + (at % 20)}`, `1.${10 + at}`, `${64236 + 97 * at}.62`, at % 2 ? 'Albany' : 'Boise'],
    ])
    expect(await proposed(file)).toMatchObject({ columns: { price: 'AveragePrice', observed_at: 'Date' } })
  })

  test('are those of a unit where there are no others', async () => {
    const file = table('a.csv', ['date', 'product', 'price_local_per_t', 'currency'], (at) => [
      ...[`2025-03-${10 + (at % 20)}`, `Urea ${at}`, `${420 + at}.5`, 'KES'],
    ])
    expect(await proposed(file)).toMatchObject({ columns: { price: 'price_local_per_t' } })
  })
})

describe('columns of amounts', () => {
  test('are no shops where they are bounds, months or a list price', async () => {
    const named = (...names: string[]) =>
      table('prices.csv', ['name', ...names], (at) => [
        `Tea ${at}`,
        ...names.map((_, place) => `${3 + place}.${10 + at}`),
      ])
    expect(await proposed(named('Typical_USD', 'Minimum_USD', 'Maximum_USD'))).not.toHaveProperty('unpivot')
    expect(await proposed(named('campaignTurnkeyPrice', 'turnkeyListPrice'))).not.toHaveProperty('unpivot')
  })

  test('are prices without a header if they are whole and end as prices do', async () => {
    const row = (at: number) => [`Shop ${at}`, `2025-03-01 10:${10 + (at % 50)}:00`, `Tea in a box of ${at}`]
    const file = (amount: (at: number) => number) => ({
      ...table('a.csv', ['column1', 'column2', 'column3', 'column4', 'column5'], (at) => [
        ...row(at),
        `${amount(at)}`,
        `https://shop.example/p/${at}`,
      ]),
      options: { header: false } as const,
    })
    expect(await proposed(file((at) => 100 + 10 * at + (at % 2 ? 9 : 0)))).toMatchObject({
      columns: { price: 'column4' },
    })
    expect((await proposed(file((at) => 101 + 7 * at)))?.columns?.price).toBeUndefined()
  })
})

describe('the retailer', () => {
  test('is suggested by a name of product codes that it alone has', async () => {
    const file = table('a.csv', ['asin', 'title', 'price'], (at) => [
      `B00${1000 + at}`,
      `Tea ${at}`,
      `${4 + (at % 9)}.99`,
    ])
    const { groups } = await proposeChecked(connection, [file])
    expect(groups[0]!.stand_ins).toContainEqual({ column: 'platform', value: 'amazon', isSuggested: true })
  })

  test('is the vendor beside a brand', async () => {
    const file = table(
      'a.csv',
      ['name', 'vendor', 'brand', 'price', 'currency'],
      (at) => [
        ...[`Processor ${at}`, at % 3 ? 'elitehubs' : 'mdcomputers', at % 2 ? 'AMD' : 'Intel', `${100 + at}.5`, 'INR'],
      ],
      120,
    )
    expect(await proposed(file)).toMatchObject({ columns: { platform: 'vendor' } })
  })
})

describe('files', () => {
  test('have a row of tags below their header, which is a part of it', async () => {
    const root = await givenFiles({
      'food.csv': lines(
        'date,admin1,market,commodity,price,currency',
        '#date,#adm1+name,#loc+market+name,#item+name,#value,#currency',
        ...Array.from(
          { length: 30 },
          (_, at) => `2024-01-${10 + (at % 20)},Sindh,Karachi,Wheat ${at},${20 + at}.5,PKR`,
        ),
      ),
    })
    const { files, mapping, groups } = await check({ paths: [root] })
    expect(files[0]).toMatchObject({ lines: 32, header_lines: 2, rows_read: 30, kept: 30 })
    expect(mapping?.price_observations).toMatchObject({ header: 2 })
    expect(groups[0]!.columns.find(({ column }) => column === 'product_name')?.source).toBe('commodity #item+name')
  })

  test('have a title in one cell above columns without names', async () => {
    const rows = Array.from({ length: 30 }, (_, at) => `Layout of page ${at} in a browser,${400 + 50 * at}`)
    const { mapping } = await check({ paths: [await givenFiles({ 'prices.csv': lines('Work on a site,', ...rows) })] })
    expect(mapping?.price_observations).toMatchObject({ columns: { product_name: 'column1', price: 'column2' } })
  })

  test('have numbers among the names of their columns', async () => {
    const names = 'Date,AveragePrice,Total Volume,4046,4225,Total Bags,Small Bags,Large Bags,region'
    const rows = Array.from(
      { length: 30 },
      (_, at) => `2015-12-${1 + at},1.${10 + at},64236,1036,5445,48,8696,8603,Albany`,
    )
    const { mapping } = await check({ paths: [await givenFiles({ 'a.csv': lines(names, ...rows) })] })
    expect(mapping?.price_observations).toMatchObject({ columns: { price: 'AveragePrice' } })
  })

  test('are read as XML if compressed, also under the names that the law of Israel has', async () => {
    const items = Array.from(
      { length: 5 },
      (_, at) =>
        `<Item><PriceUpdateDate>2024-05-16 22:25</PriceUpdateDate><ItemCode>${7290000042640 + at}</ItemCode><ItemName>Milk ${at}</ItemName><ItemPrice>${3 + at}.90</ItemPrice></Item>`,
    )
    const xml = gzipSync(
      `<Root><ChainId>7290876100000</ChainId><StoreId>3</StoreId><Items>${items.join('')}</Items></Root>`,
    )
    for (const name of ['PriceFull7290876100000-003-202410070010.gz', 'prices.xml.gz']) {
      const { groups, unread } = await check({ paths: [await givenFiles({ [name]: xml })] })
      expect(unread).toEqual([])
      expect(groups[0]!.columns.find(({ column }) => column === 'price')?.source).toBe('ItemPrice')
    }
  })

  test('have members for regions inside dated records', async () => {
    const cantons = (at: number) => ({
      BL: { diesel: 1.816 + at / 100, benzin: 1.667 + at / 100 },
      AG: { diesel: 1.792, benzin: 1.647 },
    })
    const entries = Array.from({ length: 9 }, (_, at) => ({
      date: `2026-03-0${1 + at}`,
      source: 'tcs',
      cantons: cantons(at),
    }))
    const { mapping } = await check({
      paths: [await givenFiles({ 'price-history.json': JSON.stringify({ entries }) })],
    })
    expect(mapping?.price_observations).toMatchObject({
      json_path: 'entries[].cantons.{canton}',
      unpivot: { columns: ['diesel', 'benzin'], name_to: 'product_name' },
    })
  })
})

describe('prices of fuels', () => {
  const dated = (names: readonly string[], path = 'weekly.csv') =>
    table(path, ['date', ...names], (at) => [
      `2025-03-${10 + (at % 20)}`,
      ...names.map((_, place) => `${4 + place}.${100 + 7 * at}`),
    ])

  test('have a column of each fuel, whatever the file is called', async () => {
    expect((await proposed(dated(['PB95', 'Diesel'])))!.unpivot).toEqual({
      columns: ['PB95', 'Diesel'],
      name_to: 'product_name',
      value_to: 'price',
    })
  })

  test('are rates by a unit of the currency, one or several', async () => {
    const names = ['gasoline_usd_per_liter', 'diesel_usd_per_liter']
    expect((await proposed(dated([...names, 'avg_income_usd'])))!.unpivot?.columns).toEqual(names)
    expect(await proposed(dated(['gasoline_usd_per_liter', 'crude_usd_bbl']))).toMatchObject({
      columns: { price: 'gasoline_usd_per_liter' },
    })
  })

  test('are within one word of Japanese', async () => {
    const file = table('fuel.csv', ['店舗名', '更新日', 'レギュラー単価', '軽油単価'], (at) => [
      ...[`広島${at}号店`, `2026/06/${10 + (at % 20)}`, `${150 + (at % 9)}`, `${140 + (at % 9)}`],
    ])
    expect((await proposed(file))!.unpivot?.columns).toEqual(['レギュラー単価', '軽油単価'])
  })
})

describe('the signs of a price', () => {
  test('may end in a dot', async () => {
    const file = (sign: string) =>
      table('a.csv', ['name', 'price'], (at) => [`Tea ${at}`, `${sign} ${1 + at},${900 + (at % 90)}`])
    expect(await proposed(file('Rs.'))).toMatchObject({ price_text: true, constants: { currency: 'INR' } })
    expect(await proposed(file('S/.'))).toMatchObject({ columns: { price: { sql: expect.any(String) } } })
  })

  test('do not make a header of the first row', async () => {
    const rows = Array.from({ length: 30 }, (_, at) => `Laptop HP with ${at} ports,S/.  ${1000 + 7 * at}`)
    const { mapping, files } = await check({ paths: [await givenFiles({ 'a.csv': lines(...rows) })] })
    expect(mapping?.price_observations).toMatchObject({ header: false, columns: { product_name: 'column1' } })
    expect(files[0]).toMatchObject({ kept: 30 })
  })
})

test('dates that name most columns are those of prices, beside one without a date', async () => {
  const dates = ['05/27/2022', '06/01/2022', '06/14/2022', '07/03/2022']
  const file = table('iphone_prices.csv', ['Name', 'Prize', ...dates], (at) => [
    ...[`iPhone ${at}`, ...Array.from({ length: 5 }, () => `${299000 + 10 * at}`)],
  ])
  expect((await proposed(file))!.unpivot).toEqual({ columns: dates, name_to: 'observed_at', value_to: 'price' })
})

test('a log of one price has none but its time beside it', async () => {
  const rows = Array.from({ length: 30 }, (_, at) => `18${10 + at}.34,15.06.2022 19:${10 + at}`)
  const { mapping } = await check({ paths: [await givenFiles({ 'gold_price.csv': lines(...rows) })] })
  expect(mapping?.price_observations).toMatchObject({ columns: { price: 'column1', observed_at: 'column2' } })
})
