import { expect, test } from 'vitest'
import { proposeMapping } from '../../../ingest/check/propose/propose.ts'
import { sampleDocument } from '../../../ingest/check/read/records.ts'
import { sniff } from '../../../ingest/check/read/sniff.ts'
import { table } from './sampled.ts'

const proposed = (names: readonly string[], row: (at: number) => readonly string[]) =>
  proposeMapping([table('a.csv', names, row)]).mapping

test.each(['руб.', '€ без ПДВ'])('%s is a price', (name) => {
  const mapping = proposed(['Артикул', 'Номенклатура', name], (at) => [`A-${at}`, `Насос ${at}`, `${100 + at}.50`])
  expect(mapping.price_observations!.columns).toMatchObject({ price: name })
})

test.each(['Price/kg', 'Rs./kg', 'Harga (Rp/Kg)', 'Price (NPR)', 'Modal Price (Rs./Quintal)', 'Narxi', 'ფასი'])(
  '%s is a price where no other column has one',
  (name) => {
    const mapping = proposed(['Date', 'Item', name], (at) => [
      ...[`2026-03-${10 + (at % 18)}`, `Onion ${at % 9}`, `${40 + (at % 7)}.50`],
    ])
    expect(mapping.price_observations).toMatchObject({ columns: { price: name } })
  },
)

test('a price in a currency by its name is not that of a unit, and its size tells products apart', () => {
  const mapping = proposed(['Name', 'Nett Weight', 'Price (SGD)', 'Price per 100g'], (at) => [
    ...[`Milk powder ${at % 20}`, `${[400, 850, 900][Math.floor(at / 20)]}g`, `${20 + at}.90`, `${2 + (at % 9)}.35`],
  ])
  expect(mapping.price_observations).toMatchObject({
    columns: { price: 'Price (SGD)', unit_price: 'Price per 100g' },
    listing_id_from: ['Name', 'Nett Weight'],
    constants: { currency: 'SGD' },
  })
})

test('numbered competitors are no shops', () => {
  const names = ['Product', 'Sku', 'Acme_Prezzo', 'Comp_rank_1', 'Comp_1_Prezzo', 'Comp_rank_2', 'Comp_2_Prezzo']
  const mapping = proposed(names, (at) => [
    ...[`Sapone ${at}`, `S${at}`, `€ ${10 + at},90`, 'Amazon', `€ ${9 + at},95`, 'Redcare', `€ ${10 + at},20`],
  ])
  expect(mapping.price_observations).toMatchObject({ columns: { price: 'Acme_Prezzo' } })
})

test('several prices below the regular one are for larger orders', () => {
  const names = ['name', 'retail price', 'sale price from 10', 'sale price from 100']
  const mapping = proposed(names, (at) => [`Grille ${at}`, `${200 + at}`, `${180 + at}`, `${150 + at}`])
  expect(mapping.price_observations!.columns).toMatchObject({ price: 'retail price' })
})

test('a column of weights, discounts and prices in a table whose header lacks a field is a price by its name', () => {
  const rows = Array.from({ length: 30 }, (_, at) => `Gioco ${at}\t0,${10 + at}\t${18 + at},90\t${24 + at},58\tEU\t`)
  const text = ['Titolo\tPeso\tPrezzo\tListino\tIva', ...rows].join('\n')
  const { options, columns } = sniff('listino.csv', Buffer.from(`${text}\n`), true)
  const { mapping } = proposeMapping([{ path: 'listino.csv', format: 'csv', options, columns }])
  expect(mapping.price_observations).toMatchObject({ columns: { price: 'column3', list_price: 'column4' } })
  expect(mapping.price_observations).not.toHaveProperty('unpivot')
})

test('products with barcodes and without prices are a catalogue', () => {
  const mapping = proposed(['barcode', 'brand', 'name'], (at) => [
    ...[['9008700124195', '9008700145268', '9008700232043'][at % 3]!, 'Bravo', `Nektar ${at}`],
  ])
  expect(mapping.product_catalogue!.columns).toMatchObject({ gtin: 'barcode', product_name: 'name' })
})

test('records change at the time of their update', () => {
  const time = (day: number) => `2026-05-${10 + (day % 9)}T10:00:00Z`
  const mapping = proposed(['title', 'price', 'created_at', 'updated_at'], (at) => [
    ...[`Scarf ${at}`, `${10 + at}.50`, time(at), time(at + 3)],
  ])
  expect(mapping.price_observations!.columns).toMatchObject({ observed_at: 'updated_at' })
})

test('a header of sentences is one', () => {
  const side = 'Высота,Длина,Розничная цена за единицу товара,'
  const rows = Array.from({ length: 20 }, (_, at) => `${100 + at},200,${2345 + at},,${100 + at},300,${3345 + at},`)
  const { columns } = sniff('a.csv', Buffer.from(`${[`${side},${side}`, ...rows].join('\n')}\n`), true)
  expect(columns[2]!.name).toBe('Розничная цена за единицу товара')
})

