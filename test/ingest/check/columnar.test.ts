import { describe, expect, test } from 'vitest'
import { type CheckResult, check } from '../../../ingest/check/check.ts'
import { givenFiles } from '../feeds.ts'

const NAMES = Array.from({ length: 30 }, (_, at) => `Thing ${at}, ${100 + at} g`)
const PRICES = NAMES.map((_, at) => (2 + at * 0.37).toFixed(2))
const DAY = '2026-05-01'
const ROWS = NAMES.map((name, at) => [name, PRICES[at], DAY])

const byNumber = (values: readonly string[]) => Object.fromEntries(values.entries())

const checked = async (document: unknown): Promise<CheckResult> =>
  check({ paths: [await givenFiles({ 'prices.json': JSON.stringify(document) })] })

describe('a JSON document of columns', () => {
  test.each<[string, unknown, string]>([
    ['lists', { name: NAMES, price: PRICES, date: NAMES.map(() => DAY) }, '<>'],
    ['lists in a member', { date: DAY, products: { name: NAMES, price: PRICES } }, 'products.<>'],
    [
      'objects by number',
      { name: byNumber(NAMES), price: byNumber(PRICES), date: byNumber(NAMES.map(() => DAY)) },
      '<>',
    ],
    ['rows below a list of names', { columns: ['name', 'price', 'date'], index: [1, 2], data: ROWS }, 'data[]'],
    [
      'rows beside fields',
      {
        fields: [{ name: 'precio' }, { name: 'nombre' }, { name: 'fecha' }],
        rows: ROWS.map(([name, price, day]) => [price, name, day]),
      },
      'rows[]',
    ],
  ])('as %s is read', async (_, document, json_path) => {
    const result = await checked(document)
    expect(result.mapping?.price_observations?.json_path).toBe(json_path)
    expect(result.files).toMatchObject([{ rows_read: 30, kept: 30 }])
    expect(result.rows[1]!.values).toMatchObject({
      product_name: NAMES[1],
      price: PRICES[1],
      observed_at: `${DAY}T00:00:00.000Z`,
    })
  })

  test('with the names in its first row is read, and that row refused', async () => {
    const result = await checked([['name', 'price', 'date'], ...ROWS])
    expect(result.mapping?.price_observations?.json_path).toBe('[]')
    expect(result.files).toMatchObject([{ rows_read: 31, kept: 30 }])
  })

  test('by the names of products names them by these', async () => {
    const [price, stock] = [PRICES, NAMES.map(() => 1)].map((values) =>
      Object.fromEntries(NAMES.map((name, at) => [name, values[at]])),
    )
    const result = await checked({ price, stock })
    expect(result.mapping?.price_observations?.json_path).toBe('<key>')
    expect(result.rows[2]!.values).toMatchObject({ product_name: NAMES[2], price: PRICES[2] })
  })

  test('with a column of dates has a product in each other one', async () => {
    const date = NAMES.map((_, at) => `2026-05-${String(at + 1).padStart(2, '0')}`)
    const result = await checked({ date, milk_price: PRICES, bread_price: PRICES.toReversed() })
    expect(result.files).toMatchObject([{ rows_read: 60, kept: 60 }])
  })
})
