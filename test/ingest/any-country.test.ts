import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { ofLake } from '../../api/contract/of-lake.ts'
import { Engine, findQuery, readManifest } from '../../engine/index.ts'
import { temporaryFolder } from '../support/given.ts'
import { csv, givenFiles, type Lake, query, run, runDescribed, runFiles } from './feeds.ts'

const prices = (rows: string): string => csv(...rows.trim().split('\n'))
const stored = (lake: Lake, table = 'observations'): Promise<unknown[]> =>
  query(`SELECT country, price FROM read_parquet('${lake.lake}/snapshots/${lake.snapshot_id}/${table}/*/*/*.parquet',
    hive_partitioning = false) ORDER BY ALL`)
const countriesOf = async ({ lake, snapshot_id }: Lake) => (await readManifest(lake, snapshot_id!)).countries
const reasonsOf = ({ reasons }: Lake): string => reasons.join('\n')
const strictly = { max_quarantine: 0 }

describe('countries and currencies of a delivery', () => {
  test('are those of its rows, with the decimals of each currency', async () => {
    const lake = await runFiles({
      'price_observations/a.csv': prices(`
acme,us,1,2026-11-01,3.45,USD
acme,pt,1,2026-11-01,3.45,EUR
acme,jp,1,2026-11-01,59400.00,JPY
acme,kw,1,2026-11-01,1.125,KWD
acme,id,1,2026-11-01,25000000,IDR
acme,vn,1,2026-11-01,49990000,₫`),
    })
    expect(await stored(lake)).toEqual([
      { country: 'id', price: 25_000_000 },
      { country: 'jp', price: 59_400 },
      { country: 'kw', price: 1125 },
      { country: 'pt', price: 345 },
      { country: 'us', price: 345 },
      { country: 'vn', price: 49_990_000 },
    ])
    expect(await countriesOf(lake)).toEqual({
      id: { currency: 'IDR', decimals: 0 },
      jp: { currency: 'JPY', decimals: 0 },
      kw: { currency: 'KWD', decimals: 3 },
      pt: { currency: 'EUR', decimals: 2 },
      us: { currency: 'USD', decimals: 2 },
      vn: { currency: 'VND', decimals: 0 },
    })
    expect(lake.files[0]!.dropped_values).toEqual([])
  })

  test('that state no currency are asked for one, by the key that says it', async () => {
    const lake = await runFiles({ 'price_observations/a.csv': csv('acme,pt,1,2026-11-01,3.45,') }, strictly)
    expect(reasonsOf(lake)).toContain('CURRENCY_MISSING')
    expect(reasonsOf(lake)).toContain('add "currency": "EUR" to "constants"')
  })

  test('with two currencies in one country are refused, naming the file', async () => {
    const rows = ['acme,bg,1,2026-11-01,3.45,BGN', 'acme,bg,2,2026-11-01,3.45,EUR']
    const lake = await runFiles({ 'price_observations/a.csv': csv(...rows) })
    expect(reasonsOf(lake)).toContain('price_observations/a.csv: its prices of bg are in EUR, but those of')
  })

  test('stay those of the lake in later deliveries', async () => {
    const { lake } = await runFiles({ 'price_observations/a.csv': csv('acme,pt,1,2026-11-01,3.45,EUR') })
    const missing = await runFiles({ 'price_observations/a.csv': csv('acme,pt,1,2026-11-02,3.46,') }, { lake })
    expect(await stored(missing)).toHaveLength(2)
    const other = await runFiles(
      { 'price_observations/a.csv': csv('acme,pt,1,2026-11-03,3.46,USD') },
      { lake, ...strictly },
    )
    expect(reasonsOf(other)).toContain('CURRENCY_MISMATCH')
  })
})

describe('a currency that a file states', () => {
  const constants = { platform: 'acme', country: 'us', currency: 'USD', observed_at: '2026-11-01' }
  const described = { constants, columns: { listing_id: 'id' }, price_text: true }

  test('in a column, by a sign after the price or by a code before it is not overridden by a constant', async () => {
    const files = {
      'column.csv': 'id,price,currency_code\n1,3.45,UAH\n2,3.45,UAH\n',
      'sign.csv': 'id,price\n1,"3,15 €"\n2,"4,15 €"\n',
      'code.csv': 'id,price\n1,EGP 6250.00\n2,EGP 6.00\n',
    }
    const strict = { ...described, max_quarantine: 0 }
    const lake = await runDescribed(
      Object.fromEntries(Object.entries(files).map(([name, file]) => [name, [file, strict]])),
    )
    expect(lake.status).toBe('refused')
    for (const name of Object.keys(files))
      expect(lake.reasons).toContainEqual(expect.stringMatching(new RegExp(`${name}.*2 are CURRENCY_MISMATCH`)))
  })

  test('in a column is overridden by an expression that says so', async () => {
    const { currency: _, ...rest } = constants
    const columns = { listing_id: 'id', currency: { sql: "'USD'" } }
    const lake = await runDescribed({
      'a.csv': ['id,price,currency\n1,3.45,UAH\n', { ...described, constants: rest, columns }],
    })
    expect(await stored(lake)).toEqual([{ country: 'us', price: 345 }])
  })
})

