import type { AnyQuery } from '../../engine/index.ts'
import type { LakeFacts } from './lake-facts.ts'
import { queryParams } from './query-params.ts'

/** Longer lists than this make an example long, not clearer. */
const MAX_ENTRIES = 10

/** The parameters of a query that select one product; its example is about a product rather than a category. */
const isAboutProduct = (params: ReturnType<typeof queryParams>): boolean => 'product_uid' in params

/**
 * The parameters of a query's example, as text: values that the lake holds, and whole months. Empty where the query needs
 * none or the lake has nothing to name.
 */
export const exampleParams = (query: AnyQuery, facts: LakeFacts): Record<string, string> => {
  const params = queryParams(query)
  const { category, department, brand, retailer, product, window, country, gpc_code } = facts
  const isPerProduct = isAboutProduct(params)
  const hasCategory = !params.retailer?.isRequired || retailer?.servesDepartment === true
  const values: Record<string, string | null | undefined | false> = {
    q: isPerProduct
      ? query.name === 'best-price' && product?.product_name
      : query.group === 'reference' && (params.q?.examples?.[0] as string),
    product_uid: query.name !== 'best-price' && product?.product_uid,
    brand: params.brand?.isRequired && brand,
    category: !isPerProduct && hasCategory && (query.group === 'social' ? department?.path : category?.text),
    retailer: params.retailer?.isRequired && retailer?.platform,
    gpc_code,
    country: query.group !== 'public' && country !== params.country?.default && country,
    from: window?.from,
    to: window?.to,
    granularity: !isPerProduct && params.granularity?.default === 'daily' && 'monthly',
    limit: query.group !== 'public' && Number(params.limit?.default) > MAX_ENTRIES && String(MAX_ENTRIES),
  }
  const sent = Object.entries(values).filter(
    (entry): entry is [string, string] => entry[0] in params && Boolean(entry[1]),
  )
  return Object.fromEntries(sent)
}

/** A path with its query string. */
export const pathWith = (path: string, params: Readonly<Record<string, string>>): string => {
  const text = new URLSearchParams(params).toString()
  return text === '' ? path : `${path}?${text}`
}
