import { digitsOf } from '../../contract/places.ts'
import { categoryName, countryName, dayRange } from '../words.ts'
import { money } from './format.ts'

type PlottedScope = {
  category?: string | null
  department?: string | null
  country: string
  currency: string
  retailer?: string | null
  brand?: string | null
  resolved?: { category_path: string | null } | null
}

/** What an answer is about: "coffee", "laptops of Lenovo at kettlecart", "all categories". */
export const subject = ({ category, department, resolved, brand, retailer }: PlottedScope): string => {
  const path = category ?? resolved?.category_path ?? department
  const what = path ? `${categoryName(path)}${brand ? ` of ${brand}` : ''}` : (brand ?? 'all categories')
  return `${what}${retailer ? ` at ${retailer}` : ''}`
}

export const countryOf = ({ country }: PlottedScope): string => countryName(country)
export const moneyOf = ({ currency }: PlottedScope) => money(currency)
/** An amount on an axis, in full units where its ticks are. */
export const moneyTick =
  ({ currency }: PlottedScope) =>
  (tick: number, digits: number): string =>
    money(currency, digits === 0 ? 0 : Math.max(digitsOf(currency), digits))(tick)

/** The days of an answer's window: "22 Nov 2025 to 20 Nov 2026". */
export const windowDays = ({ window }: { window: { from: string; to: string } }): string =>
  dayRange(window.from, window.to)

/** The parts of a unit line that are not empty. */
export const unitLine = (...parts: readonly (string | false | undefined)[]): string => parts.filter(Boolean).join('; ')
