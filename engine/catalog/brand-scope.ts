import { EngineError } from '../contract/errors.ts'
import { editDistance } from '../search/edit-distance.ts'
import { brandNorm } from './brand.ts'
import type { Brand, Catalog } from './catalog.ts'
import type { ObservedScope } from './observed.ts'

const MAX_CLOSEST = 5
const MAX_TYPOS = 2

const isClose = (key: string, { brand_norm }: Brand): boolean =>
  brand_norm.startsWith(key) ||
  (key.length > 3 && key.startsWith(brand_norm) && brand_norm.length > 2) ||
  (brand_norm[0] === key[0] && editDistance(key, brand_norm, MAX_TYPOS) <= MAX_TYPOS)

/** The brands closest to a key: the key is a prefix of theirs or the reverse, or they are within two typing errors. */
export const closestBrands = (key: string, catalog: Catalog): string[] =>
  [...catalog.brands.values()]
    .filter((brand) => isClose(key, brand))
    .sort((a, b) => b.product_count - a.product_count || (a.brand_norm < b.brand_norm ? -1 : 1))
    .slice(0, MAX_CLOSEST)
    .map(({ brand }) => brand)

/**
 * Resolves a brand in any spelling. Throws NO_RESULTS for a brand without listings, with the closest brands and the time
 * at which the scope of the query was last observed.
 */
export const resolveBrand = async (input: string, scope: ObservedScope, catalog: Catalog): Promise<Brand> => {
  const key = brandNorm(input) ?? ''
  const brand = catalog.brands.get(key)
  if (brand) return brand
  const closest_brands = key === '' ? [] : closestBrands(key.slice(0, 64), catalog)
  const hint = closest_brands.length > 0 ? ` Closest: ${closest_brands.join(', ')}.` : ''
  throw new EngineError('NO_RESULTS', `No listing has the brand "${input}".${hint}`, {
    brand: input,
    closest_brands,
    newest_observed_at: await catalog.newestObserved(scope),
  })
}
