import { index } from './format.ts'
import { plottedPeriods } from './periods.ts'
import { indexTick } from './retailer-index.ts'
import type { SeriesPlot } from './series.ts'

type IndexPoint = { index: number | null } & Parameters<typeof plottedPeriods>[0][number]

/** A monthly index beside another one, both from 1. */
export const indexPlot = <Point extends IndexPoint>(
  time_series: readonly Point[],
  other: { name: string; valueOf(point: Point): number | null },
): SeriesPlot => ({
  granularity: 'monthly',
  periods: plottedPeriods(time_series, 'monthly'),
  lines: [
    { name: 'Index', values: time_series.map((point) => point.index), format: index },
    { name: other.name, values: time_series.map(other.valueOf), format: index, isComparison: true },
  ],
  reference: 1,
  tickFormat: indexTick,
})
