import { readFileSync } from 'node:fs'
import { EngineError } from '../errors.ts'
import type { Catalog } from './catalog.ts'
import type { Country } from './scope.ts'

export type ProductQuestion = {
  q?: string | undefined
  product_uid?: string | undefined
  entity_uid?: string | undefined
  country: Country
  retailer?: string | undefined
}

/** What a question about one product has been resolved to, best listing first, bounded. */
export type Product = {
  /** q as received, else the uid. */
  query: string
  /** The trailing words left out of q because no product has them all; null where none was. */
  dropped_terms: string[] | null
  /** The best listing. */
  product_uid: string
  entity_uid: string | null
  product_name: string | null
  brand: string | null
  category_id: number
  listings: readonly { listing_id: number; category_id: number; match_type: 'entity' | 'title' }[]
}

const sql = readFileSync(new URL('./product.sql', import.meta.url), 'utf8')

type Found = Pick<Product, 'product_uid' | 'entity_uid' | 'product_name' | 'brand' | 'category_id'> & {
  listing_id: number
}

/** Resolves a question about one product. Throws NO_RESULTS for a uid that is unknown and a q that finds nothing. */
export const findProduct = async (question: ProductQuestion, catalog: Catalog): Promise<Product> => {
  const { q = null, product_uid = null, entity_uid = null, country, retailer = null } = question
  const query = product_uid ?? entity_uid ?? q ?? ''
  const rows = (await catalog.lookup(sql, { q, product_uid, entity_uid, country, retailer })) as Found[]
  const [best] = rows
  if (!best) throw new EngineError('NO_RESULTS', `No product matches "${query}" in country ${country}.`, { query })
  const isOfEntity = (row: Found) => row === best || (best.entity_uid !== null && row.entity_uid === best.entity_uid)
  return {
    query: q ?? query,
    dropped_terms: null,
    product_uid: best.product_uid,
    entity_uid: best.entity_uid,
    product_name: best.product_name,
    brand: best.brand,
    category_id: best.category_id,
    listings: rows.map((row) => ({
      listing_id: row.listing_id,
      category_id: row.category_id,
      match_type: isOfEntity(row) ? 'entity' : 'title',
    })),
  }
}
