import { isCountry } from '../contract/places.ts'
import { DAY_MS } from '../contract/time.ts'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

let regions: Intl.DisplayNames | undefined
/** Created on demand: most commands name no country. */
const regionName = (code: string): string => {
  regions ??= new Intl.DisplayNames('en', { type: 'region' })
  return regions.of(code)!
}

/** The name of a country in English. */
export const countryName = (country: string): string =>
  isCountry(country) ? regionName(country.toUpperCase()) : country

const GPC_CODE = /^\d{8}$/

/** A category as people write it, from its path: `office chairs`. */
export const categoryName = (path: string): string =>
  GPC_CODE.test(path) ? `GPC ${path}` : path.split('/').at(-1)!.replaceAll('-', ' ')

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

export const monthName = (time: number): string => MONTHS[new Date(time).getUTCMonth()]!

/** A day such as `22 Nov 2026`, of a day or a moment. */
export const day = (date: string | number): string => {
  const moment = new Date(date)
  return `${moment.getUTCDate()} ${monthName(moment.getTime())} ${moment.getUTCFullYear()}`
}

/** A moment such as `22 Nov 2026, 21:59 UTC`. */
export const moment = (time: string): string => `${day(time)}, ${time.slice(11, 16)} UTC`

/** The days of [from, to), without what both have in common: `22 to 30 Nov 2025`. */
export const dayRange = (from: string | number, to: string | number): string => {
  const [first, last] = [day(from).split(' '), day(new Date(to).getTime() - DAY_MS).split(' ')]
  const shared = first[2] !== last[2] ? 3 : first[1] !== last[1] ? 2 : first[0] !== last[0] ? 1 : 0
  return shared === 0 ? last.join(' ') : `${first.slice(0, shared).join(' ')} to ${last.join(' ')}`
}

/** The name of a period in words: `2026-10` as `Oct 2026`, a day as a day, a week as it is. */
export const periodText = (period: string): string => {
  if (/^\d{4}-\d\d$/.test(period)) return day(period).slice(2)
  return /^\d{4}-\d\d-\d\d$/.test(period) ? day(period) : period
}
