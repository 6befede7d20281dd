import { DAY_MS } from './time.ts'

/** UTC days as numbers since 1970, and as `YYYY-MM-DD`. */
export const dayNumber = (day: string): number => Math.floor(Date.parse(day) / DAY_MS)
export const dayText = (number: number): string => dayOf(number * DAY_MS)

/** The UTC day of a moment, in milliseconds since 1970. */
export const dayOf = (time: number | Date): string => new Date(time).toISOString().slice(0, 10)

export const addDays = (day: string, days: number): string => dayText(dayNumber(day) + days)
