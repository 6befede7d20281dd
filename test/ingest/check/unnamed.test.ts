import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, describe, expect, test } from 'vitest'
import { likelyCountry, shopHint } from '../../../ingest/check/columns/countries.ts'
import type { SampledFile } from '../../../ingest/check/read/sample.ts'
import { sniff } from '../../../ingest/check/read/sniff.ts'
import { proposeChecked } from './proposed.ts'
import { table } from './sampled.ts'

const instance = await DuckDBInstance.create(':memory:')
const connection = await instance.connect()

afterAll(() => {
  connection.closeSync()
  instance.closeSync()
})

const propose = (file: SampledFile) => proposeChecked(connection, [file])
const proposed = async (file: SampledFile) => (await propose(file)).mapping.price_observations

describe('numbers that nothing calls prices', () => {
  test('are of variants where rows name products and they end as prices do, with a decision', async () => {
    const file = table('pool.csv', ['Název vstupenky', 'Dospělí', 'Studenti', 'Senioři'], (at) => [
      ...[`Vstup na ${at + 1} hodin`, `${200 + 10 * at}`, `${120 + 5 * at}`, `${90 + 5 * at}`],
    ])
    const { mapping, decisions } = await propose(file)
    expect(mapping.price_observations).toMatchObject({
      unpivot: { columns: ['Dospělí', 'Studenti', 'Senioři'], name_to: 'variant', value_to: 'price' },
      listing_id_from: ['Název vstupenky', 'variant'],
    })
    expect(decisions.join('\n')).toContain(
      'price: no column is called a price; the numbers of Dospělí, Studenti, Senioři',
    )
  })

  test('are prices beside dates alone if they are round thousands', async () => {
    const amount = (at: number, from: number) => `${from + (at % 5)},${at % 2 ? '50' : '00'}0`
    const file = table('daily.csv', ['tanggal', 'beras', 'gula', 'telur'], (at) => [
      ...[`${String(1 + (at % 28)).padStart(2, '0')}/0${1 + Math.floor(at / 28)}/2026`],
      ...[amount(at, 11), amount(at, 14), amount(at, 25)],
    ])
    expect(await proposed(file)).toMatchObject({ unpivot: { name_to: 'product_name' }, price_text: true })
  })

  test('are not of variants in a table without a header', async () => {
    const file = table('p.csv', ['column1', 'column2', 'column3', 'column4'], (at) => [
      ...[`Phone A${at} black`, `${390 + 5 * at}`, `${100 + 10 * (at % 7)}`, `${50 + 5 * (at % 9)}`],
    ])
    expect(await proposed({ ...file, options: { header: false } })).toBeUndefined()
  })

  test('are no prices beside years alone, as shares of the markets of shops are none', async () => {
    const file = table('market.csv', ['Year', 'Walmart', 'Kroger', 'Costco'], (at) => [
      ...[`${1966 + at}`, `${20 + (at % 7)}.31`, `${11 + (at % 5)}.87`, `${4 + (at % 3)}.42`],
    ])
    expect(await proposed(file)).toBeUndefined()
  })

  test('are of shops that are well known, even if most cells are 0', async () => {
    const price = (at: number, shop: number) => (at % 3 === shop ? `${20 + 2 * at + shop}.99` : '0.0')
    const file = table('all.csv', ['Model', 'Eroski', 'Consum', 'Tienda Azul'], (at) => [
      ...[`KX${at}00`, price(at, 0), price(at, 1), price(at, 2)],
    ])
    const { mapping, groups } = await propose(file)
    expect(mapping.price_observations?.unpivot).toMatchObject({ name_to: 'platform' })
    expect(groups[0]!.stand_ins).toContainEqual(expect.objectContaining({ column: 'country', value: 'es' }))
  })

  test('are measures where they end in any digit', async () => {
    const file = table('rivers.csv', ['Název řeky', 'Horní Lhota', 'Dolní Lhota', 'Most'], (at) => [
      ...[
        `Řeka ${at}`,
        `${(at * 37) % 101}.${at % 10}`,
        `${(at * 53) % 97}.${(at * 7) % 10}`,
        `${(at * 71) % 89}.${(at * 3) % 10}`,
      ],
    ])
    expect(await proposed(file)).toBeUndefined()
  })
})

