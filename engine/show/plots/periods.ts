import { DAY_MS } from '../../contract/time.ts'
import type { Granularity } from '../../contract/window.ts'
import { monthOf } from './ticks.ts'

/** A period of a series on a time axis, in milliseconds, whole even where the window cuts it. */
export type PlottedPeriod = { from: number; to: number; middle: Date; isPartial: boolean }

const WEEK = 7 * DAY_MS
const MONDAY = Date.UTC(1970, 0, 5)

const boundsOf: Record<Granularity, (time: number) => [number, number]> = {
  daily: (time) => [time, time + DAY_MS],
  weekly: (time) => {
    const from = time - ((((time - MONDAY) % WEEK) + WEEK) % WEEK)
    return [from, from + WEEK]
  },
  monthly: monthOf,
}

/** The whole periods of the points of a series. */
export const plottedPeriods = (
  series: readonly { date: string; partial: boolean }[],
  granularity: Granularity,
): PlottedPeriod[] =>
  series.map(({ date, partial }) => {
    const [from, to] = boundsOf[granularity](Date.parse(date))
    return { from, to, middle: new Date((from + to) / 2), isPartial: partial }
  })

/** Whether nothing was observed between a period and the one before it in the series. */
export const isAfterGap = (periods: readonly PlottedPeriod[], i: number): boolean =>
  i > 0 && periods[i]!.from > periods[i - 1]!.to
