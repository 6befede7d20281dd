import { describe, expect, test } from 'vitest'
import { studentT975 } from '../../../engine/statistics/student-t.ts'
import { studentT975 as integrated } from '../../support/student-t.ts'
import { because, noVectors, vectorRows } from '../../support/vectors.ts'

test.each([3, 4, 5, 7, 9, 13, 25, 27, 60, 400, 3000])('t(0.975) at %i degrees is what integration gives', (df) => {
  expect(Math.abs(studentT975(df) / integrated(df) - 1)).toBeLessThan(1e-6)
})

describe.skipIf(noVectors)(`quantiles of R${because}`, () => {
  test.each(noVectors ? [] : vectorRows('r-base/student_t.csv'))('t(0.975) at $df degrees', ({ df, t975 }) => {
    expect(Math.abs(studentT975(Number(df)) / Number(t975) - 1)).toBeLessThan(1e-6)
  })
})
