import { describe, expect, test } from 'vitest'
import { answerFields, columnsOf } from '../../../engine/show/answer-fields.ts'
import { textOf, type ValueField } from '../../../engine/show/text.ts'
import { queryNamed } from '../../support/ask.ts'

const terminal = { currency: 'USD', face: 'plain', hasUnit: true } as const
const page = { currency: 'CAD', face: 'typeset', hasUnit: true } as const
const money: ValueField = { kind: 'number', unit: 'money' }
const change: ValueField = { kind: 'number', unit: 'percent', isSigned: true }
const text: ValueField = { kind: 'text' }

describe('the text of a value', () => {
  test.each([
    [1234.5, money, '$1,234.50', 'C$1,234.50'],
    [-1234.5, money, '-$1,234.50', '−C$1,234.50'],
    // A unit price.
    [0.0123, money, '$0.0123', 'C$0.0123'],
    [2.5, change, '+2.50%', '+2.50%'],
    [-2.5, change, '-2.50%', '−2.50%'],
    [0, change, '0.00%', '0.00%'],
    [2.5, { kind: 'number', unit: 'percent' } as const, '2.50%', '2.50%'],
    [2.5, { kind: 'number', unit: 'points', isSigned: true } as const, '+2.50 pts', '+2.50 pts'],
    [1, { kind: 'number', unit: 'index' } as const, '1.0000', '1.0000'],
    // A size, with the decimals that it has.
    [1.25, { kind: 'number', unit: 'amount' } as const, '1.25', '1.25'],
    [340, { kind: 'number', unit: 'amount' } as const, '340', '340'],
    [26.41, { kind: 'number', unit: 'hours' } as const, '26.4 h', '26.4 h'],
    [4.5, { kind: 'number', unit: 'stars' } as const, '4.50 of 5', '4.50 of 5'],
    [1234, { kind: 'integer', unit: 'count' } as const, '1,234', '1,234'],
    [true, { kind: 'boolean' } as const, 'yes', 'yes'],
    ['2026-11-02', { kind: 'date' } as const, '2026-11-02', '2 Nov 2026'],
    ['2026-11-02T21:59:18Z', { kind: 'time' } as const, '2026-11-02 21:59', '2 Nov 2026, 21:59 UTC'],
    [null, money, '–', '–'],
    [[], { kind: 'json' } as const, '–', '–'],
    [
      ['a', { title: 'b' }, { name: 'c' }, { count: 1, phrase: 'd' }],
      { kind: 'json' } as const,
      'a, b, c, d',
      'a, b, c, d',
    ],
    ['2026', text, '2026', '2026'],
  ])('%j', (value, field, onTerminal, onPage) => {
    expect(textOf(value, field, terminal)).toBe(onTerminal)
    expect(textOf(value, field, page)).toBe(onPage)
  })

  test('has no unit where the head of its column has it, and the decimals of its column', () => {
    expect(textOf(2.5, change, { ...page, hasUnit: false })).toBe('+2.50')
    expect(textOf(2.5, money, { ...page, hasUnit: false, decimals: 4 })).toBe('2.5000')
  })
})

const titlesIn = (id: string): Record<string, string> =>
  Object.fromEntries(columnsOf(answerFields(queryNamed(id))).map(({ name, title }) => [name, title]))

test('a column has the title of its record, unless that ends with the same words', () => {
  expect(titlesIn('analyst/inflation')).toMatchObject({
    lfl_change_pct: 'Like-for-like change',
    'lfl_ci.low': 'Like-for-like interval low',
  })
  expect(titlesIn('shopper/best-price')).toMatchObject({
    'best_price.price': 'Best price',
    'best_price.unit_price.value': 'Best price unit price',
    'gpc.code': 'GPC code',
  })
})
