import type { Granularity } from '../../contract/window.ts'
import type { PlottedPeriod } from './periods.ts'
import type { PlotColour } from './plot.ts'
import type { TickFormat } from './ticks.ts'

/** The bounds of a value's interval. */
export type IntervalBounds = { low: number; high: number }

/** A line of a plot: a value a period, null where there is none. */
export type SeriesLine = {
  /** The name at the end of the line, above its last value. */
  name: string
  values: readonly (number | null)[]
  /** A figure as the answer has it. */
  format: (value: number | null) => string
  /** A line to compare the main one with: grey and dashed. */
  isComparison?: boolean
  /** The accent unless several lines are of equal rank. */
  colour?: PlotColour
  intervals?: readonly (IntervalBounds | null)[]
}

export type SeriesPlot = {
  granularity: Granularity
  periods: readonly PlottedPeriod[]
  lines: readonly SeriesLine[]
  /** A value that the others are read against, which is always within the plot. */
  reference?: number
  tickFormat: TickFormat
}

/** A series whose first line is compared with those of other answers that have the same unit and periods. */
export type ComparableSeries = { title: string; unit: string; plot: SeriesPlot }
