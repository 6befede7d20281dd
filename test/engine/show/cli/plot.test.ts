import { describe, expect, it } from 'vitest'
import { bar, changeLines, sparkline } from '../../../../engine/show/cli/plot.ts'

describe('sparkline', () => {
  it('ranges from the lowest block to the highest, as wide as it may be', () => {
    expect(sparkline([0, 1, 2, 3, 4, 5, 6, 7], 8)).toBe('▁▂▃▄▅▆▇█')
    expect(sparkline([-10, 10, 0], 9)).toBe('▁▁▁███▅▅▅')
    expect(sparkline([0, 7], 5)).toBe('▁▁▁██')
  })

  it('leaves gaps for nulls and draws equal values at half height', () => {
    expect(sparkline([1, null, 2], 3)).toBe('▁ █')
    expect(sparkline([5, 5, 5], 3)).toBe('▄▄▄')
    expect(sparkline([null, null], 2)).toBe('  ')
    expect(sparkline([], 20)).toBe('')
  })

  it('averages neighbours where there are more values than columns', () => {
    // pairs (0, 0) (7, 7) (0, 7): means 0, 7, 3.5
    expect(sparkline([0, 0, 7, 7, 0, 7], 3)).toBe('▁█▅')
    expect(
      sparkline(
        Array.from({ length: 1000 }, (_, i) => i),
        8,
      ),
    ).toBe('▁▂▃▄▅▆▇█')
  })
})

describe('changeLines', () => {
  it('draws rises above and falls below a zero line, on one scale', () => {
    expect(changeLines([8, 1, 0, -1, -4, -8], 6)).toEqual(['█▁    ', '──────', '   ▔▀█'])
  })

  it('leaves out the side without values, and has gaps for nulls', () => {
    expect(changeLines([null, 2, 1], 3)).toEqual([' █▄', ' ──'])
    expect(changeLines([-2, null, -1], 3)).toEqual(['─ ─', '█ ▀'])
    expect(changeLines([0, 0], 2)).toEqual(['──'])
  })
})

describe('bar', () => {
  it('is proportional, to an eighth of a character', () => {
    expect(bar(8, 8, 4)).toBe('████')
    expect(bar(4, 8, 4)).toBe('██')
    expect(bar(1, 32, 4)).toBe('▏')
    expect(bar(13, 32, 4)).toBe('█▋')
  })

  it('is visible for a small value and empty for zero', () => {
    expect(bar(1, 1_000_000, 10)).toBe('▏')
    expect(bar(0, 10, 10)).toBe('')
    expect(bar(0, 0, 10)).toBe('')
  })
})
