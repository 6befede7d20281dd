import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, describe, expect, test } from 'vitest'
import { check } from '../../../ingest/check/check.ts'
import { sampleDocument } from '../../../ingest/check/read/records.ts'
import type { SampledFile } from '../../../ingest/check/read/sample.ts'
import { sniff } from '../../../ingest/check/read/sniff.ts'
import { givenFiles } from '../feeds.ts'
import { proposeChecked } from './proposed.ts'
import { table } from './sampled.ts'

const instance = await DuckDBInstance.create(':memory:')
const connection = await instance.connect()

afterAll(() => {
  connection.closeSync()
  instance.closeSync()
})

const proposed = async (...files: SampledFile[]) => {
  const { mapping, groups } = await proposeChecked(connection, files)
  return { ...mapping.price_observations!, stand_ins: groups[0]!.stand_ins }
}

describe('the listing of a row', () => {
  test('is of its variant where rows of one name have several', async () => {
    const names = ['date', 'market', 'commodity', 'grade', 'price']
    const file = table('a.csv', names, (at) => [
      ...[`2026-01-${10 + (at >> 1)}`, 'Agra', 'Potato', at % 2 ? 'local' : 'export', `${900 + at}`],
    ])
    expect((await proposed(file)).listing_id_from).toEqual(['commodity', 'grade'])
  })

  test('is of the year of its model', async () => {
    const file = table('a.csv', ['marca', 'modelo', 'anio', 'precio'], (at) => [
      ...['Toyota', `Corolla ${at >> 2}`, `${2010 + (at % 4)}`, `${9000 + 10 * at}`],
    ])
    expect((await proposed(file)).listing_id_from).toEqual(['modelo', 'anio'])
  })

  test('is of its name alone where that tells rows apart, whatever their category', async () => {
    const names = ['product_category', 'description', 'price']
    const file = table('a.csv', names, (at) => [at % 2 ? 'watch' : 'phone', `Phone or watch ${at}`, `${100 + at}`])
    expect((await proposed(file)).listing_id_from).toEqual(['description'])
  })
})

describe('the country of prices', () => {
  const open = async (file: SampledFile) => (await proposed(file)).stand_ins.find(({ column }) => column === 'country')

  test('is one of many where a language or a sign fits others, and is not where one fits', async () => {
    const named = (name: string, sign = '', after = '') =>
      table('a.csv', ['sku', name], (at) => [`A${at}`, `${sign}${10 + at}.50${after}`])
    expect(await open(named('precio'))).toMatchObject({ value: 'es', isOneOfMany: true })
    expect(await open(named('price', '$'))).toMatchObject({ value: 'us', isOneOfMany: true })
    expect(await open(named('price', 'USD '))).toEqual({ column: 'country', value: 'us', isSuggested: true })
    expect((await open(named('cena', '', ' zł')))!).toEqual({ column: 'country', value: 'pl', isSuggested: true })
  })

  test('has decimal commas where prices with $ have them', async () => {
    const file = table('a.csv', ['sku', 'price'], (at) => [`A${at}`, `$1.${100 + at},50`])
    expect(await open(file)).toMatchObject({ value: 'ar' })
  })

  test('gives the currency where a column has it', async () => {
    const file = table('a.csv', ['sku', 'pais', 'precio', 'fecha'], (at) => [
      ...[`A${at}`, at % 2 ? 'república checa' : 'alemania', `${10 + at}.50`, '2026-01-10'],
    ])
    expect(await proposed(file)).toMatchObject({
      columns: { country: 'pais', currency: 'pais' },
      values: {
        country: { 'república checa': 'cz', alemania: 'de' },
        currency: { 'república checa': 'CZK', alemania: 'EUR' },
      },
    })
  })
})

test('a shop is named in every row, and a launch date is no date of prices', async () => {
  const file = table('a.csv', ['title', 'chain length', 'fecha de lanzamiento', 'price'], (at) => [
    ...[`Saw ${at}`, at % 4 ? `${at % 3} inches` : '', `20${10 + (at % 9)}-05-17`, `${10 + at}.50`],
  ])
  const { columns } = await proposed(file)
  expect(columns).not.toHaveProperty('platform')
  expect(columns).not.toHaveProperty('observed_at')
})

