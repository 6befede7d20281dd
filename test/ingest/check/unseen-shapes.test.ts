import { describe, expect, test } from 'vitest'
import { type CheckResult, check } from '../../../ingest/check/check.ts'
import { givenFiles } from '../feeds.ts'

const checked = async (name: string, content: string): Promise<CheckResult> =>
  check({ paths: [await givenFiles({ [name]: content })] })

const pricesOf = ({ mapping }: CheckResult) => mapping?.price_observations

/** A table of 40 rows. */
const csv = (names: string, row: (at: number) => string): string =>
  `${[names, ...Array.from({ length: 40 }, (_, at) => row(at))].join('\n')}\n`

const sourceOf = ({ groups }: CheckResult, column: string): string | undefined =>
  groups[0]?.columns.find((entry) => entry.column === column)?.source

describe('a JSON document', () => {
  test('with products as members of what is called prices has them by name, at the time around them', async () => {
    const day = (date: number) => ({
      tarih: `2026-06-${date}T08:00:00Z`,
      fiyatlar: {
        'Phone A': { fiyat: 1000 + date, magaza: 'Acme', link: 'https://acme.example/phone/a' },
        'Phone B': { fiyat: 2000 + date, magaza: 'Bravo', link: 'https://bravo.example/phone/b' },
      },
    })
    const result = await checked('takip.json', JSON.stringify({ kayitlar: [10, 11, 12].map(day) }))
    expect(pricesOf(result)).toMatchObject({
      json_path: 'kayitlar[].fiyatlar.{product_name}',
      columns: { observed_at: 'tarih', price: 'fiyat' },
    })
    expect(result.rows[1]!.values).toMatchObject({ product_name: 'Phone B', platform: 'bravo', price: '2010.00' })
  })

  test('with a price and a rate of tax for each id reads the price', async () => {
    const precios = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`000${100 + at}`, [900 + 10 * at, at % 2 ? 21 : 10.5]]),
    )
    const result = await checked('precios.json', JSON.stringify({ actualizado: '2026-08-21T09:00:05', precios }))
    expect(pricesOf(result)).toMatchObject({ json_path: 'precios.{listing_id}' })
    expect(result.rows.map(({ values }) => values.price).slice(0, 2)).toEqual(['900.00', '910.00'])
  })

  test('with records in two members of each hit reads the amount inside the second', async () => {
    const hit = (at: number) => ({
      _id: `${at}`,
      _source: { name: `Lamp ${at}`, price: { amount: 20 + at, currency: 'GBP' } },
    })
    const result = await checked('hits.json', JSON.stringify({ hits: { hits: [1, 2, 3].map(hit) } }))
    expect(pricesOf(result)).toMatchObject({ json_path: 'hits.hits[]' })
    expect(result.rows[2]!.values).toMatchObject({ product_name: 'Lamp 3', price: '23.00' })
    expect(sourceOf(result, 'currency')).toBe(`"_source"->>'$.price.currency'`)
  })

  test('with points of a chart under what is called prices has times and amounts', async () => {
    const points = (from: number) => [1, 2, 3].map((day) => ({ x: `2026-06-0${day}`, y: from + day / 4 }))
    const cards = [7, 8, 9].map((at) => ({ id: `C${at}00`, name: `Card ${at}`, prices: points(at * 100) }))
    const result = await checked('cards.json', JSON.stringify(cards))
    expect(pricesOf(result)).toMatchObject({ json_path: '[].prices[]', columns: { price: 'y', observed_at: 'x' } })
    expect(result.files).toMatchObject([{ rows_read: 9, kept: 9 }])
  })

  test('of one record with members that are null is no list', async () => {
    expect((await checked('one.json', '{"name":"Gold","bid":null,"ask":null,"unit":{}}')).mapping).toEqual({})
  })

  test('of lists without names has titles and amounts by what they are', async () => {
    const days = ['2026-06-01', '2026-06-02', '2026-06-03']
    const lists = days.flatMap((day, at) => [5, 6, 7].map((size) => [day, `Oat milk ${size} l`, size + at + 0.99]))
    const result = await checked('list.json', JSON.stringify(lists))
    expect(result.rows[4]!.values).toMatchObject({ product_name: 'Oat milk 6 l', price: '7.99' })
    expect(result.files).toMatchObject([{ rows_read: 9, kept: 9 }])
  })

  test('with the rate of an hour around tasks has the prices of tasks', async () => {
    const tasks = (at: number) => [15, 30].map((minutes) => ({ name: `Task ${at}, ${minutes}`, price: 20 * minutes }))
    const categories = [1, 2, 3].map((at) => ({ title: `Part ${at}`, tasks: tasks(at) }))
    const result = await checked('priser.json', JSON.stringify({ hourlyRate: 1250, currency: 'DKK', categories }))
    expect(pricesOf(result)).toMatchObject({ json_path: 'categories[].tasks[]' })
    expect(sourceOf(result, 'price')).toBe('price')
  })

  test('with prices by day under the markets of towns, which differ, reads all towns', async () => {
    const days = (from: number) => ({ '2026-06-01': from, '2026-06-02': from + 10, '2026-06-03': from + 20 })
    const areas = {
      North: { 'Old Market': days(3000), Harbour: days(3100) },
      South: { Station: days(2900), Bridge: days(3050) },
    }
    const result = await checked('onion.json', JSON.stringify({ commodity: 'Onion', areas }))
    expect(pricesOf(result)?.json_path).toBe('areas.{area}.{area_member}.{observed_at}')
    expect(result.files).toMatchObject([{ rows_read: 12, kept: 12 }])
  })

  test('with a date beside the prices of products by market reads all products', async () => {
    const day = { date: '2026-06-01', Beras: { Tanjung: 9100, Pare: 9200 }, Telur: { Tanjung: 23000 } }
    const result = await checked('harga.json', JSON.stringify({ ...day, Kentang: { Pare: 10000 } }))
    expect(pricesOf(result)?.json_path).toBe('{product_name}.{member}')
    expect(result.rows[3]!.values).toMatchObject({ product_name: 'Kentang', price: '10000' })
    expect(sourceOf(result, 'observed_at')).toBe('date')
  })

  test('with editions of products, which share their names, names both', async () => {
    const editions = (price: number) => ['Pro', 'Basic'].map((name, at) => ({ name, price: price - 20 * at }))
    const products = ['Tuner', 'Mixer', 'Looper'].map((name, at) => ({ name, editions: editions(90 + 100 * at) }))
    const result = await checked('software.json', JSON.stringify({ products }))
    expect(result.rows.slice(1, 3).map(({ values }) => values.product_name)).toEqual(['Tuner Basic', 'Mixer Pro'])
  })

  test('after which others are appended has the prices of all', async () => {
    const page = (at: number) =>
      JSON.stringify([
        { name: `Tea ${at}`, price: at },
        { name: `Rice ${at}`, price: 2 * at },
      ])
    const result = await checked('shop.json', [1, 2, 3].map(page).join(''))
    expect(result.files).toMatchObject([{ kept: 6 }])
  })

  test('with unit prices in cents reads them as amounts', async () => {
    const offers = [1, 2, 3].map((at) => ({ name: `Tea ${at}`, price_cents: 100 * at, unit_price_cents: 250 * at }))
    const result = await checked('offers.json', JSON.stringify({ currency: 'EUR', offers }))
    expect(sourceOf(result, 'unit_price')).toBe('"unit_price_cents"::DECIMAL(12, 0) / 100')
  })
})