const printed = [
  ['jp', 'JPY', '59,400円', 59_400],
  ['ae', 'AED', 'Dhs 1,050', 105_000],
  ['br', 'BRL', 'R$ 1.299,90', 129_990],
  ['pt', 'EUR', '3,15 €', 315],
  ['ua', 'UAH', '1 299,50 грн', 129_950],
  ['in', 'INR', 'Rs. 1,25,000', 12_500_000],
  ['kr', 'KRW', '₩12,900', 12_900],
  ['eg', 'EGP', '6250.00 EGP', 625_000],
  ['cz', 'CZK', '129,90 Kč', 12_990],
  ['ir', 'IRR', '۴۵٬۰۰۰ تومان', 450_000],
] as const

test('a price is read as its country prints it', async () => {
  const described = printed.map(([country, currency, text]) => {
    const constants = { platform: 'acme', country, currency, observed_at: '2026-11-01' }
    const description = { constants, columns: { listing_id: 'id' }, price_text: true, delimiter: ';' }
    return [`${country}.csv`, [`id;price\n1;${text}\n`, description]] as const
  })
  const prices = printed.map(([country, , , price]) => ({ country, price }))
  expect(await stored(await runDescribed(Object.fromEntries(described)))).toEqual(
    prices.sort((one, other) => (one.country < other.country ? -1 : 1)),
  )
})

describe('decimals', () => {
  const constants = { platform: 'acme', country: 'lv', currency: 'EUR', observed_at: '2026-11-01' }
  const fuel = 'id,price\n1,1.879\n2,1.9\n'
  const described = { constants, columns: { listing_id: 'id' } }

  test('that are finer than the lake stores are refused, naming the option, and stored with it', async () => {
    const refused = await runDescribed({ 'a.csv': [fuel, { ...described, max_quarantine: 0 }] })
    expect(reasonsOf(refused)).toContain('1 is PRICE_TOO_FINE')
    expect(reasonsOf(refused)).toContain('"decimals": 3')
    const lake = await runDescribed({ 'a.csv': [fuel, { ...described, decimals: 3 }] })
    expect(await stored(lake)).toEqual([
      { country: 'lv', price: 1879 },
      { country: 'lv', price: 1900 },
    ])
    expect(await countriesOf(lake)).toEqual({ lv: { currency: 'EUR', decimals: 3 } })
  })

  test('of a lake do not change: more are refused, fewer round', async () => {
    const { lake } = await runDescribed({ 'a.csv': ['id,price\n9,1.80\n', described] })
    const feeds = { 'price_observations/a.csv': fuel }
    const withDecimals = (decimals: number) => ({
      ...feeds,
      'price_observations/feed.json': JSON.stringify({ ...described, decimals }),
    })
    expect(reasonsOf(await runFiles(withDecimals(3), { lake }))).toContain('the lake stores prices of lv with 2')
    expect(await stored(await runFiles(withDecimals(2), { lake }))).toEqual([
      { country: 'lv', price: 180 },
      { country: 'lv', price: 188 },
      { country: 'lv', price: 190 },
    ])
  })
})

test('whole numbers in Parquet are refused outside us and ca unless the mapping says what they are', async () => {
  const folder = await temporaryFolder()
  await query(`COPY (SELECT '1' AS listing_id, 132499 AS price) TO '${folder}/a.parquet'`)
  const content = await readFile(`${folder}/a.parquet`)
  const constants = { platform: 'acme', country: 'ru', currency: 'RUB', observed_at: '2026-11-01' }
  const refused = await runDescribed({ 'a.parquet': [content, { constants, max_quarantine: 0 }] })
  expect(reasonsOf(refused)).toContain('"integer_prices"')
  const units = await runDescribed({ 'a.parquet': [content, { constants, integer_prices: 'units' }] })
  expect(await stored(units)).toEqual([{ country: 'ru', price: 13_249_900 }])
  const minor = await runDescribed({ 'a.parquet': [content, { constants, integer_prices: 'minor' }] })
  expect(await stored(minor)).toEqual([{ country: 'ru', price: 132_499 }])
})

