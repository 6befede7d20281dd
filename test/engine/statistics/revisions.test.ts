import { describe, expect, test } from 'vitest'
import { changeAt, firstChanges, revisionsOf } from '../../../engine/statistics/revisions.ts'

const logs = (...levels: readonly (number | null)[]) => levels.map((level) => (level === null ? null : Math.log(level)))

test('a change is from one month to the next, null where either has none', () => {
  const index = logs(1, 1.1, null, 1.21)
  expect([0, 1, 2, 3].map((month) => changeAt(index, month))).toEqual([null, expect.closeTo(10, 9), null, null])
})

describe('first changes', () => {
  // Each further month makes the month before it a tenth dearer than it was.
  const indexUpTo = (to: number) => Array.from({ length: to }, (_, i) => (i === to - 1 ? 0 : Math.log(1.1) * i))

  test('are of the months up to each', () => {
    expect(firstChanges(logs(1, 1, 1), indexUpTo)).toEqual([null, 0, expect.closeTo(100 * (1 / 1.1 - 1), 9)])
  })

  test('of months that are spliced are as published', () => {
    expect(firstChanges(logs(1, 1, 1.5), indexUpTo, 2)).toEqual([null, 0, expect.closeTo(50, 9)])
  })
})

test('revisions are last less first changes, beside the error of expecting none', () => {
  // Six first changes of 1 and six of 3 that all become 2: revisions of 1 and -1.
  const first = [null, ...Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? 1 : 3)), 5]
  const last = [null, ...Array.from({ length: 12 }, () => 2), null]
  expect(revisionsOf(first, last)).toEqual({ n: 12, mean: 0, mean_absolute: 1, rmse: 1, no_change_rmse: 2 })
  const short = { n: 11, mean: null, mean_absolute: null, rmse: null, no_change_rmse: null }
  expect(revisionsOf(first.slice(0, 12), last.slice(0, 12))).toEqual(short)
})
