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
  test('makes dates of columns named by months in any language, whose amounts have a currency', async () => {
    const months = ['ene-26', 'feb-26', 'mar-26', 'abr-26']
    const file = table('canasta.csv', ['Producto', ...months], (at) => [
      `Frijol ${at}`,
      ...months.map((_, month) => `$${20 + month + (at % 9)}.50`),
    ])
    const { unpivot, columns, timestamp_format } = (await proposed(file)).mapping.price_observations!
    expect(unpivot).toEqual({ columns: months, name_to: 'observed_at', value_to: 'price' })
    expect(columns).toMatchObject({ product_name: 'Producto', observed_at: { sql: expect.stringContaining("'ene'") } })
    expect(timestamp_format).toBe('%b %y')
  })

  test('takes points for thousands where the country has decimal commas', async () => {
    const file = table('kanepe.csv', ['Ürün Adı', 'Fiyat'], (at) => [`Yatak örtüsü ${at}`, `${2 + at}.499`])
    const entry = (await proposed(file)).mapping.price_observations!
    expect(entry.decimal_comma).toBe(true)
    expect(entry).not.toHaveProperty('decimals')
  })

  test('says that a regular or lowest price is read for lack of another, and prefers a current one', async () => {
    const names = ['sku', 'name', 'lowest_price', 'regular_price', 'current_price']
    const rows = (at: number) => [`A${at}`, `Tea ${at}`, '2.50', '4.50', `3.${10 + (at % 80)}`]
    const { mapping, notes } = await proposed(table('a.csv', names, rows))
    expect(mapping.price_observations!.columns).toMatchObject({ price: 'current_price', list_price: 'regular_price' })
    expect(notes.join()).not.toContain('no other column has a current price')
    const only = await proposed(table('b.csv', ['sku', 'name', 'regular_price'], (at) => rows(at).slice(0, 3)))
    expect(only.notes.join()).toContain('no other column has a current price, so "regular_price"')
    const sometimes = table('c.csv', ['sku', 'name', 'current_price', 'regular_price'], (at) => [
      `A${at}`,
      `Tea ${at}`,
      at % 2 ? '3.50' : '',
      '4.50',
    ])
    expect((await proposed(sometimes)).mapping.price_observations!.columns).toMatchObject({
      price: { sql: expect.stringMatching(/THEN "current_price" ELSE regular_price/) },
      list_price: { sql: expect.stringContaining('THEN regular_price') },
    })
  })

  test.each([
    ['prices', ['price'], (amount: string) => [`${amount} تومان`], undefined],
    ['the name', ['price_toman'], (amount: string) => [amount], `nullif(trim("price_toman"::VARCHAR), '') || ' toman'`],
    ['currencies', ['price', 'currency'], (amount: string) => [amount, 'Toman'], "concat(price, ' ', currency)"],
  ])('counts a toman as ten rials where %s have the word', async (_, names, cells, sql) => {
    const file = table('bazar.csv', ['title', ...names], (at) => [`Tea ${at}`, ...cells(String(25_000 + at))])
    const { mapping, groups, notes } = await proposed(file)
    const { columns, price_text } = mapping.price_observations!
    expect(price_text).toBe(true)
    expect(columns?.price).toEqual(sql && { sql })
    expect(groups[0]!.stand_ins).toContainEqual({ column: 'country', value: 'ir', isSuggested: true })
    expect(notes.join()).toMatch(/counts as 10 IRR each/)
  })

  test('tells languages with the same names of columns by their letters, and addresses name listings', async () => {
    const polish = await proposed(table('ceny.csv', ['Produkt', 'price'], (at) => [`Masło żółte ${at}`, '3.50']))
    expect(polish.groups[0]!.stand_ins).toContainEqual({ column: 'country', value: 'pl', isSuggested: true })
    const bare = table('x.csv', ['column1', 'column2'], (at) => [`https://acme.example/p/${at}`, `$${3 + at}.50`])
    const { price_observations } = (await proposed({ ...bare, options: { header: false } })).mapping
    expect(price_observations).toMatchObject({
      columns: { price: 'column2', url: 'column1' },
      listing_id_from: ['column1'],
    })
  })
})
