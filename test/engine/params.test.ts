import { describe, expect, test } from 'vitest'
import { queries, queryId, readParams } from '../../engine/index.ts'
import { queryNamed } from '../support/ask.ts'
import { questionFor } from '../support/world-questions.ts'

const inflation = queryNamed('analyst/inflation')
const read = (given: Record<string, string | string[]>) => readParams(inflation, { category: 'coffee', ...given })
const refusal = (parameter: string) =>
  expect.objectContaining({ code: 'INVALID_PARAMS', details: expect.objectContaining({ parameter }) })

test('text becomes values, with defaults', () => {
  expect(read({ days: '7', retailer: 'Best-Buy' })).toEqual({
    category: 'coffee',
    country: 'us',
    retailer: 'best-buy',
    days: 7,
    granularity: 'monthly',
  })
})

describe.each(queries.map((query) => ({ id: queryId(query), query })))('$id refuses, naming it,', ({ query }) => {
  const given = Object.fromEntries(Object.entries(questionFor(query)).map(([name, value]) => [name, String(value)]))
  const [name = ''] = Object.keys(query.params.shape)

  test('an unknown parameter', () => {
    expect(() => readParams(query, { ...given, colour: 'red' })).toThrow(refusal('colour'))
    // Names that every object has are no parameters either.
    expect(() => readParams(query, { ...given, constructor: 'x' })).toThrow(refusal('constructor'))
  })

  test.skipIf(name === '')('a parameter that is repeated or empty', () => {
    expect(() => readParams(query, { ...given, [name]: ['a', 'b'] })).toThrow(refusal(name))
    for (const empty of ['', '  ']) expect(() => readParams(query, { ...given, [name]: empty })).toThrow(refusal(name))
  })
})

test.each([
  ['country', 'mx'],
  ['country', 'US '],
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
  ['days', '1827'],
  ['days', 'NaN'],
  ['category', 'x'.repeat(201)],
])('%s does not take %s', (parameter, value) => {
  expect(() => read({ [parameter]: value })).toThrow(refusal(parameter))
})

test.each(['2026-11-21', '2026-11-21T10:00:00Z', '2026-11-21T10:00:00+02:00'])('a bound may be %s', (from) => {
  expect(read({ from })).toMatchObject({ from })
})

test.each(['inflation', 'price-dispersion', 'category-summary'])(
  'analyst/%s takes a category, a department or both',
  (name) => {
    const query = queryNamed(`analyst/${name}`)
    expect(() => readParams(query, {})).toThrow(refusal('category'))
    for (const given of [{ category: 'a' }, { department: 'b' }, { category: 'a', department: 'b' }])
      expect(readParams(query, given)).toMatchObject(given)
  },
)
