import { DAY_MS } from '../../contract/time.ts'
import type { Granularity } from '../../contract/window.ts'
import { monthName } from '../words.ts'
import { textWidth } from './text.ts'

/** A scale of numbers: its ends, its ticks and the number of decimals of its ticks. */
export type NumberScale = { domain: [number, number]; ticks: number[]; digits: number }

const MANTISSAS = [1, 2, 2.5, 5, 10]
/** Floating point noise of sums of steps. */
const tidied = (value: number): number => Number(value.toPrecision(12))

/** The part of a scale that is left free beyond values that are not its ends. */
const PADDING = 0.06
/** Values above zero whose lowest is under this part of the highest are drawn from zero. */
const ZERO_SHARE = 0.25

/**
 * A scale of values from `low` to `high` with about `count` round ticks. Values are given room on both sides, but zero
 * stays an end, and becomes one where it is near. Ticks of counts are whole.
 */
export const numberScale = (low: number, high: number, count: number, isCount = false): NumberScale => {
  const lowest = low > 0 && low < ZERO_SHARE * high ? 0 : low
  const span = high - lowest || Math.max(Math.abs(low) * 0.2, isCount ? 1 : 0.1)
  const room = high === lowest ? span / 2 : PADDING * span
  const [from, to] = [lowest === 0 ? 0 : lowest - room, high === 0 && lowest < 0 ? 0 : high + room]
  const rough = (to - from) / Math.max(1, count)
  const power = 10 ** Math.floor(Math.log10(rough))
  const nice = power * MANTISSAS.find((mantissa) => mantissa * power >= rough * (1 - 1e-9))!
  const step = isCount ? Math.max(1, Math.ceil(nice)) : nice
  const first = Math.ceil(from / step - 1e-9)
  const last = Math.floor(to / step + 1e-9)
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => tidied((first + i) * step))
  const digits = Math.max(0, ...ticks.map((tick) => String(tick).split('.')[1]?.length ?? 0))
  return { domain: [from, to], ticks, digits }
}

const FONT_SIZE = 12
const GAP = 12
const MAX_TICKS = 7

export type TickFormat = (tick: number, digits: number) => string

/** A scale across `width` pixels with as many ticks as there is room for their labels. */
export const fittingScale = (
  low: number,
  high: number,
  width: number,
  format: TickFormat,
  isCount = false,
): NumberScale => {
  const fits = ({ domain: [from, to], ticks, digits }: NumberScale): boolean => {
    const step = (ticks[1] ?? to) - ticks[0]!
    return ticks.every((tick) => textWidth(format(tick, digits), FONT_SIZE) + GAP <= (width * step) / (to - from))
  }
  const scales = Array.from({ length: MAX_TICKS - 1 }, (_, i) => numberScale(low, high, MAX_TICKS - i, isCount))
  return scales.find(fits) ?? scales.at(-1)!
}

/** Steps of time ticks: days, or calendar months. */
const DAY_STEPS = [1, 2, 7, 14]
const MONTH_STEPS = [1, 2, 3, 6, 12, 24, 60]
const MONTH_DAYS = 30.44
/** A Monday, from which steps of weeks are counted. */
const MONDAY = Date.UTC(1970, 0, 5)

export type TimeTick = { at: number; label: string }

const monthsFrom = (time: number, count: number): number => {
  const date = new Date(time)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count, 1)
}

const dayTicks = (from: number, to: number, step: number): number[] => {
  const first = step < 7 ? from : MONDAY + Math.ceil((from - MONDAY) / (step * DAY_MS)) * step * DAY_MS
  return Array.from(
    { length: Math.max(0, Math.ceil((to - first) / (step * DAY_MS))) },
    (_, i) => first + i * step * DAY_MS,
  )
}

const monthTicks = (from: number, to: number, step: number): number[] => {
  const date = new Date(from)
  const months = date.getUTCFullYear() * 12 + date.getUTCMonth() + (date.getUTCDate() > 1 ? 1 : 0)
  const ticks: number[] = []
  for (let month = Math.ceil(months / step) * step; ; month += step) {
    const start = Date.UTC(Math.floor(month / 12), month % 12, 1)
    if (start >= to) return ticks
    ticks.push(start)
  }
}

const yearOf = (time: number): number => new Date(time).getUTCFullYear()

/** The year is below the first tick and below the first of each year, so that labels stay short. */
const labelled = (ticks: readonly number[], name: (time: number) => string): TimeTick[] =>
  ticks.map((at, i) => ({
    at,
    label: i === 0 || yearOf(at) !== yearOf(ticks[i - 1]!) ? `${name(at)}\n${yearOf(at)}` : name(at),
  }))

/** The shortest steps in days between the starts of periods; months are steps of their own. */
const MIN_STEP: Record<Granularity, number> = { daily: 1, weekly: 7, monthly: Infinity }

/**
 * Ticks of a time axis from `from` to `to` (milliseconds), `width` pixels wide: at starts of periods, or of months or years
 * where there is no room for more.
 */
export const timeTicks = (from: number, to: number, width: number, granularity: Granularity): TimeTick[] => {
  const days = (to - from) / DAY_MS
  const isRoomy = (step: number, label: string) => (width * step) / days >= textWidth(label, FONT_SIZE) + GAP
  const dayStep = DAY_STEPS.find((step) => step >= MIN_STEP[granularity] && isRoomy(step, '22 Nov'))
  if (dayStep !== undefined)
    return labelled(dayTicks(from, to, dayStep), (time) => `${new Date(time).getUTCDate()} ${monthName(time)}`)
  const monthStep = MONTH_STEPS.find((step) => isRoomy(step * MONTH_DAYS, 'Nov')) ?? MONTH_STEPS.at(-1)!
  const ticks = monthTicks(from, to, monthStep)
  return monthStep < 12 ? labelled(ticks, monthName) : ticks.map((at) => ({ at, label: String(yearOf(at)) }))
}

/** The start of the month that a moment is in, and that of the one after it. */
export const monthOf = (time: number): [number, number] => [monthsFrom(time, 0), monthsFrom(time, 1)]
