import type { Granularity } from '../catalog/window.ts'
import { DAY_MS } from '../time.ts'

/** Where an answer withholds a figure. */
export const WITHHELD = '–'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

export const number = (value: number, digits = 0): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits }).replace('-', '−')
export const signed = (value: number, digits = 2): string => (value > 0 ? '+' : '') + number(value, digits)

type OptionalFigure = number | null | undefined
const unless = (format: (value: number) => string, value: OptionalFigure): string =>
  value === null || value === undefined ? WITHHELD : format(value)

/** A change such as +2.71%. */
export const change = (value: OptionalFigure): string => unless((present) => `${signed(present)}%`, value)
/** A share such as 10.70%. */
export const share = (value: OptionalFigure): string => unless((present) => `${number(present, 2)}%`, value)
export const points = (value: OptionalFigure): string => unless((present) => signed(present), value)
export const index = (value: OptionalFigure): string => unless((present) => number(present, 4), value)

export type Currency = 'USD' | 'CAD'
/** An amount such as $32.45 or C$32.45; with `digits` decimals. */
export const money =
  (currency: Currency, digits = 2) =>
  (value: OptionalFigure): string =>
    unless(
      (present) => `${present < 0 ? '−' : ''}${currency === 'CAD' ? 'C$' : '$'}${number(Math.abs(present), digits)}`,
      value,
    )

export const countryName = (country: 'us' | 'ca'): string => (country === 'us' ? 'United States' : 'Canada')

/** A number of things: "1 listing", "20 listings". */
export const counted = (count: number, noun: string): string => `${number(count)} ${noun}${count === 1 ? '' : 's'}`

/** Texts side by side; undefined without any. */
export const listed = (texts: readonly string[]): string | undefined => texts.join(', ') || undefined

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** A moment as milliseconds since 1970; a day is its start. */
export const timeOf = (date: string): number => Date.parse(date)

export const monthName = (time: number): string => MONTHS[new Date(time).getUTCMonth()]!

/** A day such as 22 Nov 2026, of a day or a moment. */
export const day = (date: string | number): string => {
  const at = new Date(date)
  return `${at.getUTCDate()} ${monthName(at.getTime())} ${at.getUTCFullYear()}`
}

/** The days of [from, to), without what both have in common: "22 to 30 Nov 2025". */
export const dayRange = (from: string | number, to: string | number): string => {
  const [first, last] = [day(from).split(' '), day(new Date(to).getTime() - DAY_MS).split(' ')]
  const shared = first[2] !== last[2] ? 3 : first[1] !== last[1] ? 2 : first[0] !== last[0] ? 1 : 0
  return shared === 0 ? last.join(' ') : `${first.slice(0, shared).join(' ')} to ${last.join(' ')}`
}

/** What a period is called. */
export const periodNoun: Record<Granularity, string> = { daily: 'day', weekly: 'week', monthly: 'month' }
