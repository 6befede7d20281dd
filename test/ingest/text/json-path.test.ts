import { describe, expect, test } from 'vitest'
import { type Content, type Given, linesOf, splitJsonOf } from './scanning.ts'

/** The records that DuckDB reads of a document, parsed. */
const recordsOf = async (content: Content, given: Given = {}): Promise<unknown[]> => {
  const { scanned } = await splitJsonOf(content, given)
  const lines = await linesOf(scanned)
  return lines.map((line) => JSON.parse(line ?? ''))
}

describe('json_path', () => {
  const shop = {
    currency: 'USD',
    shop: { name: 'A', city: 'X' },
    items: [
      {
        sku: 's1',
        name: 'B',
        tags: ['t'],
        history: [
          { on: '2026-01', price: 1 },
          { on: '2026-02', price: 2, name: 'C' },
        ],
      },
      { sku: 's2', name: 'D', history: [] },
    ],
  }
  const gpus = {
    283739: { title: 'T', price_records: [{ '03/28/2022': 1429.99 }, { '03/29/2022': 1, '03/30/2022': 2 }] },
  }

  test.each<[string, unknown, string, unknown[]]>([
    ['the elements of a member', shop, 'items[]', shop.items.map((item) => ({ currency: 'USD', ...item }))],
    [
      'elements of elements, with the scalars around them, an outer one of the same name beside the inner',
      shop,
      'items[].history[]',
      [
        { currency: 'USD', sku: 's1', name: 'B', on: '2026-01', price: 1 },
        { currency: 'USD', sku: 's1', name: 'C', on: '2026-02', price: 2, 'outer.name': 'B' },
      ],
    ],
    ['a member alone', shop, 'shop', [{ currency: 'USD', name: 'A', city: 'X' }]],
    ['a scalar', shop, 'shop.city', [{ currency: 'USD', name: 'A', city: 'X', value: 'X' }]],
    ['elements that are scalars', { a: [1, null, 'x'] }, 'a[]', [{ value: 1 }, { value: null }, { value: 'x' }]],
    ['elements that are arrays', [[1, 2], [3]], '[]', [{ value: [1, 2] }, { value: [3] }]],
    ['elements of elements without a name', [[1, 2], [3]], '[][]', [{ value: 1 }, { value: 2 }, { value: 3 }]],
    [
      'keys',
      gpus,
      '{sku}.price_records[].{time}',
      [
        { title: 'T', value: 1429.99, sku: '283739', time: '03/28/2022' },
        { title: 'T', value: 1, sku: '283739', time: '03/29/2022' },
        { title: 'T', value: 2, sku: '283739', time: '03/30/2022' },
      ],
    ],
    ['a key before a member of its name', { x: { sku: 'inner' } }, '{sku}', [{ sku: 'x' }]],
    [
      'keys of keys, with the scalars beside the outer ones',
      { date: '2026-01', note: null, Tea: { North: 1 }, Rice: { North: 2 } },
      '{product}.{place}',
      [
        { date: '2026-01', note: null, product: 'Tea', place: 'North', value: 1 },
        { date: '2026-01', note: null, product: 'Rice', place: 'North', value: 2 },
      ],
    ],
    [
      'rows of columns, with what is beside the columns',
      { unit: 'kg', sku: ['a', 'b'], price: [1, 2, 3] },
      '<row>',
      [
        { unit: 'kg', sku: 'a', price: 1, row: '0' },
        { unit: 'kg', sku: 'b', price: 2, row: '1' },
        { unit: 'kg', price: 3, row: '2' },
      ],
    ],
    ['rows by key', { x: { p: { a: 1 }, q: { a: 2, b: 3 } } }, 'x.<>', [{ p: 1, q: 2 }, { q: 3 }]],
    ['members of odd names', { 'a b': { $id: [{ 'é-1': 1 }] } }, 'a b.$id[]', [{ 'é-1': 1 }]],
  ])('selects %s', async (_, document, json_path, expected) => {
    for (const form of [undefined, 2])
      expect(await recordsOf(JSON.stringify(document, null, form), { json_path })).toEqual(expected)
  })

  test('keeps the digits of long numbers', async () => {
    const content =
      '{"items":[{"id":12345678901234567890,"t":"a 12345678901234567890 \\"1e999\\\\","p":1.10,"x":1e400,"n":-0.1234567890123456789}]}'
    expect(await recordsOf(content, { json_path: 'items[]' })).toEqual([
      {
        id: '12345678901234567890',
        t: 'a 12345678901234567890 "1e999\\',
        p: 1.1,
        x: '1e400',
        n: '-0.1234567890123456789',
      },
    ])
  })

  test('rejects records that are too long', async () => {
    const content = JSON.stringify({ items: [{ a: 1 }, { a: 'x'.repeat(200) }, { a: 2 }] })
    const { scanned, rejected, lineOf } = await splitJsonOf(content, { json_path: 'items[]', max_line_bytes: 100 })
    expect(rejected).toMatchObject([{ line: 2, code: 'ROW_TOO_LONG' }])
    expect([lineOf(1), lineOf(2)]).toEqual([1, 3])
    expect(scanned).toMatchObject({ lines: null, records: 2, rejected: 1 })
  })

  test.each([2, '2.49', '$2'])('refuses %j beside objects, which may be a price', async (butter) => {
    const content = JSON.stringify({ milk: { price: 1 }, butter })
    await expect(splitJsonOf(content, { json_path: '{name}.price' })).rejects.toMatchObject({
      message: expect.stringContaining('json_path does not match at butter: "price" needs an object, got a'),
    })
  })

  test.each([
    [
      'rows[]',
      'a.json: json_path does not match at the top of the document: there is no member "rows", got an object of 3 members: currency, shop, items',
    ],
    ['shop[]', 'json_path does not match at shop: [] needs an array, got an object of 2 members: name, city'],
    ['items', 'json_path does not match at items: add [] to the path for a record of each element, got an array of 2'],
    ['items.sku', 'json_path does not match at items: "sku" needs an object, got an array of 2'],
    ['items[].tags[]', 'json_path does not match at items[1]: there is no member "tags"'],
    ['items[].{x}.y', 'json_path does not match at items[0].sku: "y" needs an object, got a text'],
    ['currency.{x}', 'json_path does not match at currency: {x} needs an object, got a text'],
    ['currency.<>', 'json_path does not match at currency: <> needs an object, got a text'],
    ['', 'json_path is empty'],
    ['items[', 'json_path items[: expected a dot before ['],
    ['{a', 'json_path {a: expected name, [], {name} or <name> at "{a"'],
    ['items[]history', 'json_path items[]history: expected a dot before history'],
    ['a..b', 'expected name, [], {name} or <name> at ".b"'],
    ['a.', 'expected a dot'],
  ])('%j that does not match is refused', async (json_path, message) => {
    const refused = splitJsonOf(JSON.stringify(shop), { json_path })
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_PARAMS', details: { file: 'a.json' } })
    await expect(refused).rejects.toThrow(message)
  })

  test('for a file that is not UTF-8 or not JSON is refused', async () => {
    await expect(splitJsonOf(Buffer.from('{"a":"\xe9"}', 'latin1'), { json_path: 'a' })).rejects.toThrow(
      'it is not UTF-8',
    )
    await expect(splitJsonOf('{"a":1', { json_path: 'a' })).rejects.toThrow('it is not a JSON document')
  })
})
