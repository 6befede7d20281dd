import { z } from 'zod'
import {
  COUNTRIES,
  type CountryPrices,
  CURRENCIES,
  countriesOf,
  digitsOf,
  heldCountries,
  isCountry,
  isCurrency,
  type Manifest,
  USUAL_COUNTRIES,
} from '../../engine/index.ts'
import { type Database, query, type VariableValues } from '../database.ts'
import { plainMarks } from '../text/plain.ts'
import { currenciesBySign, unitsByWord } from './currency-signs.ts'
import type { FeedFile } from './discover.ts'
import type { Description } from './mapping.ts'

/** How prices are stored, as far as it is known before a row is read: in the lake, or stated by mappings. */
export type PriceScales = {
  countries: ReadonlyMap<string, CountryPrices>
  /** The decimals of countries that are not among these; null for those of their currencies. */
  further_decimals: number | null
}

/** The country of every row of a file; undefined where it has a column of countries. */
export const constantCountry = ({ constants, values }: Description): string | undefined => {
  const text = constants?.country?.trim()
  return text === undefined ? undefined : (values?.country?.[text] ?? text).trim().toLowerCase()
}

const highest = (decimals: readonly (number | undefined)[]): number | null =>
  decimals.reduce<number | null>((max, each) => (each === undefined ? max : Math.max(max ?? 0, each)), null)

/** What mappings state of a country that the lake does not hold; null without a currency. */
const stated = (
  country: string,
  descriptions: readonly Description[],
  further: number | null,
): CountryPrices | null => {
  const ofCountry = descriptions.filter((description) => constantCountry(description) === country)
  const currency = ofCountry.map(({ constants }) => constants?.currency?.trim().toUpperCase() ?? '').find(isCurrency)
  const usual = USUAL_COUNTRIES[country] ?? (currency ? { currency, decimals: digitsOf(currency) } : null)
  return (
    usual && { ...usual, decimals: highest(ofCountry.map(({ decimals }) => decimals)) ?? further ?? usual.decimals }
  )
}

/** What is known of the prices of files of observations before they are read. */
export const priceScales = (previous: Manifest | null, files: readonly FeedFile[]): PriceScales => {
  const descriptions = files.flatMap(({ feed, description }) => (feed === 'price_observations' ? description : []))
  // A country whose currency a column has is one of those that reading finds.
  const further = descriptions.filter((description) => {
    const country = constantCountry(description)
    return country === undefined || stated(country, [description], null) === null
  })
  const further_decimals = highest(further.map(({ decimals }) => decimals))
  const held = new Set(previous ? heldCountries(previous) : [])
  const inLake = previous ? countriesOf(previous) : new Map<string, CountryPrices>()
  const constants = descriptions.flatMap((description) => constantCountry(description) ?? []).filter(isCountry)
  const countries = new Map<string, CountryPrices>()
  for (const country of new Set([...Object.keys(USUAL_COUNTRIES), ...held, ...constants])) {
    const prices = held.has(country) ? inLake.get(country)! : stated(country, descriptions, further_decimals)
    if (prices) countries.set(country, prices)
  }
  return { countries, further_decimals }
}

/** The files that ask for more decimals than the lake has of a country that it holds, and what to do. */
export const decimalsProblems = (previous: Manifest | null, files: readonly FeedFile[]): string[] => {
  if (!previous) return []
  const inLake = countriesOf(previous)
  return files.flatMap(({ name, feed, description }) => {
    if (feed !== 'price_observations' || description.decimals === undefined) return []
    const country = constantCountry(description)
    const held = heldCountries(previous).filter((each) => country === undefined || each === country)
    const lacking = held.find((each) => inLake.get(each)!.decimals < description.decimals!)
    if (lacking === undefined) return []
    const { decimals } = inLake.get(lacking)!
    return (
      `${name}: "decimals": ${description.decimals}, but the lake stores prices of ${lacking} with ${decimals}. Rebuild it ` +
      `from its feeds in an empty folder, or set "decimals": ${decimals}, which rounds these prices`
    )
  })
}

const MAX_STORED = 2 ** 31 - 1
/** The highest plausible price in us and ca, in units of the currency. */
const MAX_USUAL_PRICE = 1_000_000

/** The variables by which steps read countries, currencies, digits and the highest prices. */
export const priceVariables = ({ countries }: PriceScales) => {
  const entries = [...countries]
  const isUsual = (country: string): boolean => country in USUAL_COUNTRIES
  const maxPrices = entries.map(([code, { decimals }]) => {
    const most = isUsual(code) ? MAX_USUAL_PRICE * 10 ** decimals - 1 : MAX_STORED
    return [code, String(Math.min(most, MAX_STORED))]
  })
  const others = [...CURRENCIES].filter((currency) => digitsOf(currency) !== 2)
  return {
    countries: ` ${[...COUNTRIES].join(' ')} `,
    country_currency: Object.fromEntries(entries.map(([code, { currency }]) => [code, currency])),
    country_max_price: Object.fromEntries(maxPrices),
    currency_digits: Object.fromEntries(others.map((currency) => [currency, String(digitsOf(currency))])),
    sign_currencies: currenciesBySign,
    sign_units: unitsByWord,
    marks_from: plainMarks.from,
    marks_to: plainMarks.to,
  } satisfies VariableValues
}

const FOUND = query(
  import.meta.url,
  'counts#found-prices',
  z.object({ name: z.string(), country: z.string(), currency: z.string() }),
)

/** The countries after reading, with the currencies that rows of further ones state, and why some of these cannot be used. */
export const foundPrices = async (database: Database, scales: PriceScales) => {
  const countries = new Map(scales.countries)
  const problems: string[] = []
  const firsts = new Map<string, string>()
  for (const { name, country, currency } of await database.rows(FOUND)) {
    const prices = countries.get(country)
    if (prices && prices.currency !== currency)
      problems.push(
        `${name}: its prices of ${country} are in ${currency}, but those of ${firsts.get(country)} in ${prices.currency}; a ` +
          `country of a lake has one currency. Set "currency" in "constants", or leave rows in another one out`,
      )
    if (prices) continue
    firsts.set(country, name)
    countries.set(country, { currency, decimals: scales.further_decimals ?? digitsOf(currency) })
  }
  return { countries, problems }
}
