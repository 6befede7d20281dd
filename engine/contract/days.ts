import { DAY_MS } from './time.ts'

/** UTC days as numbers since 1970, and as `YYYY-MM-DD`. */
export const dayNumber = (day: string): number => Math.floor(Date.parse(day) / DAY_MS)
export const dayText = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10)
