import { dayOf } from './days.ts'
import { invalidParam } from './errors.ts'
import { MAX_WEEKLY_DAYS } from './granularity.ts'
import type { WindowParams } from './params.ts'
import { DAY_MS } from './time.ts'

export type Granularity = 'daily' | 'weekly' | 'monthly'

/** A half-open range of UTC days [from, to) with the range it is compared with. Days are `YYYY-MM-DD`. */
export type Window = {
  preset: string
  from: string
  to: string
  comparison_from: string
  comparison_to: string
  granularity: Granularity
  timezone: 'UTC'
}

const MAX_YEARS = 5

/** A posted price stands until the next observation of its listing, and for at most this many days, that of the observation included. */
export const STANDS_DAYS = 35

const startOfDay = (time: number): number => Math.floor(time / DAY_MS) * DAY_MS
const startOfMonth = (time: number, months = 0): number => {
  const date = new Date(time)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1)
}
const startOfQuarter = (time: number, quarters = 0): number =>
  startOfMonth(time, quarters * 3 - (new Date(time).getUTCMonth() % 3))

type Range = { preset: string; from: number; to: number; comparison?: readonly [number, number] }

const lastDays = (days: number, now: number, preset = `last_${days}_days`): Range => ({
  preset,
  from: startOfDay(now) - days * DAY_MS,
  to: now,
})

const presets: Record<string, (now: number) => Range> = {
  last_30_days: (now) => lastDays(30, now),
  last_60_days: (now) => lastDays(60, now),
  last_90_days: (now) => lastDays(90, now),
  month_to_date: (now) => ({
    preset: 'month_to_date',
    from: startOfMonth(now),
    to: now,
    comparison: [startOfMonth(now, -1), startOfMonth(now)],
  }),
  quarter_to_date: (now) => ({
    preset: 'quarter_to_date',
    from: startOfQuarter(now),
    to: now,
    comparison: [startOfQuarter(now, -1), startOfQuarter(now)],
  }),
  previous_month: (now) => fullMonth('previous_month', now),
  month_over_month: (now) => fullMonth('month_over_month', now),
}

const fullMonth = (preset: string, now: number): Range => ({
  preset,
  from: startOfMonth(now, -1),
  to: startOfMonth(now),
  comparison: [startOfMonth(now, -2), startOfMonth(now, -1)],
})

const custom = (from: string | undefined, to: string | undefined, now: number): Range => {
  const end = to === undefined ? now : Date.parse(to)
  const start = from === undefined ? startOfDay(end) - 30 * DAY_MS : Date.parse(from)
  if (start >= end) throw invalidParam('from', `${dayOf(start)} is not before to (${dayOf(end)})`)
  const earliest = new Date(end)
  earliest.setUTCFullYear(earliest.getUTCFullYear() - MAX_YEARS)
  if (start < earliest.getTime())
    throw invalidParam(
      'from',
      `the window is longer than ${MAX_YEARS} years; send from ${dayOf(earliest.getTime())} or later`,
    )
  return { preset: 'custom', from: start, to: end }
}

const range = ({ time_window, from, to, days }: WindowParams, now: number): Range => {
  if (from !== undefined || to !== undefined) {
    if (time_window === 'custom' && (from === undefined || to === undefined))
      throw invalidParam('time_window', 'custom requires from and to; send both')
    return custom(from, to, now)
  }
  if (time_window === 'custom') throw invalidParam('time_window', 'custom requires from and to; send both')
  if (time_window !== undefined) return presets[time_window]!(now)
  return lastDays(days ?? 30, now)
}

/** The days [since, before) whose observations are current at `as_of`: before it, and at most `age` days older. */
export const currentDays = (as_of: Date, age: number): { since: string; before: string } => ({
  since: dayOf(startOfDay(as_of.getTime()) - age * DAY_MS),
  before: dayOf(startOfDay(as_of.getTime() + DAY_MS - 1)),
})

/** The earliest day of observation whose price may still be valid on a day. */
export const postedFrom = (of: string): string => dayOf(Date.parse(of) - (STANDS_DAYS - 1) * DAY_MS)

