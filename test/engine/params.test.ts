import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { paramFields, queries, queryId, readParams } from '../../engine/index.ts'
import { type Given, queryNamed } from '../support/ask.ts'
import { expectNoZodWords } from '../support/refusal-words.ts'
import { paramsFor } from '../support/world-queries.ts'

const inflation = queryNamed('analyst/inflation')
const read = (given: Record<string, string | string[]>) => readParams(inflation, { category: 'coffee', ...given })
const textOf = (given: Given): Record<string, string> =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]))
const refusal = (parameter: string) =>
  expect.objectContaining({ code: 'INVALID_PARAMS', details: expect.objectContaining({ parameter }) })

test('parameters are read from text, with defaults', () => {
  expect(read({ days: '7', retailer: 'Best-Buy' })).toEqual({
    category: 'coffee',
    // The engine fills in the country, by what the lake holds.
    country: '',
    retailer: 'best-buy',
    days: 7,
    regular: false,
  })
})

test('a parameter takes a value in all queries or in none, so that a command line can be read without its query', () => {
  const types = queries.flatMap((query) =>
    paramFields(query).map(({ name, type }) => [name, type === 'boolean'] as const),
  )
  const flags = new Map(types)
  expect(types.filter(([name, isFlag]) => flags.get(name) !== isFlag)).toEqual([])
})

describe.each(queries.map((query) => ({ id: queryId(query), query })))('$id refuses by name', ({ query }) => {
  const given = textOf(paramsFor(query))
  const [name = ''] = Object.keys(query.params.shape)

  test('an unknown parameter', () => {
    expect(() => readParams(query, { ...given, colour: 'red' })).toThrow(refusal('colour'))
    // Names that every object has are no parameters either.
    expect(() => readParams(query, { ...given, constructor: 'x' })).toThrow(refusal('constructor'))
  })

  test.skipIf(name === '')('a repeated parameter', () => {
    for (const twice of [
      ['a', 'b'],
      ['', '5'],
      ['a', 'a', 'a'],
    ])
      expect(() => readParams(query, { ...given, [name]: twice })).toThrow(refusal(name))
  })

  test('an empty required parameter, while an empty optional one counts as absent', () => {
    const { required = [] } = z.toJSONSchema(query.params, { io: 'input' })
    const usual = readParams(query, given)
    for (const name of Object.keys(query.params.shape))
      for (const empty of ['', '  ']) {
        const isRequired = required.includes(name)
        if (isRequired) expect(() => readParams(query, { ...given, [name]: empty })).toThrow(refusal(name))
        else if (!(name in given)) expect(readParams(query, { ...given, [name]: empty }), name).toEqual(usual)
      }
  })

  test('an invalid value, with what to send instead', () => {
    const wrong = ['abc', '0', '-1', '1.5', '1e3', '9'.repeat(30), 'NaN', 'null', 'mx', ' us', '2026-02-30', 'x,,']
    const names = Object.keys(query.params.shape)
    let refused = 0
    for (const name of names)
      for (const value of [...wrong, 'x'.repeat(3000), ['a', 'b'], 'é', 'true ', '[]', '1,2', '12345678,1'])
        try {
          readParams(query, { ...given, [name]: value })
        } catch (error) {
          refused += 1
          expectNoZodWords(error, name)
        }
    expect(refused).toBeGreaterThanOrEqual(names.length)
  })

  test('a missing parameter', () => {
    try {
      readParams(query, {})
    } catch (error) {
      expectNoZodWords(error)
      expect((error as Error).message).toMatch(/required; send|send either browse_id or q/)
    }
  })
})

test.each([
  ['granularity', 'yearly'],
  ['time_window', 'last_7_days'],
  ['from', 'yesterday'],
  ['from', '2026-02-30'],
  ['to', '20261121'],
  ['days', '0'],
  ['days', '-3'],
  ['days', '1.5'],
  ['days', '1e3'],
  ['days', '0x10'],
  ['days', 'NaN'],
  ['category', 'x'.repeat(201)],
])('%s cannot be %s', (parameter, value) => {
  expect(() => read({ [parameter]: value })).toThrow(refusal(parameter))
})

test.each([
  ['analyst/inflation', 'limit', '5', /^limit: is not a parameter of analyst\/inflation; it accepts category, /],
  ['analyst/inflation', 'days', '0', /^days: expected a whole number, at least 1, got 0$/],
  ['analyst/inflation', 'days', 'ten', /^days: expected a whole number, at least 1, got "ten"$/],
  ['analyst/inflation', 'to', 'now', /^to: expected a UTC day such as .*, or an RFC 3339 time such as .*, got "now"$/],
  ['analyst/inflation', 'as_of', '1', /^as_of: expected a UTC day such as 2026-10-31, got 1$/],
  ['analyst/inflation', 'category', 'x'.repeat(201), /^category: expected text of 1 to 200 characters.*, got 201 char/],
  ['public/brands', 'limit', '501', /^limit: expected a whole number from 1 to 500, got 501$/],
  ['shopper/deal-finder', 'min_discount_pct', '70.5', /^min_discount_pct: expected a number from 1 to 70, got 70.5$/],
  ['social/topic-trends', 'organic_only', 'maybe', /^organic_only: expected true or false, got "maybe"$/],
  ['reference/classify', 'browse_id', '1,b', /^browse_id: expected ids of 1 to 20 digits, comma-separated, got "b"$/],
  ['reference/reverse', 'gpc_code', '', /^gpc_code: is empty; send text, such as 10001145$/],
])('%s explains for %s=%s what to send instead', (id, name, value, message) => {
  const query = queryNamed(id)
  expect(() => readParams(query, { ...textOf(paramsFor(query)), [name]: value })).toThrow(message)
})

test.each(['1827', '99999', '9'.repeat(30)])('days=%s is read as the longest possible window', (days) => {
  expect(read({ days })).toMatchObject({ days: 1826 })
  expect(readParams(queryNamed('shopper/price-drop-alert'), { q: 'a', lookback_days: days })).toMatchObject({
    lookback_days: 1826,
  })
  expect(readParams(queryNamed('shopper/deal-finder'), { days })).toMatchObject({ days: 365 })
})

test.each(['2026-11-21', '2026-11-21T10:00:00Z', '2026-11-21T10:00:00+02:00'])(
  'the bound of a window may be %s',
  (from) => {
    expect(read({ from })).toMatchObject({ from })
  },
)

test.each(['inflation', 'price-dispersion', 'category-summary'])(
  'analyst/%s requires a category, a department or both',
  (name) => {
    const query = queryNamed(`analyst/${name}`)
    expect(() => readParams(query, {})).toThrow(refusal('category'))
    for (const given of [{ category: 'a' }, { department: 'b' }, { category: 'a', department: 'b' }])
      expect(readParams(query, given)).toMatchObject(given)
  },
)
