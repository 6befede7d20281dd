import { z } from 'zod'
import { addDays, dayText } from '../contract/days.ts'
import { currentDays, type Granularity, type PeriodBindings } from '../contract/window.ts'
import { type Counted, count } from '../counts/count.ts'
import type { LogCounts } from '../statistics/log-counts.ts'
import { MAX_SALE_DAYS, SALE_HISTORY_DAYS } from '../statistics/price-setting.ts'
import { daysOfPeriod } from '../statistics/series.ts'
import type { Bindings } from './query.ts'
import type { seriesPrices } from './series-counts.ts'

export const regular = z
  .boolean()
  .default(false)
  .describe('Also lfl_variants.regular, for which all days around the first and the last period are read.')

/** The price relatives from the first to the last period of a series by prices without sales. */
export const regularRelatives = count({ from: 'regular_relative', value: 'log' })

/** The day before which prices are regular by what was observed; null where they are not queried. */
export const regularBefore = (isQueried: boolean, as_of: Date): string | null =>
  isQueried ? currentDays(as_of, 0).before : null

const granularities: Record<PeriodBindings['unit'], Granularity> = { day: 'daily', week: 'weekly', month: 'monthly' }

/**
 * The days that decide the regular prices of the first and the last period of a series: a sale ends within MAX_SALE_DAYS of its
 * start, which was seen within as many days of the price before.
 */
export const regularDays = ({ key }: Pick<Counted<typeof seriesPrices>, 'key'>, bindings: Bindings): Bindings => {
  const { unit, from, to, regular_before } = bindings as Bindings & PeriodBindings & { regular_before: string }
  const daysOf = (period: number) => daysOfPeriod(dayText(period), granularities[unit], { from, to })
  const periods = [...key.period]
  if (periods.length === 0) return { first_from: from, first_to: from, last_from: from, last_to: from }
  const [first, last] = [daysOf(Math.min(...periods)), daysOf(Math.max(...periods))]
  const until = addDays(last.to, MAX_SALE_DAYS)
  const seen = { from: addDays(first.from, -SALE_HISTORY_DAYS), to: until < regular_before ? until : regular_before }
  return {
    ...seen,
    month_from: seen.from.slice(0, 7),
    month_to: seen.to.slice(0, 7),
    first_from: first.from,
    first_to: first.to,
    last_from: last.from,
    last_to: last.to,
  }
}

export const regularLogs = ({ tally }: Counted<typeof regularRelatives>): LogCounts => {
  const { values: logs, counts } = tally(0)
  return { logs, counts }
}