/** The days [since, before) of the observations whose prices stand on the last day before `as_of`. */
export const postedDays = (as_of: Date): { since: string; before: string } => {
  const { before } = currentDays(as_of, 0)
  return { since: dayOf(Date.parse(before) - STANDS_DAYS * DAY_MS), before }
}

/** The bindings of a window for the SQL of a series. `to` is exclusive; `whole_from` > `whole_to` without a full month. */
export type PeriodBindings = {
  unit: 'day' | 'week' | 'month'
  from: string
  to: string
  month_from: string
  month_to: string
  whole_from: string
  whole_to: string
}

const granularityOf = (from: number, to: number): Granularity =>
  startOfDay(to) - from <= MAX_WEEKLY_DAYS * DAY_MS ? 'weekly' : 'monthly'

const WINDOW_NAMES = ['time_window', 'from', 'to', 'days'] as const

/** The Monday of a time's ISO week. The first day of 1970 was a Thursday. */
const startOfWeek = (time: number): number => {
  const days = Math.floor(time / DAY_MS) + 3
  return (days - (days % 7) - 3) * DAY_MS
}

/** The whole ISO weeks of a range of days. */
const wholeWeeks = ({ from, to, ...range }: Range): Range => ({
  ...range,
  from: startOfWeek(from + 7 * DAY_MS - 1),
  to: startOfWeek(to),
})

const units = { daily: 'day', weekly: 'week', monthly: 'month' } as const

const periodBindings = (from: number, to: number, granularity: Granularity): PeriodBindings => {
  const wholeFrom = from === startOfMonth(from) ? from : startOfMonth(from, 1)
  const wholeEnd = startOfMonth(to)
  const whole = granularity === 'monthly' && wholeFrom < wholeEnd
  return {
    unit: units[granularity],
    from: dayOf(from),
    to: dayOf(to),
    month_from: dayOf(from).slice(0, 7),
    month_to: dayOf(to - 1).slice(0, 7),
    whole_from: whole ? dayOf(wholeFrom).slice(0, 7) : '9999-12',
    whole_to: whole ? dayOf(wholeEnd - 1).slice(0, 7) : '0000-01',
  }
}

/**
 * Resolves a window: explicit from/to, else time_window, else days, else the last 30 days. Without a granularity it has
 * weeks up to MAX_WEEKLY_DAYS, else months; and without a window either, it is the whole weeks of the last 30 days, so that
 * no cut periods are compared. A listing has one observation a
 * day, so a bound with a time of day includes its full UTC day. Observations from `as_of` on are ignored. The comparison
 * range has equal length and ends where the window starts; calendar presets compare with the previous calendar period.
 * `judged_before` is the day before which a retailer is judged: the end of an explicit window, else as_of. Throws
 * INVALID_PARAMS for an incomplete custom window, from >= to and windows over five years.
 */
export const resolveWindow = (
  params: WindowParams,
  sent: Granularity | undefined,
  as_of: Date,
): { window: Window; periods: PeriodBindings; judged_before: string } => {
  const days = range(params, as_of.getTime())
  const isDefault = sent === undefined && WINDOW_NAMES.every((name) => params[name] === undefined)
  const { preset, from, to, comparison } = isDefault ? wholeWeeks(days) : days
  const start = startOfDay(from)
  const granularity = sent ?? granularityOf(start, to)
  const length = Math.max(DAY_MS, startOfDay(to) - start)
  const [comparisonFrom, comparisonTo] = comparison ?? [start - length, start]
  const window = {
    preset,
    from: dayOf(start),
    to: dayOf(to),
    granularity,
    comparison_from: dayOf(comparisonFrom),
    comparison_to: dayOf(comparisonTo),
    timezone: 'UTC',
  } as const
  const end = startOfDay(Math.min(to, as_of.getTime()) + DAY_MS - 1)
  const { before } = currentDays(as_of, 0)
  return {
    window,
    periods: periodBindings(start, Math.max(end, start), granularity),
    judged_before: preset === 'custom' && dayOf(end) < before ? dayOf(end) : before,
  }
}
