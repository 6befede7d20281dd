import { expect, test } from 'vitest'
import type { Numbers } from '../../../engine/counts/numbering.ts'
import { Tallies } from '../../../engine/counts/tallies.ts'
import { BLOCK } from '../../../engine/counts/vectors.ts'

const GROUPS = 7
const GROUP_WITHOUT_VALUES = GROUPS
/** Counted twice before the last values come. */
const ROWS = 2 * 2 ** 19 + 12_345

let seed = 1
const draw = (below: number): number => {
  seed = (seed * 48_271) % 2_147_483_647
  return seed % below
}

const added = (values: Numbers, hasRoom: boolean) => {
  seed = 7
  const group = Int32Array.from(values, () => draw(GROUPS))
  const tallies = new Tallies(values.length)
  for (let from = 0; from < values.length; from += BLOCK) {
    if (hasRoom) for (const _ of tallies.makeRoom(GROUPS + 1));
    const some = values.subarray(from, from + BLOCK)
    tallies.add(group.subarray(from, from + BLOCK), some, null, some.length)
  }
  tallies.end(GROUPS + 1)
  return { tallies, group }
}

const counted = (values: Numbers, group: Int32Array): [number, number][][] => {
  const counts = Array.from({ length: GROUPS + 1 }, () => new Map<number, number>())
  for (const [i, value] of values.entries()) counts[group[i]!]!.set(value, (counts[group[i]!]!.get(value) ?? 0) + 1)
  return counts.map((of) => [...of].sort(([a], [b]) => a - b))
}

const pairs = ({ values, counts }: { values: Float64Array; counts: Float64Array }): [number, number][] =>
  [...values].map((value, i) => [value, counts[i]!])

test.each([
  ['prices', () => Int32Array.from({ length: ROWS }, () => draw(3) * 40_000 + draw(500))],
  ['logs', () => Float64Array.from({ length: ROWS }, () => draw(2_000) * 1e9 - 1e12)],
])('%s that are counted as they come are those that are counted at the end', (_, drawn) => {
  const values = drawn()
  const [early, late] = [added(values, true), added(values, false)]
  const expected = counted(values, early.group)
  for (const [group, of] of expected.entries()) {
    expect(pairs(early.tallies.tally(group))).toEqual(of)
    expect(pairs(late.tallies.tally(group))).toEqual(of)
  }
  expect(early.tallies.tally(GROUP_WITHOUT_VALUES).values).toHaveLength(0)
})

test('several groups together have the values of each', () => {
  const values = Int32Array.from({ length: ROWS }, () => draw(300))
  const [early, late] = [added(values, true).tallies, added(values, false).tallies]
  const groups = [1, 4, GROUP_WITHOUT_VALUES]
  const [some, all] = [early.together(groups), late.together(groups)]
  expect(some.n).toBe(all.n)
  expect(some.values).toEqual(all.values)
  for (const tallies of [early, late]) expect(tallies.together([]).n).toBe(0)
  for (const quantile of [0, 0.25, 0.5, 1]) expect(some.quantile(quantile)).toBe(all.quantile(quantile))
})