test('no discount is no promotion', async () => {
  const file = table('a.csv', ['title', 'price', 'discount'], (at) => [
    ...[`Mug ${at}`, `${10 + at}.50`, at % 3 ? 'No discount' : 'special deal'],
  ])
  expect((await proposed(file)).columns!.promo_flag).toEqual({
    sql: expect.stringMatching(/^CASE WHEN .*\^\(no\|.* THEN 'false' WHEN .* THEN 'true' END$/),
  })
})

test.each<[encoding: string, bytes: string]>([
  // 네이처하이크 빌리지
  ['euc-kr', '\xb3\xd7\xc0\xcc\xc3\xb3\xc7\xcf\xc0\xcc\xc5\xa9 \xba\xf4\xb8\xae\xc1\xf6'],
  // ข้าวหอมมะลิ
  ['windows-874', '\xa2\xe9\xd2\xc7\xcb\xcd\xc1\xc1\xd0\xc5\xd4'],
])('letters of titles show the encoding %s', (encoding, title) => {
  const text = `NAME,PRICE\n${Array.from({ length: 9 }, (_, at) => `${title} ${at},${1000 + at}`).join('\n')}\n`
  expect(sniff('prices.csv', Buffer.from(text, 'latin1'), true)).toMatchObject({ encoding })
})

test('a total beside the histories of products does not hide them', () => {
  const history = (at: number) => [{ price: 1 + at, timestamp: `2026-03-06T22:${10 + at}:03Z` }]
  const products = Array.from({ length: 20 }, (_, at) => [`Knife | No ${at}`, { current: {}, history: history(at) }])
  const document = { ...Object.fromEntries(products), total: { history: [{ value: 9, timestamp: '2026-03-06' }] } }
  expect(sampleDocument(document, 'a.json')!.path).toBe('{product_name}.history[]')
})

test('an element of XML with a text and attributes is a record', async () => {
  const place = (at: number) =>
    `<place place_id="${at}"><gas_price type="regular">2${at}.19</gas_price><gas_price type="diesel">3${at}.5</gas_price></place>`
  const content = `<places>${Array.from({ length: 9 }, (_, at) => place(at)).join('')}</places>`
  const { mapping, files } = await check({ paths: [await givenFiles({ 'prices.xml': content })] })
  expect(mapping!.price_observations).toMatchObject({
    record: 'places.place.gas_price',
    columns: { price: 'gas_price' },
  })
  expect(files).toMatchObject([{ rows_read: 18, kept: 18 }])
})

test('shops of any script have keys as columns, and a header may end in digits', async () => {
  const days = (base: number) =>
    Array.from({ length: 9 }, (_, at) => ({ date: `2026-05-${10 + at}`, ルデヤ: base + at, 森森: base - at }))
  const content = JSON.stringify({ 'iPhone 17|256GB': days(196_950), 'iPhone 16|128GB': days(120_400) })
  const shops = await check({ paths: [await givenFiles({ 'history.json': content })] })
  expect(shops.files).toMatchObject([{ rows_read: 36, kept: 36 }])
  const months = Array.from(
    { length: 30 },
    (_, at) => `${at},CLINICA SAN FELIPE,ACTEMRA ${at} mg,${at}.41,0.${50 + at},2.${30 + at}`,
  )
  const wide = await check({
    paths: [
      await givenFiles({ 'precios.csv': `,NOMBRE IPRESS,PRODUCTO/SERVICIO,ENE21,FEB21,MAR21\n${months.join('\n')}\n` }),
    ],
  })
  expect(wide.mapping!.price_observations!.unpivot).toMatchObject({ columns: ['ENE21', 'FEB21', 'MAR21'] })
})

test('the times of rows say more than the time of a document, and a country is no shop', async () => {
  const file = table('a.csv', ['generated_at', 'market', 'site', 'sku', 'price', 'scraped_at'], (at) => [
    ...['2026-08-22T03:46:05Z', 'FR', 'Acme.fr', `A${at}`, `${10 + at}.50`, `2026-08-22T03:${10 + (at % 30)}:11Z`],
  ])
  expect((await proposed(file)).columns).toMatchObject({
    observed_at: 'scraped_at',
    platform: { sql: expect.stringContaining('site') },
  })
})

test('one country for each product is where products are from, as is that of a manufacturer', async () => {
  const lands = 'ニカラグア デンマーク ドイツ トルコ キューバ スイス メキシコ ブラジル'.split(' ')
  const tobacco = table('a.csv', ['名前', 'country', '価格'], (at) => [
    ...[`シガー ${at}`, lands[at % lands.length]!, `${900 + at}`],
  ])
  const { columns, stand_ins } = await proposed(tobacco)
  expect(columns).not.toHaveProperty('country')
  expect(stand_ins).toContainEqual(expect.objectContaining({ column: 'country', value: 'jp' }))
  const names = ['Название_позиции', 'Цена', 'Валюта', 'Страна_производитель', 'Ссылка_изображения', 'Продукт_на_сайте']
  const cosmetics = table('a.csv', names, (at) => [
    ...[`Тушь ${at}`, `${200 + at}`, 'UAH', at % 2 ? 'Италия' : 'Франция'],
    ...[`https://cdn.acme.com.ua/media/${at}.jpeg?w=300`, `https://acme.com.ua/ru/tush-${at}`],
  ])
  const read = await proposed(cosmetics)
  expect(read.columns).toMatchObject({ url: 'Продукт_на_сайте' })
  expect(read.columns).not.toHaveProperty('country')
})

test('many countries with the same products are markets', async () => {
  const markets = 'al ad be bg hr cz dk ee'.split(' ')
  const file = table('a.csv', ['country', 'product', 'price_eur', 'date'], (at) => [
    ...[markets[at % 8]!, (at >> 3) % 2 ? 'diesel' : 'gasoline', `1.${300 + at}`, `2026-02-${10 + (at >> 4)}`],
  ])
  expect((await proposed(file)).stand_ins).not.toContainEqual(expect.objectContaining({ column: 'country' }))
})

test('months are of the language that has all of them, and whole tables of counts beside a total price are not prices', async () => {
  const months = 'May August November December'.split(' ')
  const dated = table('a.csv', ['product', 'price', 'date'], (at) => [
    ...[`Maize ${at}`, `${1000 + at}`, `${String(1 + (at % 28)).padStart(2, '0')}th ${months[at % 4]}, 2021`],
  ])
  const { columns } = await proposed(dated)
  expect(JSON.stringify(columns!.observed_at)).toContain('august')
  const flats = table('a.csv', ['id', 'size', 'built', 'rooms', 'storey', 'total price (Toman)'], (at) => [
    ...[`AZ${at}`, `${50 + at}`, `${1380 + (at % 20)}`, `${1 + (at % 4)}`, `${at % 9}`, `${17 + at},000,000`],
  ])
  const { mapping } = await proposeChecked(connection, [flats])
  expect(mapping.price_observations?.unpivot).toBeUndefined()
})

test('one text among old prices is what a missing one is called', async () => {
  const file = table('a.csv', ['name', 'price', 'old_price'], (at) => [
    ...[`Лук ${at}`, `${12 + at}.10`, at % 4 ? 'Отсутствует' : `${15 + at}.99`],
  ])
  const { columns } = await proposed(file)
  expect(columns).toMatchObject({ list_price: 'old_price' })
  expect(columns).not.toHaveProperty('availability')
})

test('a list in a list with an amount for each fuel has a row for each, in the currency of their names', async () => {
  const places = ['Albania', 'The Netherlands', 'Bosnia and Herzegovina']
  const countries = (day: number) =>
    places.map((country, at) => ({ country, gasoline95_eur: 1.801 + at, diesel_eur: 1.7 + day / 100, lpg_eur: 0.594 }))
  const series = Array.from({ length: 9 }, (_, day) => ({ as_of: `2026-02-1${day}`, countries: countries(day) }))
  const content = JSON.stringify({ region: 'Europe', series })
  const { mapping, files } = await check({ paths: [await givenFiles({ 'history.json': content })] })
  expect(mapping!.price_observations).toMatchObject({
    json_path: 'series[].countries[]',
    unpivot: { columns: ['gasoline95_eur', 'diesel_eur', 'lpg_eur'], name_to: 'product_name' },
    constants: { currency: 'EUR' },
    decimals: 3,
  })
  expect(files).toMatchObject([{ rows_read: 81, kept: 81 }])
})

test('months of a second language are read beside those of the first', async () => {
  const file = table('a.csv', ['product', 'price', 'date'], (at) => [
    ...[`Maize ${at}`, `${1000 + at}`, `${10 + (at % 9)}th ${at % 5 ? 'March' : 'Machi'}, 2021`],
  ])
  const { columns } = await proposed(file)
  expect(JSON.stringify(columns!.observed_at)).toMatch(/'march'.*'machi'|'machi'.*'march'/)
})

test.each<[maker: string, shops: string, platform: string | undefined]>([
  ['company', 'each page is of one', undefined],
  ['company', 'each page has several', 'company'],
  ['store', 'each page is of one', 'store'],
])('a column %s is a brand only where all pages are of one site and %s', async (maker, shops, platform) => {
  const file = table('a.csv', ['links', maker, 'price'], (at) => [
    ...[
      `https://www.acme.com/dkp-${shops.endsWith('one') ? at : at >> 1}`,
      ['lenovo', 'msi', 'asus'][at % 3]!,
      `${900 + at}.50`,
    ],
  ])
  const { columns } = await proposed(file)
  expect(columns!.platform).toBe(platform)
  expect(columns!.brand).toBe(platform === undefined ? maker : undefined)
})
