import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { giveWay, inTurn, turn } from '../../engine/contract/turn.ts'

/** Numbers the passes of the event loop until it is stopped. */
const countPasses = () => {
  const passes = { number: 0, isOver: false }
  const count = async (): Promise<void> => {
    while (!passes.isOver) {
      await setImmediate()
      passes.number += 1
    }
  }
  void count()
  return passes
}

test('one work goes on in each pass of the event loop, in the order in which they came', async () => {
  const passes = countPasses()
  const resumed: [work: number, pass: number][] = []
  const work = async (number: number): Promise<void> => {
    await turn()
    resumed.push([number, passes.number])
    await turn()
    resumed.push([number, passes.number])
  }
  await Promise.all([0, 1, 2].map(work))
  passes.isOver = true
  expect(resumed.map(([number]) => number)).toEqual([0, 1, 2, 0, 1, 2])
  expect(new Set(resumed.map(([, pass]) => pass)).size).toBe(6)
})

const PART_MS = 2
const worked = (): void => {
  const end = performance.now() + PART_MS
  while (performance.now() < end);
}

test('long work gives way some times, but not between all of its parts', async () => {
  const passes = countPasses()
  const seen = new Set<number>()
  for (let part = 0; part < 50; part += 1) {
    worked()
    seen.add(passes.number)
    await giveWay()
  }
  passes.isOver = true
  expect(seen.size).toBeGreaterThan(5)
  expect(seen.size).toBeLessThan(30)
})

test('works at once give way to each other', async () => {
  const order: number[] = []
  const work = async (number: number): Promise<void> => {
    for (let part = 0; part < 20; part += 1) {
      worked()
      order.push(number)
      await giveWay()
    }
  }
  await Promise.all([work(1), work(2), work(3)])
  const switches = order.filter((number, i) => i > 0 && number !== order[i - 1]).length
  expect(switches).toBeGreaterThan(5)
})

test('what worked since its turn came counts, before it first gives way', async () => {
  const passes = countPasses()
  await turn()
  for (let part = 0; part < 10; part += 1) worked()
  const before = passes.number
  await giveWay()
  passes.isOver = true
  expect(passes.number).toBeGreaterThan(before)
})

test('works on items in their order', async () => {
  expect(await inTurn([3, 1, 2], (item) => item * 2)).toEqual([6, 2, 4])
})
