import { describe, expect, test } from 'vitest'
import { type CheckResult, check } from '../../../ingest/check/check.ts'
import { givenFiles } from '../feeds.ts'

const checked = async (name: string, content: unknown): Promise<CheckResult> =>
  check({ paths: [await givenFiles({ [name]: typeof content === 'string' ? content : JSON.stringify(content) })] })

const NAMES = ['Oat milk 1 l', 'Butter 250 g', 'Rye bread 750 g', 'Olive oil 500 ml', 'Eggs, 10 pieces']
const DAYS = ['2026-05-04', '2026-05-11', '2026-05-18']

const byName = (value: (at: number) => unknown) => Object.fromEntries(NAMES.map((name, at) => [name, value(at)]))

describe('a JSON document', () => {
  test('with products under days reads all products', async () => {
    const document = Object.fromEntries(DAYS.map((day, at) => [day, byName((of) => ({ price: 2 + at + of / 4 }))]))
    const result = await checked('days.json', document)
    expect(result.mapping?.price_observations?.json_path).toBe('{observed_at}.{product_name}')
    expect(result.files).toMatchObject([{ rows_read: 15, kept: 15 }])
  })

  test('with days under products, categories and shops reads all shops', async () => {
    const prices = (from: number) => DAYS.map((date, at) => ({ date, price: from + at / 4 }))
    const products = NAMES.map((name, at) => ({ name, prices: prices(2 + at) }))
    const result = await checked(
      'shops.json',
      ['Acme', 'Bravo'].map((store) => ({ store, categories: [{ category: 'Food', products }] })),
    )
    expect(result.mapping?.price_observations?.json_path).toBe('[].categories[].products[].prices[]')
    expect(result.files).toMatchObject([{ rows_read: 30, kept: 30 }])
  })

  test('with fuels in a member of each place keeps the fuels of all places', async () => {
    const features = NAMES.map((name, at) => ({
      geometry: { type: 'Point', coordinates: [7, 50] },
      properties: { name, diesel: 1.529 + at / 100, e5: 1.719 + at / 100, updated: '2026-05-04' },
    }))
    const result = await checked('places.json', { type: 'FeatureCollection', features })
    expect(result.files).toMatchObject([{ rows_read: 10, kept: 10 }])
    expect(result.rows[1]!.values).toMatchObject({ product_name: 'e5', price: '1.719' })
  })

  test('with each value in a list of its own reads the values', async () => {
    const result = await checked(
      'scraped.json',
      NAMES.map((name, at) => ({ name: [name], price: [`${2 + at},49 €`] })),
    )
    expect(result.rows[1]!.values).toMatchObject({ product_name: NAMES[1], price: '3.49' })
  })

  test('with amounts in the smallest unit of the currency has prices in the currency', async () => {
    const prices = { price: '249', regular_price: '299', currency_code: 'EUR', currency_minor_unit: 2 }
    const result = await checked(
      'store.json',
      NAMES.map((name, id) => ({ id, name, permalink: `https://acme.example/${id}`, prices })),
    )
    expect(result.rows[0]!.values).toMatchObject({ product_name: NAMES[0], price: '2.49' })
  })

  const SIZES = [250, 750, 1000, 300, 400]

  test('with objects in its prices reads whole cents beside a price of a unit, and an amount as a size', async () => {
    const records = NAMES.map((name, at) => {
      const value = 149 + 40 * at
      const unit = { baseUnitShort: 'kg', baseUnitLong: 'Kilogramm', basePriceFactor: '1' }
      const regular = { value, perStandardizedQuantity: Math.round((value * 1000) / SIZES[at]!), tags: [] }
      return { sku: `A${at}`, name, amount: `${SIZES[at]! / 1000}`, price: { ...unit, regular, crossed: value + 50 } }
    })
    const { rows, mapping } = await checked('artikel_de.json', { currency: 'EUR', records })
    expect(rows[0]!.values).toMatchObject({ price: '1.49', list_price: '1.99' })
    expect(mapping?.price_observations?.columns).toMatchObject({
      unit_price: { sql: expect.stringContaining('perStandardizedQuantity') },
    })
    expect(mapping?.price_observations?.columns).not.toHaveProperty('size_value')
    const amounts = NAMES.map((name, at) => ({ name, amount: 1.5 + at, unit: 'kg', list_price: 2.5 + at }))
    expect((await checked('amounts.json', amounts)).rows[0]!.values).toMatchObject({
      price: '1.50',
      list_price: '2.50',
    })
  })

  test.each([
    ['have decimals', (at: number) => (149 + 40 * at) / SIZES[at]!],
    ['are of another price', (at: number) => 131 + 31 * at],
  ])('with whole prices reads no cents where prices of a unit %s', async (_, unit) => {
    const records = NAMES.map((name, at) => ({ name, price: 149 + 40 * at, unit_price: unit(at) }))
    const { rows } = await checked('prices.json', { currency: 'EUR', records })
    expect(rows[0]!.values).toMatchObject({ price: '149.00' })
  })

  test('with an object around each record, types before names and entities in titles reads the titles', async () => {
    const others = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`fOption${at}`, false]))
    const elements = NAMES.map((name, at) => ({
      objItem: {
        ...{ iIdProduit: 300 + at, sLibelle: `${name} d&#39;&#233;t&#233; &amp; co`, sPrixPromo: `${1 + at},65 €` },
        ...{ eDisponibilite: at % 2, iQteDisponible: 1 - (at % 2), sPrixUnitaire: `${4 + at},58 €` },
        ...{ ...others, fVoirRayon: at > 2 },
      },
      lstChildren: [],
    }))
    const { mapping, files, rows } = await checked('content.json', { objContent: { lstElements: elements } })
    expect(mapping?.price_observations).toMatchObject({
      json_path: 'objContent.lstElements[].objItem',
      columns: { listing_id: 'iIdProduit', price: 'sPrixPromo', availability: 'iQteDisponible' },
    })
    expect(mapping?.price_observations?.columns).not.toHaveProperty('category_path')
    expect(files).toMatchObject([{ rows_read: 5, kept: 5 }])
    expect(rows[0]!.values).toMatchObject({ product_name: `${NAMES[0]} d'été & co`, price: '1.65' })
  })

  test('whose unit prices are words has none', async () => {
    const records = NAMES.map((name, at) => ({ name, price: 1.5 + at, price_per_unit: at % 2 ? 'kg' : 'piece' }))
    expect((await checked('units.json', records)).mapping?.price_observations?.columns).not.toHaveProperty('unit_price')
  })
})

