import { describe, expect, test } from 'vitest'
import { type CheckResult, check } from '../../../ingest/check/check.ts'
import { givenFiles } from '../feeds.ts'

const checked = async (name: string, content: unknown): Promise<CheckResult> =>
  check({
    paths: [
      await givenFiles({
        [name]: typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content),
      }),
    ],
  })

const rows = <T>(count: number, row: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => row(at))
const lines = (head: string, row: (at: number) => string): string => [head, ...rows(30, row)].join('\n')
const day = (at: number) => `2026-05-${String((at % 28) + 1).padStart(2, '0')}`
const quoted = (value: unknown) => `"${JSON.stringify(value).replaceAll('"', '""')}"`

const columnsOf = ({ mapping }: CheckResult) => mapping?.price_observations?.columns
const firstOf = ({ rows: [first] }: CheckResult) => first?.values

describe('a table', () => {
  test('of several countries has the currency of each, and prices as fine as they are', async () => {
    const places = ['Australia,AUD,2.25', 'Sweden,Kr,19.95', 'Japan,JPY,398.25']
    const file = lines('FoodItem,Date,Country,Currency,AveragePrice', (at) => `Food ${at},${day(at)},${places[at % 3]}`)
    const result = await checked('food.csv', file)
    expect(result.mapping?.price_observations).toMatchObject({ decimals: 2, values: { currency: { Kr: 'SEK' } } })
    expect(result.files).toMatchObject([{ rows_read: 30, kept: 30 }])
    expect(result.problems).toEqual([])
  })

  test('with prices of units beside those of packs has the latter', async () => {
    const units = (at: number) => [1.37, 0.92, 4.11][at % 3]! + at / 100
    const file = lines('Proprietary name,Pack size,SEP,Unit Price,Effective date', (at) => {
      const size = [10, 30, 60][at % 3]!
      return `Medicine ${at},${size},${(units(at) * size).toFixed(2)},${units(at).toFixed(2)},${day(at)}`
    })
    expect(columnsOf(await checked('medicines.csv', file))).toMatchObject({ price: 'SEP', unit_price: 'Unit Price' })
  })

  test('with sizes and prices of units in one column has both, and no other price', async () => {
    const size = (at: number) => `"Botella ${1 + (at % 3)} L | ${4 + at},65 €/L"`
    const both = await checked(
      'aceite.csv',
      lines('nombre,precio,formato,fecha', (at) => `Aceite ${at},"${5 + at},95 €",${size(at)},${day(at)}`),
    )
    expect(columnsOf(both)).toMatchObject({ price: 'precio', unit_price: { sql: expect.stringContaining(', 2)') } })
    expect(firstOf(both)).toMatchObject({ price: '5.95', size_value: 'Botella 1 L' })
    const alone = await checked(
      'aceite.csv',
      lines('nombre,formato', (at) => `Aceite ${at},${size(at)}`),
    )
    expect(alone.mapping).toEqual({})
  })

  test('with varieties of commodities names both', async () => {
    const kinds = ['Tomato,Local', 'Tomato,Hybrid', 'Onion,Onion']
    const file = lines(
      'Market,Commodity,Variety,Date,Modal Price',
      (at) => `M${at},${kinds[at % 3]},${day(at)},${900 + at}`,
    )
    const names = (await checked('mandi.csv', file)).rows.map(({ values }) => values.product_name)
    expect(new Set(names)).toEqual(new Set(['Tomato Local', 'Tomato Hybrid', 'Onion']))
  })

  test('may have JSON in its cells', async () => {
    const file = lines('title,price,badges,date', (at) =>
      [`Lamp ${at}`, quoted({ value: 10.5 + at, currency: 'CAD' }), quoted([`Deal ${at}`]), day(at)].join(','),
    )
    expect(firstOf(await checked('lamps.csv', file))).toMatchObject({ price: '10.50', product_name: 'Lamp 0' })
    const single = lines('title,prices', (at) => `Lamp ${at},${quoted([`€${10 + at}.99`])}`)
    expect(firstOf(await checked('lamps.csv', single))).toMatchObject({ price: '10.99' })
  })

  test('without a header has whole prices where a file of prices has no other numbers', async () => {
    const file = rows(30, (at) => `Phone model ${at},${41_237 + at * 731},https://shop.example.com/p/${at}`).join('\n')
    expect(columnsOf(await checked('prices.csv', file))).toMatchObject({ price: 'column2', product_name: 'column1' })
    expect((await checked('list.csv', file)).mapping).toEqual({})
  })

  test('in Cyrillic without a header is in no encoding that makes marks without letters of it', async () => {
    const letters = (text: string) =>
      [...text].map((letter) => (letter > '\x7f' ? letter.codePointAt(0)! - 0x350 : letter.codePointAt(0)!))
    const text = rows(
      30,
      (at) =>
        `Смартфоны HTC ${at},${3 + at} 750 руб.,м. ${['Строгино', 'Новокосино', 'Площадь'][Math.min(at, 5) >> 1]}\n`,
    ).join('')
    const result = await checked('avito.csv', Buffer.from(letters(text)))
    expect(result.mapping?.price_observations).toMatchObject({
      encoding: 'windows-1251',
      constants: { currency: 'RUB' },
    })
    expect(columnsOf(result)).toMatchObject({ price: 'column2', product_name: 'column1' })
  })

  test('with a message of each price takes it for no product', async () => {
    const records = rows(12, (at) => ({
      time: `${day(at)} 10:00:00`,
      price: `R$ ${900 + at}.00`,
      note: `agora: R$ ${900 + at}.00`,
    }))
    expect(columnsOf(await checked('watch.json', records))?.product_name).toBeUndefined()
    const long = records.map(({ note, ...record }, at) => ({ ...record, note: `${at} ${'so it was. '.repeat(40)}` }))
    expect(columnsOf(await checked('watch.json', long))?.product_name).toBeUndefined()
  })

  test('with addresses in some rows asks for the retailer', async () => {
    const link = (at: number) => (at % 3 ? `https://lab${at % 2}.example.com/${at}` : '')
    const result = await checked(
      'list.csv',
      lines('name,price,url', (at) => `Vaccine ${at},${2 + at}.49,${link(at)}`),
    )
    expect(columnsOf(result)?.platform).toBeUndefined()
    expect(result.decisions.some((decision) => decision.startsWith('platform: '))).toBe(true)
  })

  test('with noise of computing keeps as many decimals as its amounts leave room for', async () => {
    const result = await checked(
      'cars.csv',
      lines('name,price', (at) => `Car ${at},${at % 9 ? 164_429.89045383412 + at : 990_000}`),
    )
    expect(result.mapping?.price_observations?.decimals).toBe(3)
  })
})