test('the only amounts of a table without a header are prices among texts of errors', async () => {
  const amount = (at: number) => (at % 3 === 0 ? `${11 + at}.90` : at % 3 === 1 ? 'Timeout' : 'Blocked (403)')
  const file = table('log.csv', ['column1', 'column2', 'column3', 'column4'], (at) => [
    ...[`2026-02-${10 + (at % 15)}`, `Face cream number ${at >> 2}`, '50ml', amount(at)],
  ])
  const { mapping, decisions } = await propose({ ...file, options: { header: false } })
  expect(mapping.price_observations?.columns).toMatchObject({ price: 'column4', product_name: 'column2' })
  expect(decisions.join('\n')).toContain('max_quarantine: about 67 % of the rows have no price above 0')
})

test('a log of changes has the first price of a product in one column, and later ones in another', async () => {
  const file = table('log.csv', ['date', 'name', 'price', 'from', 'to'], (at) => [
    ...[`2026-02-${10 + Math.floor(at / 4)}`, `Wool socks ${at % 4}`],
    ...(at < 4 ? [`${10 + at}.95`, '', ''] : ['', `${9 + at}.95`, `${10 + at}.95`]),
  ])
  const mapping = await proposed(file)
  expect(mapping?.columns?.price).toEqual({ sql: 'coalesce("price", "to")' })
  expect(mapping?.max_quarantine).toBeUndefined()
})

describe('a country is suggested', () => {
  test('by most of the shops that are well known', () => {
    expect(likelyCountry(shopHint(['konzum', 'studenac', 'emag', 'corner shop'], 2))).toEqual({
      country: 'hr',
      isOnly: true,
    })
    expect(shopHint(['corner shop'], 2)).toEqual([])
  })

  test('by pictures where no page has an address', async () => {
    const file = table('list.csv', ['name', 'price', 'image'], (at) => [
      ...[`Rusk ${at}`, `${20 + at}.99`, `https://img.shop.co.za/${at}.jpg`],
    ])
    const { groups } = await propose(file)
    expect(groups[0]!.stand_ins).toContainEqual(expect.objectContaining({ column: 'country', value: 'za' }))
  })
})

test('a shop that the sample lacks has a key, too', async () => {
  const names = ['חנות', 'שם מוצר', 'מחיר']
  const file = table('a.csv', names, (at) => [at % 2 ? 'הסופר שלנו' : 'המכולת', `מוצר ${at}`, `${5 + at}.90`])
  const platform = (await proposed(file))?.columns?.platform as { sql: string }
  const rows = await connection.runAndReadAll(
    `SELECT ${platform.sql} FROM (VALUES ('המכולת'), ('חנות חדשה'), ('Corner Shop')) shops("חנות")`,
  )
  const [known, other, latin] = rows.getRows().flat()
  expect(known).toMatch(/^xn--/)
  expect(other).toMatch(/^s-[0-9a-f]{12}$/)
  expect(latin).toBe('corner-shop')
})

test('letters of Cyrillic are not read as Thai', () => {
  const bytes = Uint8Array.from(
    [...'name,ціна\nЧай зелений листовий,45\nЯблука солодкі зимові,30\n'].map((letter) => {
      const code = letter.codePointAt(0)!
      return letter === 'і' ? 0xb3 : code > 127 ? code - 0x350 : code
    }),
  )
  const sniffed = sniff('prices.csv', bytes, true)
  expect(sniffed.encoding).toBe('windows-1251')
  expect(sniffed.columns[0]!.values[0]).toBe('Чай зелений листовий')
})