describe('a table', () => {
  test('of prices by shop may have links below the names, titles of groups and a word for no price', async () => {
    const offers = Array.from({ length: 24 }, (_, at) => {
      const price = (shop: number) => ((at + shop) % 4 ? `${190 + 37 * at + 20 * shop}` : 'нет предложений')
      const group = at % 8 ? [] : [`Группа ${at},,,`, ',,,']
      return [...group, `Шоколад тёмный ${at} г,${[0, 1, 2].map(price).join()}`]
    })
    const links = ['acme', 'bravo', 'coco'].map((shop) => `https://${shop}.example/`)
    const head = [...Array<string>(8).fill(',,,'), 'Наименование товара,Acme,Bravo,Coco', `,${links.join()}`]
    const { mapping, files, problems } = await checked('out.csv', [...head, ...offers.flat()].join('\n'))
    expect(mapping?.price_observations?.unpivot).toMatchObject({
      columns: ['Acme', 'Bravo', 'Coco'],
      name_to: 'platform',
    })
    expect(files).toMatchObject([{ kept: 54 }])
    expect(problems).toEqual([])
  })

  test('with dates behind the word for prices has an observation of each', async () => {
    const rows = NAMES.map((name, at) => `${name.replace(',', '')},${at}.19,${at}.29,${at}.39`)
    const text = ['Product,Price 2026-05-04,Price 2026-05-11,Price 2026-05-18', ...rows].join('\n')
    const result = await checked('history.csv', text)
    expect(result.rows[1]!.values).toMatchObject({ observed_at: `${DAYS[1]}T00:00:00.000Z`, price: '0.29' })
    expect(result.files).toMatchObject([{ rows_read: 15, kept: 15 }])
  })

  test('with a word before the lowest price reads the price', async () => {
    const rows = NAMES.map((name, at) => `${name};ab ${3 + at},49 €*;04.05.2026`)
    const result = await checked('preise.csv', ['Produkt;Preis;Datum', ...rows].join('\n'))
    expect(result.rows[2]!.values).toMatchObject({ product_name: NAMES[2], price: '5.49' })
  })

  test('of a database, whose ids are of records, has listings by name', async () => {
    const id = (at: number) => `65a${String(at).padStart(21, '0')}`
    const rows = Array.from(
      { length: 60 },
      (_, at) => `${id(at)},${NAMES[at % 4]},${2 + at / 4},2026-05-${10 + (at >> 2)}`,
    )
    const { mapping } = await checked('export.csv', ['_id,name,price,date', ...rows].join('\n'))
    expect(mapping?.price_observations).toMatchObject({ listing_id_from: ['name'] })
  })
})