describe('a JSON document', () => {
  test('with words such as high has no stock by them alone', async () => {
    const records = rows(30, (at) => ({ title: `Disk ${at} TB`, price: 99.5 + at, trust: ['high', 'low'][at % 2] }))
    expect(columnsOf(await checked('disks.json', records))?.availability).toBeUndefined()
  })

  test('may name its columns in its first record', async () => {
    const records = [
      { A: 'Código', B: 'Descripción', C: 'Precio' },
      ...rows(30, (at) => ({ A: `K${at}`, B: `Tornillo ${at}`, C: 1.2 + at })),
    ]
    const result = await checked('lista.json', records)
    expect(columnsOf(result)).toMatchObject({ listing_id: 'A', product_name: 'B', price: 'C' })
    expect(result.files).toMatchObject([{ rows_read: 31, kept: 30 }])
    expect(result.problems).toEqual([])
  })

  test('of lines with products under their names reads all of them', async () => {
    const noodles = (at: number) => ({ price: 1.32 + at / 100, fetched_at: day(at) })
    const content = rows(20, (at) => JSON.stringify({ 'Udon noodles': noodles(at), Konjak: noodles(at + 3) })).join(
      '\n',
    )
    const result = await checked('noodles.jsonl', content)
    expect(result.mapping?.price_observations?.json_path).toBe('{product_name}')
    expect(result.files).toMatchObject([{ rows_read: 40, kept: 40 }])
  })

  test('with days around products around shops has the prices of these', async () => {
    const offer = (at: number, price: number) => ({ price, title: `Disk ${at}`, url: `https://x.example/${at}` })
    const items = (from: number) =>
      rows(10, (at) => ({
        name: `Disk ${at}`,
        lowest: 90 + at,
        shops: { jd: offer(at, 100.5 + at + from), ...(at % 3 ? { taobao: offer(at, 90.5 + at + from) } : {}) },
      }))
    const result = await checked(
      'disks.json',
      rows(3, (at) => ({ date: day(at), items: items(at) })),
    )
    expect(result.mapping?.price_observations?.json_path).toBe('[].items[].shops.{shop}')
    expect(firstOf(result)).toMatchObject({
      platform: 'jd',
      price: '100.50',
      observed_at: expect.stringContaining(day(0)),
    })
    expect(result.files).toMatchObject([{ rows_read: 48, kept: 48 }])
  })

  test('with the shop of each product has no prices of other shops', async () => {
    const records = rows(30, (at) => ({
      urun_adi: `Süt ${at}`,
      market: ['A101', 'Migros'][at % 2],
      gecerli_fiyat: 20.5 + at,
      money_fiyat: 19.5 + at,
    }))
    const result = await checked('urunler.json', { urunler: records })
    expect(columnsOf(result)).toMatchObject({ price: 'gecerli_fiyat', platform: 'market' })
  })

  test('with pictures alone is of no country that hosts are called after for its sound', async () => {
    const records = rows(30, (at) => ({
      name: `Tea ${at}`,
      price: 3.5 + at,
      image: `https://i${at % 3}.pics.is/${at}.jpg`,
    }))
    const { decisions } = await checked('tea.json', records)
    expect(decisions.join()).not.toContain('ISK')
  })
})

