import { type AnyQuery, paramNamed } from '../../engine/index.ts'
import type { LakeFacts } from './lake-facts.ts'

/** Longer lists than this make an example long, not clearer. */
const MAX_ENTRIES = 10

/** The parameters of a query that select one product; its example is about a product rather than a category. */
const isAboutProduct = (query: AnyQuery): boolean => paramNamed(query, 'product_uid') !== undefined

/**
 * The parameters of a query's example, as text: values that the lake holds, and whole months. Empty where the query needs
 * none or the lake has nothing to name.
 */
export const exampleParams = (query: AnyQuery, facts: LakeFacts): Record<string, string> => {
  const param = (name: string) => paramNamed(query, name)
  const { category, department, brand, retailer, product, discounted, window, country, gpc_code, series } = facts
  const isPerProduct = isAboutProduct(query)
  // A level rests on products of several retailers, of which a shelf may have too few.
  const isOfSharedProducts = query.name === 'retailer-levels'
  const hasCategory = !isOfSharedProducts && (!param('retailer')?.isRequired || retailer?.servesDepartment === true)
  const values: Record<string, string | null | undefined | false> = {
    q: isPerProduct
      ? query.name === 'best-price' && product?.product_name
      : query.group === 'reference' && (param('q')?.examples?.[0] as string),
    product_uid:
      query.name !== 'best-price' && (query.name === 'price-reality' ? (discounted ?? product) : product)?.product_uid,
    items: product && `${product.product_uid}:2`,
    brand: param('brand')?.isRequired && brand,
    category: !isPerProduct && hasCategory && (query.group === 'social' ? department?.path : category?.text),
    department: isOfSharedProducts && facts.largest_department,
    retailer: param('retailer')?.isRequired && retailer?.platform,
    gpc_code,
    series,
    country: query.group !== 'public' && country !== facts.countries.usual && country,
    from: window?.from,
    to: window?.to,
    granularity: !isPerProduct && param('granularity')?.default === 'daily' && 'monthly',
    limit: query.group !== 'public' && Number(param('limit')?.default) > MAX_ENTRIES && String(MAX_ENTRIES),
  }
  const sent = Object.entries(values).filter(
    (entry): entry is [string, string] => param(entry[0]) !== undefined && Boolean(entry[1]),
  )
  return Object.fromEntries(sent)
}