describe('names in other scripts', () => {
  const lake = runFiles({
    'price_observations/a.csv': [
      'platform,country,listing_id,observed_at,price,currency,product_name,brand,category_path',
      'yodo,jp,1,2026-11-01,59400,JPY,炊飯器 象印 NP-1,象印,家電 > 炊飯器',
      'yodo,jp,2,2026-11-01,59400,JPY,ﾊﾟﾅｿﾆｯｸ 炊飯器,パナソニック,家電 > 炊飯器',
      'shufersal,il,1,2026-11-01,12.90,ILS,חלב תנובה 3%,תנובה,מוצרי חלב > חלב',
      'acme,ua,1,2026-11-01,42.50,UAH,Молоко Яготинське 2.6%,Яготинське,Продукти > Молоко',
    ].join('\n'),
  })

  test('keep their brands, categories and slugs', async () => {
    const { lake: folder, snapshot_id } = await lake
    const of = (table: string) => `read_parquet('${folder}/snapshots/${snapshot_id}/${table}.parquet')`
    expect(await query(`SELECT path FROM ${of('categories')} ORDER BY path`)).toEqual(
      ['продукти', 'продукти/молоко', 'מוצרי-חלב', 'מוצרי-חלב/חלב', '家電', '家電/炊飯器'].map((path) => ({ path })),
    )
    const brands = await query(`SELECT brand_norm FROM ${of('brands')} ORDER BY brand_norm`)
    expect(brands.map(({ brand_norm }) => String(brand_norm)).sort()).toEqual(
      ['תנובה', 'яготинське', 'パナソニック', '象印'].sort(),
    )
  })
})

describe('a lake of us and others', () => {
  let engine: Engine
  beforeAll(async () => {
    const rows = (country: string, currency: string, price: (i: number) => string, path: string) =>
      Array.from(
        { length: 30 },
        (_, i) =>
          `shop-${country},${country},${i},2026-11-0${1 + (i % 9)},${price(i)},${currency},Item ${i} 12 oz,Brand ${country},${path}`,
      )
    const header = 'platform,country,listing_id,observed_at,price,currency,product_name,brand,category_path'
    const usRows = rows('us', 'USD', (i) => `${4 + i}.49`, 'Grocery > Coffee')
    const others = [
      ...rows('pt', 'EUR', (i) => `${3 + i}.19`, 'Mercearia > Azeite'),
      ...rows('jp', 'JPY', (i) => `${59_400 + 100 * i}`, '家電 > 炊飯器'),
    ]
    const { lake } = await runFiles({ 'price_observations/a.csv': [header, ...usRows, ...others].join('\n') })
    engine = await Engine.open(lake, { as_of: new Date('2026-11-20T00:00:00Z') })
  })

  const answer = async (from: Engine, id: string, params: object) => {
    const [group, name] = id.split('/') as [string, string]
    return from.ask(findQuery(group, name)!, params as never)
  }
  test('answers others in their currency and decimals', async () => {
    expect(await answer(engine, 'analyst/category-summary', { category: 'azeite', country: 'pt' })).toMatchObject({
      currency: 'EUR',
      pricing: { min: 3.19, max: 32.19, median: 17.69 },
      representative_floor: 1.77,
    })
    expect(await answer(engine, 'analyst/price-dispersion', { category: '炊飯器', country: 'jp' })).toMatchObject({
      currency: 'JPY',
      min_price: 59_400,
      percentiles: { p50: 60_850 },
    })
  })

  test('refuses a country that it does not hold, naming those that it does', async () => {
    await expect(answer(engine, 'analyst/category-summary', { category: 'coffee', country: 'de' })).rejects.toThrow(
      'country: expected one of us, ca, jp, pt, got "de"',
    )
  })

  test('of one country is about that without the parameter', async () => {
    const { lake } = await run(
      await givenFiles({
        'price_observations/a.csv': csv('acme,pt,1,2026-11-01,3.45,EUR'),
      }),
    )
    const only = await Engine.open(lake, { as_of: new Date('2026-11-20T00:00:00Z') })
    expect(only.countries.usual).toBe('pt')
    expect(engine.countries.usual).toBe('us')
    only.close()
  })

  test('that holds several countries, none of them the United States, requires the parameter', async () => {
    const rows = ['acme,pt,1,2026-11-01,3.45,EUR', 'acme,br,2,2026-11-01,7.49,BRL']
    const { lake } = await run(await givenFiles({ 'price_observations/a.csv': csv(...rows) }))
    const several = await Engine.open(lake, { as_of: new Date('2026-11-20T00:00:00Z') })
    expect(several.countries.usual).toBeNull()
    const coverage = { category: 'coffee' }
    await expect(answer(several, 'analyst/category-summary', coverage)).rejects.toThrow(
      'country: required; send one of br, pt',
    )
    const schema = { type: 'string', enum: ['us', 'ca'], default: 'us' }
    expect(ofLake(schema, several.countries)).toEqual({ type: 'string', enum: ['us', 'ca', 'br', 'pt'] })
    several.close()
  })
})
