import { describe, expect, test } from 'vitest'
import { studentT975 } from '../../../engine/statistics/student-t.ts'
import { studentT975 as integrated } from '../../support/student-t.ts'
import { because, noVectors, vectorRows } from '../../support/vectors.ts'

test.each([3, 4, 5, 7, 9, 13, 25, 27, 60, 400, 3000])(
  'the 0.975 quantile of Student’s t at %i degrees of freedom equals that by integration',
  (df) => {
    expect(Math.abs(studentT975(df) / integrated(df) - 1)).toBeLessThan(1e-6)
  },
)

describe.skipIf(noVectors)(`Student’s t agrees with R${because}`, () => {
  test.each(noVectors ? [] : vectorRows('r-base/student_t.csv'))('at $df degrees of freedom', ({ df, t975 }) => {
    expect(Math.abs(studentT975(Number(df)) / Number(t975) - 1)).toBeLessThan(1e-6)
  })
})
