import { beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '../../../../engine/index.ts'
import { ask } from '../../../support/ask.ts'
import { examplesOf } from '../../../support/examples.ts'
import { ensureLake, openEngine } from '../../../support/given.ts'
import { monthAfter } from '../../../support/oracle-official.ts'
import { officialOf } from '../../../support/reference.ts'
import { feedRow, listing, type Observation, observed } from '../../../support/rows.ts'

const ID = 'analyst/official-comparison'
const example = examplesOf(ID, '2026-11-21T00:00:00Z')

/** Ten listings at 10.00 in so many months from one on, and at 11.00 from May 2026 on. */
const risen = (first: string, months: number): Observation[] =>
  Array.from({ length: 10 }, (_, i) =>
    observed(
      listing(`${i}`),
      Object.fromEntries(
        Array.from({ length: months }, (_, t) => monthAfter(first, t)).map((month) => [
          `${month}-10`,
          month < '2026-05' ? 1000 : 1100,
        ]),
      ),
    ),
  ).flat()

// The index rises by 10 % from October 2025 to October 2026, the series from 7.15 to 7.75, by 8.39 %. October's figure was released on
// 12 November, November's is not yet: with the month after there are 11 pairs of changes, with the second month after 10.
example(
  'the gap is the change of the index less the official one over the common months',
  risen('2025-10', 13),
  (answer) => {
    expect(answer).toMatchObject({
      series: 'sample:coffee',
      series_title: 'Coffee',
      gap_pp: 1.61,
      index_change_pct: 10,
      official_change_pct: 8.39,
      common_months: 13,
      first_common_month: '2025-10-01',
      last_common_month: '2026-10-01',
      comparison_note: expect.stringMatching(/^A comparison, not a nowcast: [^;]*\.$/),
    })
    expect(
      answer.lags.map(({ lag, n, rmse_pp }: { lag: number; n: number; rmse_pp: number | null }) => [
        lag,
        n,
        rmse_pp !== null,
      ]),
    ).toEqual([
      [-3, 12, true],
      [-2, 12, true],
      [-1, 12, true],
      [0, 12, true],
      [1, 11, true],
      [2, 10, false],
      [3, 9, false],
    ])
    expect(answer.time_series.at(-1)).toMatchObject({
      period: '2026-10',
      index: 1.1,
      official_index: 1.0839,
      gap_pp: 1.61,
      official_value: 7.75,
      released_on: '2026-11-12',
      vintage_count: 1,
    })
  },
  { series: 'SAMPLE:Coffee' },
)

example(
  'eleven common months give no statistics, and the series beside each other',
  risen('2025-12', 11),
  (answer) => {
    expect(answer).toMatchObject({ gap_pp: null, index_change_pct: null, official_change_pct: null, common_months: 11 })
    expect(answer.comparison_note).toContain('Only 11 months have both; 12 are needed.')
    expect(answer.lags.find(({ lag }: { lag: number }) => lag === 0)).toEqual({
      lag: 0,
      n: 10,
      correlation: null,
      rmse_pp: null,
      no_change_rmse_pp: null,
    })
    expect(answer.time_series.at(-1)).toMatchObject({ index: 1.1, official_value: 7.75 })
  },
  { series: 'sample:coffee' },
)

example(
  'a correlation with an index that does not move is null, its error that of expecting no change',
  risen('2025-03', 14),
  ({ lags }) => {
    const [together] = lags.filter(({ lag }: { lag: number }) => lag === 0)
    expect(together).toMatchObject({ n: 9, correlation: null })
    const [before] = lags.filter(({ lag }: { lag: number }) => lag === 3)
    expect(before).toMatchObject({ n: 12, correlation: null })
    expect(before.rmse_pp).toBe(before.no_change_rmse_pp)
  },
  { series: 'sample:coffee' },
)

describe('of several vintages', () => {
  let engine: Engine
  beforeAll(async () => {
    const figures = ['2026-09,4,2026-10-12', '2026-09,5,2026-11-12', '2026-10,6,2026-11-12']
    const lines = figures.map((figure) => `bls,APU1,us,${figure},,`)
    const files = { 'official_series/a.csv': officialOf(...lines, 'statcan,v1,ca,2026-09,9,2026-10-20,All-items,') }
    const { lake } = await ensureLake({ observations: risen('2025-10', 13).map(feedRow), files })
    engine = await openEngine(lake)
  })
  const params = { category: 'coffee', series: 'bls:apu1' }
  const pointsAt = async (as_of: string) => {
    const { time_series } = await ask(engine, ID, params, as_of)
    return time_series.flatMap(
      ({ official_value, ...point }: { period: string; official_value: number; vintage_count: number }) =>
        official_value === null ? [] : [[point.period, official_value, point.vintage_count]],
    )
  }

  test('the last one that was released by as_of is used', async () => {
    expect(await pointsAt('2026-10-12T23:59:59Z')).toEqual([['2026-09', 4, 1]])
    expect(await pointsAt('2026-11-11T23:59:59Z')).toEqual([['2026-09', 4, 1]])
    expect(await pointsAt('2026-11-12T23:59:59Z')).toEqual([
      ['2026-09', 5, 2],
      ['2026-10', 6, 1],
    ])
  })

  test('a series that was released later is refused, as is one of another country', async () => {
    await expect(pointsAt('2026-10-11T23:59:59Z')).rejects.toMatchObject({
      code: 'NOT_PUBLISHED',
      message: 'No official series of us was released by 2026-10-11; the first release is of 2026-10-12.',
    })
    await expect(ask(engine, ID, { ...params, series: 'statcan:v1' }, '2026-11-20T00:00:00Z')).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      message: 'series: no official series of us is "statcan:v1"; there are bls:APU1',
      details: { parameter: 'series', accepted: ['bls:APU1'] },
    })
  })
})

test('a lake without official series says how to add them', async () => {
  const { lake } = await ensureLake({ observations: risen('2025-10', 13).map(feedRow) })
  const engine = await openEngine(lake)
  await expect(
    ask(engine, ID, { category: 'coffee', series: 'bls:APU1' }, '2026-11-20T00:00:00Z'),
  ).rejects.toMatchObject({
    code: 'NOT_PUBLISHED',
    message:
      'This lake has no official series of us: refresh it with an official_series feed, whose columns are in data/reference.md.',
    details: { feeds: ['official_series'] },
  })
})
