import * as Plot from '@observablehq/plot'
import type { priceSetting } from '../../queries/analyst/price-setting.ts'
import type { Answer } from '../../queries/query.ts'
import type { ChangeBucket } from '../../statistics/distribution.ts'
import { counted, number } from '../text.ts'
import type { Drawing } from './draw.ts'
import { change, share } from './format.ts'
import { ranking } from './ranked.ts'
import { drawRows } from './row-plot.ts'
import type { PlotRow } from './rows.ts'
import { countryOf, subject, unitLine, windowDays } from './scope.ts'

/** As many decimals as a bound has. */
const bound = (value: number, format: typeof change): string => format(value, Number.isInteger(value) ? 0 : 1)

const nameOf = ({ from_pct, to_pct }: ChangeBucket): string => {
  if (from_pct === null) return `below ${bound(to_pct!, change)}`
  if (to_pct === null) return `above ${bound(from_pct, change)}`
  return `${bound(from_pct, change)} to ${bound(to_pct, change)}`
}

const colourOf = ({ from_pct, to_pct }: ChangeBucket) =>
  from_pct !== null && from_pct >= 0 ? 'accent' : to_pct !== null && to_pct <= 0 ? 'second' : 'grey'

/** Listings by how much their prices changed, from the largest falls to the largest rises; none without any. */
export const distributionPlot = (title: string, unit: string, buckets: readonly ChangeBucket[]): Drawing[] => {
  const total = buckets.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return []
  const most = buckets.reduce((a, b) => (b.count > a.count ? b : a))
  return ranking({
    title,
    unit,
    rows: buckets.map((bucket) => ({
      name: nameOf(bucket),
      value: bucket.count,
      figure: number(bucket.count),
      remark: share((100 * bucket.count) / total, 1),
      colour: colourOf(bucket),
    })),
    things: 'sizes of change',
    tickFormat: (tick) => number(tick),
    isCount: true,
    finding: `${share((100 * most.count) / total, 1)} of ${counted(total, 'price relative')} are ${nameOf(most)}.`,
    key: [
      { mark: 'bar', colour: 'second', text: 'falls' },
      { mark: 'bar', colour: 'grey', text: 'stable' },
      { mark: 'bar', colour: 'accent', text: 'rises' },
    ],
  })
}

type SizeRow = PlotRow & { increase_count: number; decrease_count: number }

const ROW_HEIGHT = 24

/** How large the changes of posted prices are: falls to the left, rises to the right; none without any. */
export const sizesPlot = (answer: Answer<typeof priceSetting>): Drawing[] => {
  const { sizes, posted } = answer
  const { increase_count, decrease_count, median_size_pct } = posted
  if (increase_count + decrease_count === 0) return []
  const rows = sizes.map(
    ({ from_pct, to_pct, ...counts }): SizeRow => ({
      name: to_pct === null ? `over ${bound(from_pct, share)}` : `${from_pct} to ${bound(to_pct, share)}`,
      figure: `${number(counts.decrease_count)} | ${number(counts.increase_count)}`,
      ...counts,
    }),
  )
  const bars = rows.map((row, y) => ({ ...row, y }))
  return [
    {
      title: `How large changes of prices of ${subject(answer)} are`,
      unit: unitLine('Changes from one month to the next by their size', countryOf(answer), windowDays(answer)),
      key: [
        { mark: 'bar', colour: 'second', text: 'falls' },
        { mark: 'bar', colour: 'accent', text: 'rises' },
      ],
      finding: `Bars of sizes, ${number(increase_count)} rises and ${number(decrease_count)} falls of posted prices. The median size is ${share(median_size_pct)}.`,
      draw: drawRows(
        rows,
        {
          shape: 'bars',
          rowHeight: ROW_HEIGHT,
          values: rows.flatMap((row) => [row.increase_count, -row.decrease_count]),
          tickFormat: (tick) => number(Math.abs(tick)),
          isCount: true,
        },
        [
          Plot.barX(bars, { x1: 0, x2: 'increase_count', y: 'y', fill: 'var(--accent)', fillOpacity: 0.8 }),
          Plot.barX(bars, {
            x1: 0,
            x2: ({ decrease_count }: SizeRow) => -decrease_count,
            y: 'y',
            fill: 'var(--second)',
            fillOpacity: 0.8,
          }),
        ],
      ),
    },
  ]
}