describe('a table', () => {
  const dates = ['2026-01-05', '2026-01-12', '2026-01-19']

  test('of products by date has whole prices, unless they do not end as prices do', async () => {
    const wide = (amount: (at: number) => number) =>
      csv(`key,商品名,${dates.join()}`, (at) => `K${100 + at},香水 ${at} 号,${dates.map(() => amount(at)).join()}`)
    expect(
      pricesOf(
        await checked(
          'a.csv',
          wide((at) => 650 + 50 * at),
        ),
      )?.unpivot,
    ).toMatchObject({
      columns: dates,
      name_to: 'observed_at',
    })
    expect(
      pricesOf(
        await checked(
          'a.csv',
          wide((at) => 13 + 7 * at),
        ),
      ),
    ).toBeUndefined()
  })

  test('of fuels by their grades needs no word for prices', async () => {
    const row = (at: number) => `2025-03-${10 + (at % 20)},12.${55 + (at % 9)},12.${19 + (at % 9)},8.${85 + (at % 9)}`
    expect(pricesOf(await checked('a.csv', csv('Fecha,Super,Regular,Diesel', row)))?.unpivot).toMatchObject({
      columns: ['Super', 'Regular', 'Diesel'],
      name_to: 'product_name',
    })
  })

  test('of fuels at stations has a listing for each fuel of a station', async () => {
    const row = (at: number) => `${at >> 1},${at % 2 ? 'Diesel' : 'E10'},2026-01-05T10:00:00,1.${700 + at}`
    expect(pricesOf(await checked('a.csv', csv('station_id,fuel,updated,price', row)))?.listing_id_from).toEqual([
      'fuel',
      'station_id',
    ])
  })

  test('of grades of fuel in what may be a category has them as products', async () => {
    const row = (at: number) => `S${at >> 1},${at % 2 ? 'premium' : 'regular'},${12 + at / 100},2017-02-04`
    expect(sourceOf(await checked('a.csv', csv('station_id,type,price,date', row)), 'product_name')).toBe('type')
  })

  test('of the lowest, mean and highest price has one of them', async () => {
    const row = (at: number) => `2026-01-${10 + (at % 20)},Fuel ${at >> 4},1.4${at % 9},1.5${at % 9},1.6${at % 9}`
    const result = await checked('a.csv', csv('date,fuel,min_eur,avg_eur,max_eur', row))
    expect(pricesOf(result)).toMatchObject({ columns: { price: 'min_eur' }, constants: { currency: 'EUR' } })
    const kinds = ['min', 'avg', 'median', 'max']
    const names = ['diesel', 'petrol'].flatMap((fuel) => kinds.map((kind) => `${fuel}_${kind}_eur`))
    const amounts = (at: number) => names.map((_, place) => `1.${30 + 5 * place + (at % 5)}`).join()
    const wide = await checked(
      'a.csv',
      csv(`date,${names.join()}`, (at) => `2026-01-${10 + (at % 20)},${amounts(at)}`),
    )
    expect(pricesOf(wide)?.unpivot?.columns).toEqual(['diesel_avg_eur', 'petrol_avg_eur'])
  })

  test('of rates of exchange has no prices, although codes of currencies name its columns', async () => {
    const row = (at: number) => `2026-01-${10 + (at % 20)},1.08${at % 9},0.85${at % 9}`
    expect(pricesOf(await checked('a.csv', csv('date,eur,gbp', row)))).toBeUndefined()
  })

  test('with titles under the name of a shop has them as the names of products, beside ids, too', async () => {
    const other = (at: number) => (at % 2 ? `Other Toy ${at},${20 + at} TL` : ',')
    const row = (at: number) => `${900 - 7 * at},Toy ${at} blue,${100 + at},${other(at)}`
    const result = await checked('a.csv', csv('id,acme,fiyat,bravo,bravofiyat', row))
    expect(['price', 'product_name'].map((column) => sourceOf(result, column))).toEqual(['fiyat', 'acme'])
  })

  test('of own prices beside those of a competitor has the own', async () => {
    const row = (at: number) => `Leche ${at},${10 + at}.50,${11 + at}.50`
    const result = await checked('a.csv', csv('producto,precio_propio,precio_competencia', row))
    expect(sourceOf(result, 'price')).toBe('precio_propio')
  })

  test('has a compared price as the list price, and as the price where there is no other', async () => {
    const wide = await checked(
      'a.csv',
      csv('name,price,compare_price', (at) => `Tea ${at},${5 + at},${7 + at}`),
    )
    expect(sourceOf(wide, 'list_price')).toBe('compare_price')
    const result = await checked(
      'a.csv',
      csv('name,comparePrice,comparePriceUnit', (at) => `Tea ${at},${5 + at}.5,kg`),
    )
    expect(sourceOf(result, 'price')).toBe('comparePrice')
  })

  test('of months reads those after one without prices, too', async () => {
    const row = (at: number) => `Tea ${at},${500 + 5 * at},${505 + 5 * at},,${510 + 5 * at},${515 + 5 * at}`
    const names = ['Januari 2020', 'Februari 2020', 'Maret 2020', 'April 2020', 'Mei 2020']
    expect(pricesOf(await checked('harga.csv', csv(`Komoditas,${names}`, row)))?.unpivot?.columns).toEqual(names)
  })

  test('of amounts in several currencies has those of the first one', async () => {
    const row = (at: number) => `2026-01-${10 + (at % 20)},${22100 + 50 * at},${21050 + 50 * at},${70 + at}.31`
    const result = await checked('prices.csv', csv('date,Diesel (VND),Super RON 92 (VND),Brent (USD)', row))
    expect(pricesOf(result)?.unpivot).toMatchObject({
      columns: ['Diesel (VND)', 'Super RON 92 (VND)'],
      name_to: 'product_name',
    })
  })

  test('may call prices in one word with what they are of', async () => {
    const result = await checked(
      'a.csv',
      csv('commodity,year,msprice', (at) => `crop ${at},2012,${1200 + 10 * at}`),
    )
    expect(sourceOf(result, 'price')).toBe('msprice')
  })

  test('may count prices in ten thousands by the name of their column', async () => {
    const result = await checked(
      'a.csv',
      csv('車名,車両本体価格(万円)', (at) => `軽自動車 ${at},${700 + at}`),
    )
    expect(result.rows[0]!.values).toMatchObject({ product_name: '軽自動車 0', price: '7000000' })
  })

  test.each([
    ['a sign that is lost', '? 1,190', '1190.00'],
    ['quotation marks of one stroke', "'1199.50'", '1199.50'],
  ])('has prices with %s', async (_, price, read) => {
    const { rows } = await checked(
      'a.tsv',
      csv('Name\tPricing', (at) => `Tea ${at}\t${price}`),
    )
    expect(rows[0]!.values.price).toBe(read)
  })

  test('may say in place of a price that a product is sold out', async () => {
    const row = (at: number) => `Краска ${at};${at % 3 ? `${100 + at} ₽` : 'НЕТ В НАЛИЧИИ'}`
    const result = await checked('a.csv', csv('название;цена', row))
    expect(pricesOf(result)?.max_quarantine).toBeGreaterThan(0.3)
    expect(result.files).toMatchObject([{ kept: 26 }])
  })
})
