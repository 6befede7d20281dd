import { invalidParam } from '../contract/errors.ts'
import { ratio } from '../contract/round.ts'
import { currentDays } from '../contract/window.ts'
import { type Contents, storedContents, unitPriceOf } from '../search/contents.ts'
import { isPricedWithin } from '../search/listings.ts'
import type { SearchIndex } from '../search/search-index.ts'
import type { Catalog } from './catalog.ts'
import { isOfEntity, resolveProduct } from './product-scope.ts'

export const MAX_ITEMS = 100
const MAX_QUANTITY = 999
/** Contents of equivalents are at least so much of those of the product, and at most the reciprocal. */
export const COMPARABLE_SIZE = 0.8
/** The equivalents of an item that are cheapest by unit price. */
const MAX_EQUIVALENTS = 300

const QUANTITY = /:(\d{1,6})$/

/** What a basket has: products by uid or text, each with a whole quantity. Throws INVALID_PARAMS. */
const parseItems = (text: string) => {
  const items = text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)
    .map((item) => ({ text: item.replace(QUANTITY, '').trim(), quantity: Number(QUANTITY.exec(item)?.[1] ?? 1) }))
  if (items.length === 0 || items.length > MAX_ITEMS)
    throw invalidParam('items', `has ${items.length} items; send 1 to ${MAX_ITEMS}, separated by commas`)
  const refused = items.find(({ text, quantity }) => text === '' || quantity < 1 || quantity > MAX_QUANTITY)
  if (refused)
    throw invalidParam(
      'items',
      `"${refused.text}:${refused.quantity}": send a product and a quantity from 1 to ${MAX_QUANTITY}`,
    )
  return items
}

const lookupOf = (text: string) =>
  text.startsWith('p_') ? { product_uid: text } : text.startsWith('e_') ? { entity_uid: text } : { q: text }

/** The numbers of all new listings of some product types, by type. */
const listingsByType = ({ table, places }: SearchIndex, types: ReadonlySet<number>): ReadonlyMap<number, number[]> => {
  const byType = new Map([...types].map((type): [number, number[]] => [type, []]))
  const { gpc_id } = table.columns
  if (types.size > 0)
    for (let row = 0; row < gpc_id.length; row += 1) byType.get(gpc_id[row]!)?.push(places.number[row]!)
  return byType
}

const isComparable = (of: Contents | null, contents: Contents): boolean =>
  of !== null &&
  of.unit === contents.unit &&
  of.total >= COMPARABLE_SIZE * contents.total &&
  COMPARABLE_SIZE * of.total <= contents.total

/** The cheapest equivalents of a product by unit price: of its type, new, of comparable size. */
const equivalentsOf = (index: SearchIndex, numbers: readonly number[], contents: Contents): number[] =>
  numbers
    .map((number) => ({ number, listing: index.listing(number) }))
    .filter(
      ({ listing }) =>
        listing.condition === 'new' && listing.price > 0 && isComparable(storedContents(listing), contents),
    )
    .map(({ number, listing }) => ({ number, unit: unitPriceOf(listing.price, storedContents(listing))!.value }))
    .sort((a, b) => a.unit - b.unit || a.number - b.number)
    .slice(0, MAX_EQUIVALENTS)
    .map(({ number }) => number)

/**
 * Resolves the items of a basket to products, and to the listings that may be bought for each. Throws INVALID_PARAMS for a text
 * that matches several products, and NO_RESULTS for one that matches none.
 */
export const resolveBasket = async (
  { items, country, days, equivalents }: { items: string; country: string; days: number; equivalents: boolean },
  catalog: Catalog,
) => {
  const { since, before } = currentDays(catalog.as_of, days)
  const isWanted = isPricedWithin(since, before)
  const index = await catalog.search(country)
  const resolved = []
  for (const { text, quantity } of parseItems(items)) {
    const resolution = await resolveProduct({ ...lookupOf(text), country }, catalog, undefined, isWanted)
    await resolution.requireClear({ parameter: 'items', text })
    const { product, type, resolved_product } = resolution.context
    const ofProduct = resolution.listings.filter(isOfEntity).map(({ number }) => number)
    const condition = index.listing(ofProduct[0]!).condition
    const alike = ofProduct.filter((number) => index.listing(number).condition === condition)
    const contents = storedContents(index.listing(ofProduct[0]!))
    resolved.push({
      item: text,
      quantity,
      product,
      type: type.gpc_id,
      alike,
      contents,
      confidence: resolved_product.match_confidence,
    })
  }
  const types = new Set(equivalents ? resolved.flatMap(({ type, contents }) => (contents ? (type ?? []) : [])) : [])
  const byType = listingsByType(index, types)
  const basket = resolved.map(({ alike, contents, type, product, confidence, ...item }) => {
    const others = contents && type !== null ? equivalentsOf(index, byType.get(type) ?? [], contents) : []
    const numbers = [...new Set([...alike, ...others])]
    const placed = numbers.map((number) => ({ number, ...index.listing(number) }))
    return {
      ...item,
      product_uid: product.product_uid,
      entity_uid: product.entity_uid,
      product_name: product.product_name,
      brand: product.brand,
      match_confidence: ratio(confidence),
      own: alike.map((number) => index.listing(number).listing_id),
      listings: placed.map(({ number, listing_id, category_id }) => ({ number, listing_id, category_id })),
    }
  })
  return { basket, since, before, currency: resolved[0]!.product.currency }
}