const products = <T>(of: (at: number) => T): T[] => Array.from({ length: 20 }, (_, at) => of(at))

test('a note beside many records does not hide them, and their key says more than the number of their model', () => {
  const records = products((at) => [`Laptop ${at} of 2026`, { model_id: `A${2000 + at}`, base_price: 300 + at }])
  const document = { ...Object.fromEntries(records), _note: 'base prices' }
  expect(sampleDocument(document, 'a.json')!.path).toBe('{product_name}')
})

test.each([
  ['platform', { mehilainen: { price: 96, unit: 'visit' }, aava: { price: 99, unit: 'visit' } }],
  ['currency', { EUR: { price: 96, net: 80 }, USD: { price: 103, net: 86 } }],
])('what products have prices by is their %s', (column, prices) => {
  const services = products((at) => ({ id: `s${at}`, name: `Service ${at}`, prices }))
  expect(sampleDocument({ services }, 'a.json')!.path).toBe(`services[].prices.{${column}}`)
})

test('prices under names in dated records are of products', () => {
  const quotes = products((at) => ({
    fecha: `2026-02-${10 + (at % 9)}`,
    precios: { comuna: 5.55, marcona: 7.3, guara: 5 },
  }))
  const { path, columns } = sampleDocument({ lonja: { quotes } }, 'a.json')!
  expect(path).toBe('lonja.quotes[].precios.{product_name}')
  expect(columns).toContainEqual(expect.objectContaining({ name: 'value', alias: 'price' }))
})

test('prices of markets, whose currencies differ, are not of shops, and the year of a model is no date', () => {
  const mapping = proposed(['Model', 'Year', 'UKPrice', 'USPrice', 'EUPrice'], (at) => [
    ...[`Castle ${at}`, `${2010 + (at % 9)}`, `${40 + at}.99`, `${50 + at}.99`, `${45 + at}.99`],
  ])
  expect(mapping.price_observations).toMatchObject({ columns: { price: 'USPrice', product_name: 'Model' } })
  expect(mapping.price_observations).not.toHaveProperty('unpivot')
  expect(mapping.price_observations!.columns).not.toHaveProperty('observed_at')
})

test('shops with a product and a price each have their own products', () => {
  const names = ['A101 Ürün', 'A101 Fiyat', 'Acme Ürün', 'Acme Fiyat']
  const mapping = proposed(names, (at) => [`Süt ${at}`, `${20 + at},95`, `Tam yağlı süt ${at}`, `${22 + at},50`])
  const sql = `CASE "platform" WHEN 'A101 Fiyat' THEN "A101 Ürün" WHEN 'Acme Fiyat' THEN "Acme Ürün" END`
  expect(mapping.price_observations).toMatchObject({
    unpivot: { columns: ['A101 Fiyat', 'Acme Fiyat'], name_to: 'platform' },
    columns: { product_name: { sql } },
  })
})

test('the only texts are no titles if they are months', () => {
  const mapping = proposed(['Date', 'Month', 'Price'], (at) => [
    `2026-0${1 + (at % 6)}-${10 + (at % 18)}`,
    'June',
    `${at}.50`,
  ])
  expect(mapping.price_observations!.columns ?? {}).not.toHaveProperty('product_name')
})

test('the only texts are titles, which other months repeat', () => {
  const mapping = proposed(['Chip', 'Price', 'Sold', 'Month'], (at) => [
    ...[
      `Model ${at % 20}`,
      `$1,${100 + at}`,
      `${at * 7}`,
      ['April 2026', 'May 2026', 'June 2026'][Math.floor(at / 20)]!,
    ],
  ])
  expect(mapping.price_observations).toMatchObject({ columns: { product_name: 'Chip', observed_at: 'Month' } })
  // With this sign three digits after a comma are thousands.
  expect(mapping.price_observations).not.toHaveProperty('decimal_comma')
})

test('dates with spaces inside name columns of prices', () => {
  const text = ['No,Komoditas (Rp),03/ 01/ 2026,04/ 01/ 2026,05/ 01/ 2026']
  for (let at = 1; at < 12; at += 1) text.push(`${at},Beras ${at},"1${at},500","1${at},550","1${at},600"`)
  const { options, columns } = sniff('harga.csv', Buffer.from(text.join('\n')), true)
  const { mapping } = proposeMapping([{ path: 'harga.csv', format: 'csv', options, columns }])
  expect(mapping.price_observations).toMatchObject({
    unpivot: { name_to: 'observed_at' },
    timestamp_format: '%d/ %m/ %Y',
  })
})
