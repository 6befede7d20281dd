import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, describe, expect, test } from 'vitest'
import { proposeMapping } from '../../../ingest/check/propose/propose.ts'
import type { SampledFile } from '../../../ingest/check/read/sample.ts'
import * as foreign from './foreign-files.ts'
import { proposeChecked } from './proposed.ts'
import { table } from './sampled.ts'

const instance = await DuckDBInstance.create(':memory:')
const connection = await instance.connect()

afterAll(() => {
  connection.closeSync()
  instance.closeSync()
})

const proposed = (...files: SampledFile[]) => proposeChecked(connection, files)

const noCategory =
  'category_path: no column has a category, so every product that no other file describes is in "uncategorized". ' +
  'For one category, add "constants": {"category_path": "Groceries"}.'

describe('the proposed mapping of several files', () => {
  const price = (at: number) => (1 + (at % 13) / 4).toFixed(2)

  test('has what differs between the files per file and the rest once', async () => {
    const { mapping, decisions, notes } = await proposed(
      table('acme_2024_04_20.csv', ['sku', 'name', 'brandName', 'formattedPrice'], (at) => [
        `A${at}`,
        `Tea ${at}`,
        'Leaf',
        `$${price(at)}`,
      ]),
      table('acme_2024_04_21.csv', ['sku', 'name', 'brand_name', 'formatted_price'], (at) => [
        `A${at}`,
        `Tea ${at}`,
        'Leaf',
        `$${price(at)}`,
      ]),
    )
    expect(mapping).toEqual({
      price_observations: {
        files: {
          'acme_2024_04_20.csv': {
            columns: { listing_id: 'sku', product_name: 'name', brand: 'brandName', price: 'formattedPrice' },
          },
          'acme_2024_04_21.csv': {
            columns: { listing_id: 'sku', product_name: 'name', brand: 'brand_name', price: 'formatted_price' },
          },
        },
        name_pattern: String.raw`(?:^|\D)(?<year>(?:19|20)\d{2})_(?<month>0[1-9]|1[0-2])_(?<day>0[1-9]|[12]\d|3[01])(?:\D|$)`,
        price_text: true,
      },
    })
    expect(decisions).toEqual([
      'platform: no column names the retailer (the file name contains acme). Add "constants": {"platform": "..."}.',
      'country: no column has the country (prices have $). Add "constants": {"country": "us"}.',
    ])
    expect(notes).toEqual([
      'acme_2024_04_20.csv: observed_at: from the file name (2024-04-20).',
      noCategory,
      'acme_2024_04_21.csv: observed_at: from the file name (2024-04-21).',
    ])
  })

  test('has one glob for many files of the same form', async () => {
    const days = Array.from({ length: 8 }, (_, index) => `prices/2024-01-0${index + 1}.csv`)
    const files = days.map((path) => table(path, ['sku', 'price'], (at) => [`A${at}`, price(at)]))
    expect((await proposed(...files)).mapping.price_observations!.files).toEqual(['prices/*-*-*.csv'])
    // A glob would match this one, too, which cannot be read.
    const { mapping } = proposeMapping(files, ['prices/2024-01-09.csv'])
    expect(mapping.price_observations!.files).toEqual(days)
  })

  test('describes products by a price list without dates where another file has dated prices', async () => {
    const { mapping } = await proposed(
      table('prices.csv', ['sku', 'date', 'price'], (at) => [`A${at % 9}`, `2024-01-${10 + (at % 20)}`, price(at)]),
      table('products.csv', ['sku', 'name', 'price'], (at) => [`A${at}`, `Tea ${at}`, price(at)]),
      table('stores.csv', ['number', 'city'], (at) => [String(at), 'Town']),
    )
    expect(Object.keys(mapping)).toEqual(['price_observations', 'product_catalogue'])
  })

  test('includes the location in the listing id where a product has several prices at once', async () => {
    const names = ['product_id', 'location', 'date', 'price']
    const file = table('prices.csv', names, (at) => [
      `P${at % 5}`,
      `L${Math.floor(at / 5) % 4}`,
      '2024-01-10',
      String(1 + (at % 20)),
    ])
    const { mapping, decisions } = await proposed(file)
    expect(mapping.price_observations).toMatchObject({ store: 'location', columns: { listing_id: 'product_id' } })
    expect(decisions[0]).toMatch(
      /^listing_id: "product_id" has several prices at the same time, one for each "location"/,
    )
  })

  test('asks for a decision where prices are totals, changes or often missing', async () => {
    const names = ['product_id', 'transaction_timestamp', 'sales_value', 'quantity']
    const till = table('till.csv', names, (at) => [`P${at}`, '2024-01-10 10:00:00', price(at), '2'])
    expect((await proposed(till)).decisions[0]).toBe(
      'price: no column has a unit price; "sales_value" looks like the total for "quantity" units. ' +
        'If it is, add "columns": {"price": {"sql": "round(sales_value / nullif(quantity, 0), 2)"}}.',
    )
    const changes = table('changes.csv', ['sku', 'date', 'price'], (at) => [
      `A${at % 3}`,
      `2024-01-${10 + Math.floor(at / 3)}`,
      price(at),
    ])
    expect((await proposed(changes)).decisions.at(-1)).toMatch(
      /^kind: no listing repeats a price .* add "kind": "change_points"\.$/,
    )
    const gaps = table('gaps.csv', ['sku', 'date', 'price'], (at) => [`A${at}`, '2024-01-10', at % 4 ? '' : price(at)])
    const { mapping, notes } = await proposed(gaps)
    expect(mapping.price_observations!.max_quarantine).toBe(0.8)
    expect(notes).toContain(
      'max_quarantine: about 75 % of the rows have no price in "price"; they are refused and counted.',
    )
    const words = table('words.csv', ['sku', 'date', 'price'], (at) => [
      `A${at}`,
      '2024-01-10',
      at % 2 ? 'ask' : price(at),
    ])
    expect((await proposed(words)).decisions.at(-1)).toBe(
      'max_quarantine: about 50 % of the rows have no price above 0 in "price" and would be refused; the limit is 1 %. ' +
        'If this is expected, add "max_quarantine": 0.55.',
    )
  })

  test('reads whole numbers in Parquet as units of the currency, and asks whether they are cents', async () => {
    const file = (name: string): SampledFile => {
      const values = foreign.wholePrices(199, 100)
      return {
        path: 'prices.parquet',
        format: 'parquet',
        options: {},
        columns: [
          { name: 'sku', type: 'VARCHAR', values: values.map((_, index) => `A${index}`) },
          { name: 'date', type: 'DATE', values: values.map(() => '2024-01-10') },
          { name, type: 'INTEGER', values },
        ],
      }
    }
    const { mapping, decisions } = await proposed(file('price'))
    expect(mapping.price_observations!.integer_prices).toBe('units')
    expect(decisions[0]).toBe(
      'price: "price" has whole numbers (199, 299, 399), which are read as units of the currency. ' +
        'If they are cents, write "columns": {"price": {"sql": "price::DECIMAL(12, 0) / 100"}}.',
    )
    const cents = await proposed(file('price_cents'))
    expect(cents.mapping.price_observations!.columns!.price).toEqual({ sql: '"price_cents"::DECIMAL(12, 0) / 100' })
  })

  test('comes with the columns and files that it does not use', async () => {
    const names = ['sku', 'date', 'price', 'productname', 'availabilty', 'country']
    const file = table('a.csv', names, (at) => [`A${at}`, '2024-01-10', price(at), `${at}`, 'xyz', 'Nowhere'])
    const { columns, unread, decisions } = await proposed(
      file,
      table('b.csv', ['x', 'y'], (at) => [`${at}`, 'z']),
    )
    const unused = columns[0]!.columns.filter(({ read_as }) => read_as.length === 0)
    expect(unused.map(({ name }) => name)).toEqual(['productname', 'availabilty'])
    expect(unread).toEqual(['b.csv'])
    expect(decisions).toContain(
      'country: column "country" is used because of its name, but contains Nowhere. To ignore it, write "columns": {"country": {"sql": "NULL"}}.',
    )
  })

  test('makes shops of columns with a price word and a name of their own, and of nothing else', async () => {
    const shops = ['precio_acme', 'lista_acme', 'precio_globex', 'precio_initech']
    const wide = table('a.csv', ['fecha', 'producto', ...shops], (at) => [
      '2024-01-10',
      `Té verde ${at}`,
      ...[0, 5, 0.1, 0.2].map((more) => (2 + (at % 13) + more).toFixed(2)),
    ])
    const { unpivot, values, columns } = (await proposed(wide)).mapping.price_observations!
    expect(unpivot).toEqual({
      columns: ['precio_acme', 'precio_globex', 'precio_initech'],
      name_to: 'platform',
      value_to: 'price',
    })
    expect(values).toMatchObject({ platform: { precio_acme: 'acme', precio_globex: 'globex' } })
    expect(columns!.list_price).toEqual({ sql: `CASE "platform" WHEN 'precio_acme' THEN "lista_acme" END` })
    const sales = table('b.csv', ['name', 'price_reg', 'price_disc'], (at) => [
      `Tea ${at}`,
      '9.50',
      at % 9 ? '' : '7.50',
    ])
    expect((await proposed(sales)).mapping.price_observations).not.toHaveProperty('unpivot')
  })

  test('reads columns of one product with a currency as its prices in shops', async () => {
    const file = table('kettle.csv', ['date', 'acme_eur', 'bravo_eur', 'zulu_eur'], (at) => [
      new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10),
      ...['199.99', `${195 + (at % 9)}.00`, '205.00'],
    ])
    const { unpivot, constants } = (await proposed(file)).mapping.price_observations!
    expect(unpivot).toMatchObject({ columns: ['acme_eur', 'bravo_eur', 'zulu_eur'], name_to: 'platform' })
    expect(constants).toMatchObject({ listing_id: 'kettle' })
  })

  test('joins an amount of two columns, ids that only together are one, and allows repeated headers', async () => {
    const names = ['id_jenis', 'id_merk', 'price_whole', 'price_fraction']
    const row = (at: number) => (at === 30 ? names : [`${at % 5}`, `${at % 6}`, `${1 + (at % 7)}`, `${10 + (at % 8)}`])
    const file = table('a.csv', names, row, 31)
    expect((await proposed(file)).mapping.price_observations).toMatchObject({
      columns: { price: { sql: "concat(price_whole, '.', price_fraction)" } },
      listing_id_from: ['id_jenis', 'id_merk'],
      max_quarantine: 0.1,
    })
  })

  test('has no list price that is below the price, no size without a unit, and no word for a missing value', async () => {
    const names = ['sku', 'name', 'price', 'reference_price', 'weight', 'brand', 'locale']
    const file = table('a.csv', names, (at) => [
      ...[`A${at}`, `Tea ${at}`, `${30_000_000 + at}.0`, '3.10', `${at}.5`],
      ...[at % 4 ? `Leaf ${at}` : 'None', 'kk-KZ'],
    ])
    const { mapping, groups } = await proposed(file)
    const { columns, decimals } = mapping.price_observations!
    expect(columns).toEqual({
      listing_id: 'sku',
      product_name: 'name',
      brand: { sql: "CASE WHEN brand NOT IN ('None') THEN brand END" },
    })
    expect(decimals).toBe(0)
    expect(groups[0]!.stand_ins).toContainEqual({ column: 'country', value: 'kz', isSuggested: true })
  })

  test('does not identify listings by an address that many of them share', async () => {
    const file = table('a.csv', ['vendor_link', 'vendor', 'model', 'price'], (at) => [
      ...[`https://example.com/shop?id=${at % 3}`, `Shop ${at % 3}`, `Board B${at}X`, `${100 + at}.00`],
    ])
    const { mapping } = await proposed(file)
    expect(mapping.price_observations!.listing_id_from).toContain('model')
    const few = table('b.csv', ['link', 'name', 'price'], (at) => [
      ...[`https://example.com/${at < 4 ? 0 : at}`, `Mug M${at}X`, `${100 + at}.00`],
    ])
    const { mapping: own, notes } = await proposed(few)
    expect(own.price_observations!.listing_id_from).toEqual(['link'])
    expect(notes).toContainEqual(expect.stringMatching(/^listing_id: .* have another price for the same "link"/))
  })

  test('takes Japanese titles for Japanese where names of columns are Chinese too, and no sales for a pack', async () => {
    const file = table('a.csv', ['商品名', '价格', '品牌', 'salesCount'], (at) => [
      ...[`レイジーサンデー ${at}`, `${1000 + at}`, 'エルメス', `${at}`],
    ])
    const { mapping, groups } = await proposed(file)
    expect(groups[0]!.stand_ins).toContainEqual({ column: 'country', value: 'jp', isSuggested: true })
    expect(mapping.price_observations!.columns).not.toHaveProperty('pack_count')
  })

  test('reads currencies of several countries as of those, and a model for a name where nothing else is one', async () => {
    const file = table('a.csv', ['model_name', 'price', 'currency', 'url', 'scraped_at'], (at) => [
      ...[`POCO F${at} Pro`, `${100 + at}.99`, ['UAH', 'BYN', 'EUR'][at % 3]!, `https://example.com/${at}`],
      '2026-06-19 17:25:23',
    ])
    const { mapping, notes, groups } = await proposed(file)
    const { columns, values } = mapping.price_observations!
    expect(columns).toMatchObject({ product_name: 'model_name', country: 'currency' })
    expect(values).toEqual({ country: { UAH: 'ua', BYN: 'by', EUR: 'de' } })
    expect(notes).toContainEqual(expect.stringContaining('UAH as ua, BYN as by, EUR as de'))
    expect(groups[0]!.stand_ins.map(({ column }) => column)).not.toContain('country')
  })

  test('has prices in a column that is only called one among other words, and not in that of a rise', async () => {
    const names = ['Tipo de Producto', 'Variedad', 'Precio Percha SMX', 'Aumento de precio']
    const file = table('a.csv', names, (at) => [
      ...[`Yogurt ${at % 10}`, `Fresa ${at % 3}`, `${1 + (at % 30)}.25`, `0.0${1 + (at % 9)}`],
    ])
    const { columns, listing_id_from } = (await proposed(file)).mapping.price_observations!
    expect(columns).toMatchObject({ price: 'Precio Percha SMX' })
    expect(listing_id_from).toEqual(['Tipo de Producto', 'Variedad'])
  })

  test('is empty where there are no files', async () => {
    expect(await proposed()).toEqual({
      mapping: {},
      decisions: [],
      notes: [],
      unread: [],
      groups: [],
      columns: [],
      skeleton: null,
    })
  })
})
