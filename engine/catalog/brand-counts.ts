import type { Brand, Catalog } from './catalog.ts'

/** A brand and how many listings it has. */
export type BrandCount = Pick<Brand, 'brand_id' | 'brand' | 'brand_norm'> & { product_count: number }

/** The number of other brands that a brand is compared with: those with most listings. */
export const MAX_COMPETITORS = 10

/** A UTF-16 code unit by the place of its code point: surrogates encode points above all others. */
const rankOf = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800)

/** Compares texts by their UTF-8 bytes, which is by code points, as DuckDB sorts them. */
export const compareBytes = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i += 1) {
    const difference = rankOf(a.charCodeAt(i)) - rankOf(b.charCodeAt(i))
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** Compares brands by number of listings, most first, then by name. */
const byCount = (a: BrandCount, b: BrandCount): number =>
  b.product_count - a.product_count || compareBytes(a.brand_norm, b.brand_norm)

/** Sums counts by brand_id, which may repeat; unknown ids are left out. Most listings first, then by name. */
export const brandCounts = (
  brand_ids: ArrayLike<number>,
  counts: ArrayLike<number>,
  brandsById: Catalog['brandsById'],
): BrandCount[] => {
  const sums = new Map<number, number>()
  for (let i = 0; i < brand_ids.length; i += 1) sums.set(brand_ids[i]!, (sums.get(brand_ids[i]!) ?? 0) + counts[i]!)
  const brands = [...sums].flatMap(([brand_id, product_count]) => {
    const brand = brandsById.get(brand_id)
    return brand ? [{ ...brand, product_count }] : []
  })
  return brands.sort(byCount)
}
