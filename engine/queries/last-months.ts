import { dayOf } from '../contract/days.ts'

/** The window of the last so many complete calendar months before a moment. */
export const lastMonths = (months: number, as_of: Date): { from: string; to: string } => {
  const firstOf = (month: number): string => dayOf(Date.UTC(as_of.getUTCFullYear(), month))
  return { from: firstOf(as_of.getUTCMonth() - months), to: firstOf(as_of.getUTCMonth()) }
}
