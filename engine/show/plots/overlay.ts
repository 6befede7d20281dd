import type { Drawing } from './draw.ts'
import { drawSeries, seriesKey } from './lines.ts'
import type { PlottedPeriod } from './periods.ts'
import type { PlotColour } from './plot.ts'
import type { SeriesLine, SeriesPlot } from './series.ts'

/** A name and what is drawn of its answer. */
type NamedDrawings = { name: string; drawings: readonly Drawing[] }

/** One for each answer that can be compared. */
const COLOURS: readonly PlotColour[] = ['accent', 'second', 'green', 'violet', 'olive', 'ink']

/** At the end of a line a longer name would leave little of the plot; the key has the whole. */
const MAX_NAME = 12

const shortName = (name: string): string => (name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 1)}…` : name)

/** The periods that any of the series has. */
const allPeriods = (plots: readonly SeriesPlot[]): PlottedPeriod[] => {
  const byStart = new Map<number, PlottedPeriod>()
  for (const period of plots.flatMap(({ periods }) => periods)) {
    const isPartial = period.isPartial || (byStart.get(period.from)?.isPartial ?? false)
    byStart.set(period.from, { ...period, isPartial })
  }
  return [...byStart.values()].sort((a, b) => a.from - b.from)
}

/** The main line of a series over other periods. */
const lineOver = (
  periods: readonly PlottedPeriod[],
  plot: SeriesPlot,
  name: string,
  colour: PlotColour,
): SeriesLine => {
  const [{ values, format }] = plot.lines as [SeriesLine]
  const byStart = new Map(plot.periods.map(({ from }, i) => [from, values[i]]))
  return { name: shortName(name), format, colour, values: periods.map(({ from }) => byStart.get(from) ?? null) }
}

/**
 * The main lines of several answers in one plot; none where fewer than two have a series. An answer whose series has
 * another unit, currency or period than the first is left out, by name.
 */
export const overlaidSeries = (compared: readonly NamedDrawings[]): Drawing[] => {
  const withSeries = compared.flatMap(({ name, drawings }) => {
    const series = drawings.find((drawing) => drawing.series)?.series
    return series ? [{ name, ...series }] : []
  })
  const [first] = withSeries
  if (!first) return []
  const isAlike = ({ title, unit, plot }: typeof first) =>
    title === first.title && unit === first.unit && plot.granularity === first.plot.granularity
  const alike = withSeries.filter(isAlike)
  if (alike.length < 2) return []
  const periods = allPeriods(alike.map(({ plot }) => plot))
  const lines = alike.map(({ name, plot }, i) => lineOver(periods, plot, name, COLOURS[i]!))
  const plot: SeriesPlot = { ...first.plot, periods, lines }
  const leftOut = withSeries.filter((series) => !isAlike(series)).map(({ name }) => name)
  return [
    {
      title: `${first.title}, compared`,
      unit: first.unit,
      key: seriesKey(
        plot,
        alike.map(({ name }) => name),
      ),
      ...(leftOut.length > 0 ? { note: `Without ${leftOut.join(', ')}: of another unit or period.` } : {}),
      finding: `Line plot of ${alike.length} series: ${lines.map(({ values, format }, i) => `${alike[i]!.name} ends at ${format(values.at(-1) ?? null)}`).join(', ')}.`,
      draw: drawSeries(plot),
    },
  ]
}
