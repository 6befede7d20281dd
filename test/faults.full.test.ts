import { afterEach, expect, test } from 'vitest'
import { figures } from '../bench/faults/figures.ts'
import { render } from '../bench/faults/table.ts'
import { cleanUpAll } from './support/at-end.ts'

afterEach(cleanUpAll)

/** Goals that depend on nothing but the code, at a size that takes seconds. */
const short = figures.filter((figure) => figure.short !== null)

test.each(short)('measure $number holds at a small size, $name: $goal', async ({ measure, short }) => {
  const { held, measured } = await measure(short!)
  expect(held, measured).not.toBe(false)
})

test('the measures are those of the table, in the same order', () => {
  expect(figures.map(({ number }) => number)).toEqual(Array.from({ length: 25 }, (_, i) => i + 1))
  expect(new Set(figures.map(({ name }) => name)).size).toBe(25)
})

test('the table says what was measured, at which size, and what does not hold', () => {
  const [figure] = figures
  const measured = { held: false, measured: '3 torn', rounds: 10, losses: 3 }
  const line = render([{ figure: figure!, size: 10, measured, seconds: 1.4 }])
    .split('\n')
    .at(-1)
  expect(line).toBe(
    `| 1 | ${figure!.what} | ${figure!.goal} | 3 torn | NOT HELD | 10 of 200 | 10 | 3 | 1 | ${figure!.misses} |`,
  )
})
