import { addDays } from './oracle.ts'

export type Granularity = 'daily' | 'weekly' | 'monthly'
export type Period = { date: string; period: string; end: string }

const weekday = (day: string): number => (new Date(day).getUTCDay() + 6) % 7

/** The ISO week has the year of its Thursday, and counts from the week of 4 January. */
const isoWeek = (monday: string): string => {
  const year = addDays(monday, 3).slice(0, 4)
  const fourth = `${year}-01-04`
  const first = addDays(fourth, -weekday(fourth))
  const week = 1 + (Date.parse(monday) - Date.parse(first)) / (7 * 86_400_000)
  return `${year}-W${String(week).padStart(2, '0')}`
}

const nextMonth = (month: string): string => {
  const [year, number] = month.split('-').map(Number)
  return number === 12 ? `${year! + 1}-01-01` : `${year}-${String(number! + 1).padStart(2, '0')}-01`
}

/** The day, ISO week or month that a day belongs to; `end` is its last day plus one. */
export const periodOf = (day: string, granularity: Granularity): Period => {
  if (granularity === 'daily') return { date: day, period: day, end: addDays(day, 1) }
  if (granularity === 'monthly')
    return { date: `${day.slice(0, 7)}-01`, period: day.slice(0, 7), end: nextMonth(day.slice(0, 7)) }
  const monday = addDays(day, -weekday(day))
  return { date: monday, period: isoWeek(monday), end: addDays(monday, 7) }
}