describe('amounts', () => {
  test('may end in a decimal comma, and heights and widths beside them are not prices of shops', async () => {
    const file = lines('Name;Price tax included;Height;Depth;Width', (at) =>
      [`Komoda ${at}`, at % 2 ? `${500 + at},` : `"${400 + at},88"`, 70 + at, 35 + (at % 9), `${110 + at}.5`].join(';'),
    )
    const result = await checked('data.csv', file)
    expect(result.mapping?.price_observations).toMatchObject({ decimal_comma: true })
    expect(result.mapping?.price_observations).not.toHaveProperty('unpivot')
    expect(result.rows.map(({ values }) => values.price)).toEqual(expect.arrayContaining(['400.88', '501.00']))
  })

  test('that are all huge multiples of 100,000 are divided by it', async () => {
    const file = lines('itemid,price,date', (at) => `7,${(2_990_000 + at * 1000) * 100_000},${day(at)}`)
    expect(columnsOf(await checked('item.csv', file))).toMatchObject({
      price: { sql: '"price"::DECIMAL(18, 0) / 100000' },
    })
    const land = lines('item,price,date', (at) => `Plot ${at},${(2_500 + at) * 100_000},${day(at)}`)
    expect(columnsOf(await checked('land.csv', land))).toMatchObject({ observed_at: 'date' })
    expect(columnsOf(await checked('land.csv', land))).not.toHaveProperty('price')
  })
})

describe('prices', () => {
  test('per unit, in pounds and pence, are the prices where others are per measure', async () => {
    const file = lines('Description,Price/Unit,Unit,Price/Measure,Measure', (at) =>
      [`Acme loaf ${at}`, at % 3 ? `${1 + at}.25` : `${60 + at}p`, 'unit', `${11 + at}p`, '100g'].join(','),
    )
    const result = await checked('bread.csv', file)
    expect(result.mapping?.price_observations?.constants).toEqual({ currency: 'GBP' })
    expect(result.rows.slice(0, 2).map(({ values }) => values.price)).toEqual(['0.60', '2.25'])
    expect(columnsOf(result)).toMatchObject({ unit_price: { sql: expect.stringContaining('Price/Measure') } })
  })

  test('are not read from ratings where some rows have a reduced price', async () => {
    const file = lines('Produk;Harga Normal;Harga Diskon;Rate', (at) =>
      [`Ponsel ${at}`, `Rp${6 + at}.899.000`, at % 5 ? '0' : `Rp${5 + at}.999.000`, `4.${at % 9}`].join(';'),
    )
    expect((await checked('ponsel.csv', file)).rows.slice(0, 2).map(({ values }) => values.price)).toEqual([
      '5999000',
      '7899000',
    ])
  })

  test('of shares are refused', async () => {
    const file = lines(
      'ticker,currency,price,open,high,low,close,date',
      (at) => `T${at},USD,${at + 9}.5,9,9,9,9,${day(at)}`,
    )
    expect((await checked('shares.csv', file)).mapping).toEqual({})
  })
})

describe('titles', () => {
  test('are the texts that differ most, where all rows have the same time', async () => {
    const shelves = ['Fruit and vegetables', 'Bread and biscuits']
    const file = rows(30, (at) => `2026-05-01 18:05:35;${shelves[at % 2]};Product ${at} extra;${at + 1},89/kg`).join(
      '\n',
    )
    expect(columnsOf(await checked('data.csv', file))).toMatchObject({ product_name: 'column3', price: 'column4' })
  })

  test('are read from a column called brand if it holds them, and no brand is', async () => {
    const file = lines(
      'Brand,Price,Location',
      (at) => `Acme Phone ${at} 8GB RAM dual camera,${100 + at}.50,Place ${at % 3}`,
    )
    expect(columnsOf(await checked('phones.csv', file))).toMatchObject({
      product_name: 'Brand',
      brand: { sql: 'NULL' },
    })
    const brands = lines('Brand,Price,Title', (at) => `Acme ${at % 3},${100 + at}.50,Phone ${at}`)
    expect(columnsOf(await checked('phones.csv', brands))).not.toHaveProperty('brand')
  })
})

test.each([
  ['coles.csv', 'coles'],
  ['cijene.csv', 'nothing'],
  ['kainynas_2026.csv', 'nothing'],
])('%s suggests %s as the shop', async (name, shop) => {
  const { questions } = await checked(
    name,
    lines('desc,price', (at) => `Tea ${at},${2 + at / 4}`),
  )
  const question = questions.find(({ key }) => key === 'platform')!
  expect(question.is_guess ? 'nothing' : question.default).toBe(shop)
})

test('a description is the title where no column has a better name', async () => {
  const result = await checked(
    'prices.csv',
    lines('desc,price', (at) => `Tea ${at},${2 + at / 4}`),
  )
  expect(columnsOf(result)).toMatchObject({ product_name: 'desc' })
})
