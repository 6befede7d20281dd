import { expect } from 'vitest'
import { examplesOf } from '../../../support/examples.ts'
import { pairs, times, unchanged } from '../../../support/rows.ts'

const example = examplesOf('analyst/inflation', '2027-03-01T00:00:00Z')
const autumn = { from: '2026-09-01', to: '2026-11-01' }

// A spread of nothing has no interval, however the sums of squares come out in doubles.
for (const count of [30, 37, 101])
  example(
    `${count} products with the same rise have no confidence interval`,
    pairs(times(count, [1000, 1100] as const)),
    (answer) => expect(answer).toMatchObject({ lfl_change_pct: 10, lfl_ci: null, lfl_ci_clustered: null }),
    autumn,
  )

// Fifteen relatives of 1 and fifteen of 1.1; one cut from each tail leaves 14 of both. The centre of the logs is
// ln(1.1) / 2 = 0.047655; winsorising changes nothing, so SSD = 30 * 0.047655^2 = 0.0681304, h = 28,
// SE = sqrt(SSD / (28 * 27)) = 0.0094932, t(27) = 2.0518305: 0.047655 -/+ 0.0194784, that is 2.86 % and 6.94 %.
example(
  'thirty pairs have a confidence interval',
  pairs([...unchanged(15), ...times(15, [1000, 1100] as const)]),
  (answer) => {
    expect(answer.lfl_ci).toEqual({ low: 2.86, high: 6.94, level: 0.95, method: 'tukey_mclaughlin' })
    expect(answer.lfl_ci_clustered).toBeNull()
  },
  autumn,
)
example(
  'twenty-nine pairs have no confidence interval',
  pairs([...unchanged(14), ...times(15, [1000, 1100] as const)]),
  (answer) => expect(answer.lfl_ci).toBeNull(),
  autumn,
)

const shops = ['alpha', 'beta', 'gamma', 'delta', 'epsilon']
// Five retailers of six pairs; three of them raised every price by a tenth, two none. With w = ln(1.1): mean 0.6 w,
// one cut from each tail leaves 17 of 28 raised, centre 17/28 w = 0.0578669. Influences 6 * 0.4 w (three times) and
// -6 * 0.6 w (twice): squares sum to (3 * 5.76 + 2 * 12.96) w^2 = 43.2 w^2; SE = sqrt(5/4 * 43.2) w / 28 = 0.0250131;
// t(4) = 2.7764451 reaches 0.0694475: -1.15 % and 13.58 %.
example(
  'five retailers that reprice in waves have a wider, clustered interval',
  shops.flatMap((platform, i) => pairs(times(6, [1000, i < 3 ? 1100 : 1000] as const), { platform })),
  (answer) =>
    expect(answer.lfl_ci_clustered).toEqual({
      low: -1.15,
      high: 13.58,
      level: 0.95,
      method: 'tukey_mclaughlin_by_retailer',
      clusters: 5,
    }),
  autumn,
)
example(
  'four retailers have no clustered interval',
  shops.slice(1).flatMap((platform, i) => pairs(times(8, [1000, i < 2 ? 1100 : 1000] as const), { platform })),
  (answer) => {
    expect(answer.lfl_ci).not.toBeNull()
    expect(answer.lfl_ci_clustered).toBeNull()
  },
  autumn,
)
