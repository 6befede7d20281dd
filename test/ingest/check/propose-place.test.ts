import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, describe, expect, test } from 'vitest'
import type { SampledFile } from '../../../ingest/check/read/sample.ts'
import { proposeChecked } from './proposed.ts'
import { table } from './sampled.ts'

const instance = await DuckDBInstance.create(':memory:')
const connection = await instance.connect()

afterAll(() => {
  connection.closeSync()
  instance.closeSync()
})

const proposed = (...files: SampledFile[]) => proposeChecked(connection, files)

describe('the proposed mapping', () => {
  test.each([
    ['قیمت', 'ir', 'Asia/Tehran'],
    ['precio', 'es', 'Europe/Madrid'],
  ])('has a likely country and its main time zone: %s', async (price, country, zone) => {
    const file = table('a.csv', ['sku', price, 'timestamp'], (at) => [`A${at}`, `${100 + at}`, '2026-06-19 17:25:23'])
    const { groups, decisions } = await proposed(file)
    expect(groups[0]!.stand_ins).toContainEqual(expect.objectContaining({ column: 'country', value: country }))
    expect(decisions).toContainEqual(expect.stringContaining(`add "timezone": "${zone}"`))
  })

  test.each([
    ['Baby Bodies mit Schlupfkragen', 'de'],
    ['Chaussettes pour bébé', 'fr'],
    ['Queso sin lactosa', 'es'],
    ['Leite com chocolate', 'br'],
    ['Melk zonder suiker', 'nl'],
  ])('is of the country whose small words the texts have: %s', async (title, country) => {
    const file = table('a.csv', ['sku', 'title', 'price'], (at) => [`A${at}`, `${title} ${at}`, `${100 + at}.00`])
    const { groups } = await proposed(file)
    expect(groups[0]!.stand_ins).toContainEqual(expect.objectContaining({ column: 'country', value: country }))
  })

  test('takes no country of origin that half of the rows lack, and reads names of currencies', async () => {
    const names = ['Ид', 'Наименование', 'Страна', 'ЦенаЗаЕдиницу', 'Валюта']
    const file = table('a.csv', names, (at) => [
      ...[`A${at}`, `Чай ${at}`, at % 2 ? '' : 'Китай', `${100 + at}.00`, 'руб'],
    ])
    const { columns, values } = (await proposed(file)).mapping.price_observations!
    expect(columns).toEqual({
      listing_id: 'Ид',
      product_name: 'Наименование',
      price: 'ЦенаЗаЕдиницу',
      currency: 'Валюта',
    })
    expect(values).toEqual({ currency: { руб: 'RUB' } })
  })

  test('reads a price once that is printed twice, and a code beside amounts', async () => {
    const file = table('a.csv', ['name', 'price'], (at) => [`Mug ${at}`, at % 5 ? `$2${at}.99$2${at}.99` : '$7.50'])
    const { columns } = (await proposed(file)).mapping.price_observations!
    expect(columns!.price).toEqual({ sql: expect.stringContaining('left("price", len("price") // 2)') })
    const codes = { ...table('b.csv', ['column1', 'column2'], (at) => [`0${at}-00${at}`, `1 ${100 + at},00`]) }
    const { mapping } = await proposed({ ...codes, options: { header: false } })
    expect(mapping.price_observations!.columns).toEqual({ listing_id: 'column1', price: 'column2' })
  })

  test('takes no countries that the products of a catalogue are from, and no discount for a price', async () => {
    const names = ['sku', 'name', 'upc', 'countryCode']
    const codes = ['IT', 'FR', 'ES', 'CA', 'US', 'CL', 'AR', 'DE']
    const file = table('a.csv', names, (at) => [`A${at}`, `Red Wine ${at}`, '08033413003063', codes[at % 8]!])
    expect((await proposed(file)).mapping.product_catalogue!.columns).not.toHaveProperty('country')
    const sales = ['product_id', 'timestamp', 'quantity', 'sales_value', 'retail_disc']
    const sold = table('b.csv', sales, (at) => [`A${at}`, '2026-06-19', '2', `${at + 1}.50`, '0.39'])
    expect((await proposed(sold)).decisions).toContainEqual(expect.stringMatching(/^price: no column has a unit price/))
  })

  test('takes the only column of different texts for names, and logs of one product as they are', async () => {
    const priced = ['dispositivo', 'categoria', 'precio']
    const phones = table('a.csv', priced, (at) => [
      `Fono ${'ABCDEFGHIJKLMNOPQRSTUVWX'[at % 24]}${at}`,
      `C${at % 2}`,
      `${at + 90}`,
    ])
    expect((await proposed(phones)).mapping.price_observations!.columns).toMatchObject({ product_name: 'dispositivo' })
    const dates = (at: number) => `${String(1 + (at % 28)).padStart(2, '0')}/01/20${19 + (Math.floor(at / 28) % 5)}`
    const rice = table('harga.csv', ['Date', 'Harga Beras'], (at) => [dates(at), `1${at % 3},950`])
    expect((await proposed(rice)).mapping.price_observations!.columns).toMatchObject({ price: 'Harga Beras' })
    const log = table('b.csv', ['column1', 'column2', 'column3'], (at) => [
      `2026-01-01 10:${String(at % 60).padStart(2, '0')}:00`,
      'Acme Earbuds, white',
      `${200000 + at}`,
    ])
    const { mapping } = await proposed({ ...log, options: { header: false } })
    expect(mapping.price_observations!.columns).toEqual({
      product_name: 'column2',
      observed_at: 'column1',
      price: 'column3',
    })
  })

  test.each([
    ['Prices as of 3 March 2026', '2026-03-03'],
    ['Effective March 5, 2026', '2026-03-05'],
    ['Vigente desde el 15 de marzo de 2026', '2026-03-15'],
    ['Tarif au 1er mars 2026', '2026-03-01'],
    ['Ceník platný od 1. 3. 2026', '2026-03-01'],
    ['1 czerwca 2026 r.', '2026-06-01'],
    ['2026年3月5日 現在', '2026-03-05'],
    ['2026. március 5.', '2026-03-05'],
    ['Price list No. 12/2026', undefined],
    ['From 2026-03-01 to 2026-03-31', undefined],
  ])('suggests the day in the text above the table: %s', async (title, day) => {
    const file = table('a.csv', ['sku', 'name', 'price'], (at) => [`A${at}`, `Mug ${at}`, `${at + 1}.99`])
    const [group] = (await proposed({ ...file, titles: [title] })).groups
    const suggested = expect.objectContaining({ column: 'observed_at', value: day, isSuggested: true })
    if (day) expect(group!.stand_ins).toContainEqual(suggested)
    else expect(group!.stand_ins).toContainEqual(expect.objectContaining({ column: 'observed_at', isSuggested: false }))
    const other = { ...file, path: 'b.csv', titles: ['Prices as of 4 April 2026'] }
    const { groups } = await proposed({ ...file, titles: [title] }, other)
    expect(groups[0]!.stand_ins).not.toContainEqual(suggested)
  })

  test.each([
    [['Loja: Mercado São José', 'Março'], 'mercado-sao-jose'],
    [['Store', 'Acme Foods'], 'acme-foods'],
    [['Our store has moved'], undefined],
  ])('suggests the retailer that the text above the table names: %s', async (titles, platform) => {
    const file = table('precos_março.csv', ['sku', 'name', 'price'], (at) => [`A${at}`, `Mug ${at}`, `${at + 1}.99`])
    const [group] = (await proposed({ ...file, titles })).groups
    const { value, isSuggested } = group!.stand_ins.find(({ column }) => column === 'platform')!
    expect(isSuggested ? value : undefined).toBe(platform)
  })
})
