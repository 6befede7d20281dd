import { expect, test } from 'vitest'
import type { Drawing } from '../../../../engine/show/plots/draw.ts'
import { overlaidSeries } from '../../../../engine/show/plots/overlay.ts'
import { plottedPeriods } from '../../../../engine/show/plots/periods.ts'

const seriesOf = (unit: string, ...points: [date: string, value: number][]): Drawing[] => [
  {
    title: 'Level',
    unit,
    key: [],
    finding: 'Line.',
    draw: () => ({ height: 1 }),
    series: {
      title: 'Level',
      unit,
      plot: {
        granularity: 'monthly',
        periods: plottedPeriods(
          points.map(([date]) => ({ date, partial: false })),
          'monthly',
        ),
        lines: [{ name: 'Level', values: points.map(([, value]) => value), format: String }],
        tickFormat: String,
      },
    },
  },
]

test('series of other periods are laid over each other, and one of another unit is left out by name', () => {
  const [drawing] = overlaidSeries([
    { name: 'tea', drawings: seriesOf('USD', ['2026-01-01', 1], ['2026-03-01', 3]) },
    { name: 'maté', drawings: seriesOf('CAD', ['2026-01-01', 9], ['2026-03-01', 9]) },
    { name: 'coffee', drawings: seriesOf('USD', ['2026-02-01', 2], ['2026-03-01', 4]) },
    { name: 'water', drawings: [] },
  ])
  expect(drawing?.series).toBeUndefined()
  expect(drawing).toMatchObject({
    title: 'Level, compared',
    unit: 'USD',
    note: 'Without maté: of another unit or period.',
    finding: 'Line plot of 2 series: tea ends at 3, coffee ends at 4.',
  })
  expect(drawing?.key.slice(0, 2).map(({ colour, text }) => [colour, text])).toEqual([
    ['accent', 'tea'],
    ['second', 'coffee'],
  ])
  expect(overlaidSeries([{ name: 'tea', drawings: seriesOf('USD', ['2026-01-01', 1]) }])).toEqual([])
})
