import type { Brand, CatalogNames, Retailer } from '../catalog/catalog.ts'
import { createCategoryResolver } from '../catalog/category.ts'
import { readReference } from '../catalog/reference.ts'
import type { CategoryNode } from '../contract/category-node.ts'
import type { Pool } from '../duckdb/pool.ts'

/** Reads the names of a snapshot: categories, brands, retailers and its reference data. */
export const readNames = async (pool: Pool): Promise<CatalogNames> => {
  const [categories, brands, retailers, reference] = await Promise.all([
    pool.run('SELECT * FROM category ORDER BY category_id', {}) as Promise<CategoryNode[]>,
    pool.run('SELECT * FROM brand ORDER BY brand_id', {}) as Promise<Brand[]>,
    pool.run(
      'SELECT * REPLACE (last_observed_at::VARCHAR AS last_observed_at) FROM retailer ORDER BY platform',
      {},
    ) as Promise<Retailer[]>,
    readReference(pool),
  ])
  return {
    categories: createCategoryResolver(categories),
    brands: new Map(brands.map((brand) => [brand.brand_norm, brand])),
    brandsById: new Map(brands.map((brand) => [brand.brand_id, brand])),
    retailers: new Map(retailers.map((retailer) => [retailer.platform, retailer])),
    platforms: new Map(retailers.map(({ retailer_id, platform }) => [retailer_id, platform])),
    reference,
  }
}
