import { type CountryPrices, USUAL_COUNTRIES, USUAL_COUNTRY } from '../contract/places.ts'
import type { Manifest } from './manifest.ts'

/** The countries that queries accept, in the order of the interface, with the currency and decimals of their prices. */
export type Countries = ReadonlyMap<string, CountryPrices>

const FOLDER = /^listings\/country=([a-z]{2})\//

/** The countries of a snapshot's listings. */
export const heldCountries = ({ files }: Pick<Manifest, 'files'>): string[] =>
  files.flatMap(({ path }) => FOLDER.exec(path)?.[1] ?? []).sort()

/** The usual countries, and those that a snapshot holds besides. */
export const countriesOf = (manifest: Pick<Manifest, 'files' | 'countries'>): Countries => {
  const further = heldCountries(manifest).filter((country) => !(country in USUAL_COUNTRIES))
  const codes = [...Object.keys(USUAL_COUNTRIES), ...further]
  return new Map(codes.map((code) => [code, manifest.countries[code] ?? USUAL_COUNTRIES[code]!]))
}

/** The country of a query that names none: the only one that a snapshot holds, else us; null if it holds several others and not us. */
export const defaultCountry = (manifest: Pick<Manifest, 'files'>): string | null => {
  const held = heldCountries(manifest)
  const [only = USUAL_COUNTRY, ...others] = held
  if (others.length === 0) return only
  return held.includes(USUAL_COUNTRY) ? USUAL_COUNTRY : null
}
