import { type EngineError, invalidParam } from '../contract/errors.ts'
import { quotedValue } from '../contract/expectation.ts'
import { digitsOf } from '../contract/places.ts'
import { type ToMoney, toMoney } from '../contract/round.ts'
import { type Countries, countriesOf, defaultCountry, heldCountries } from '../lake/countries.ts'
import type { Manifest } from '../lake/manifest.ts'

const invalidCountry = (message: string): EngineError =>
  invalidParam('country', message, { issues: [{ parameter: 'country', message }] })

/** Fills in the country of parameters that have one. INVALID_PARAMS for a country that a snapshot lacks, and for none where it has no default. */
export const withCountry = <P extends object>(params: P, manifest: Pick<Manifest, 'files' | 'countries'>): P => {
  const { country } = params as { country?: string }
  if (country === undefined) return params
  if (country === '') {
    const usual = defaultCountry(manifest)
    if (usual === null) throw invalidCountry(`required; send one of ${heldCountries(manifest).join(', ')}`)
    return { ...params, country: usual }
  }
  const accepted = [...countriesOf(manifest).keys()]
  if (accepted.includes(country)) return params
  throw invalidCountry(`expected one of ${accepted.join(', ')}, got ${quotedValue(country)}`)
}

/** The currency of a country's prices. */
export const currencyOf = (country: string, { countries }: { countries: Countries }): string =>
  countries.get(country)!.currency

/** The whole numbers that prices of a country are stored as, in one unit of its currency: 100 for us. */
export const minorUnits = (country: string, { countries }: { countries: Countries }): number =>
  10 ** countries.get(country)!.decimals

/** Turns stored prices of a country, or their averages, into amounts of its currency with its decimals. */
export const moneyIn = (country: string, catalog: { countries: Countries }): ToMoney =>
  toMoney(minorUnits(country, catalog))

/**
 * A hundred of the smallest units that the currency of a country is written in, in stored units: 100 for 1 dollar and for
 * 100 yen. Thresholds of prices are parts of it, since a unit of one currency is worth as much as a hundredth of another.
 */
export const hundredSmallest = (country: string, catalog: { countries: Countries }): number =>
  Math.max(1, (100 * minorUnits(country, catalog)) / 10 ** digitsOf(currencyOf(country, catalog)))

/** The lowest floor of representative prices of a country, in stored units: 0.50 dollars, 50 yen. */
export const lowestFloor = (country: string, catalog: { countries: Countries }): number =>
  hundredSmallest(country, catalog) / 2
