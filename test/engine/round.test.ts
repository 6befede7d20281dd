import { expect, test } from 'vitest'
import { orNull, percent, ratio, round, share, toMoney } from '../../engine/contract/round.ts'

const money = toMoney(100)

test.each([
  [1.005, 2, 1.01],
  [-1.005, 2, -1.01],
  [2.5, 0, 3],
  [-2.5, 0, -3],
  [1274.4999999999998, 0, 1275],
  [100 * (1.00005 - 1), 2, 0.01],
  [1.0049, 2, 1],
  [0.1 + 0.2, 4, 0.3],
  [99_999_999.995, 2, 100_000_000],
])('%f rounded to %i decimals is %f', (value, digits, expected) => {
  expect(round(value, digits)).toBe(expected)
})

test('minus zero is rounded to zero', () => {
  expect(Object.is(round(-0, 2), 0)).toBe(true)
  expect(Object.is(round(-0.001, 2), 0)).toBe(true)
})

test('NaN and infinity are not rounded', () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) expect(() => round(value, 2)).toThrow(RangeError)
})

test('money and percentages have two decimals, ratios four', () => {
  expect([money(1050.5), percent(33.335), ratio(0.123449), ratio(0.12345)]).toEqual([10.51, 33.34, 0.1234, 0.1235])
})

test('money has the decimals that its country is stored with', () => {
  expect([toMoney(1)(59_400), toMoney(1)(59_400.5), toMoney(1000)(1879), toMoney(10_000)(1)]).toEqual([
    59_400, 59_401, 1.879, 0.0001,
  ])
})

test('null and shares of nothing are null', () => {
  expect([orNull(money, null), orNull(money, undefined), orNull(money, 150)]).toEqual([null, null, 1.5])
  expect([share(1, 3), share(0, 3), share(0, 0)]).toEqual([33.33, 0, null])
})
