import { findProduct } from '../../engine/catalog/product.ts'
import type { ListingPredicate } from '../../engine/catalog/text-search.ts'
import { EngineError } from '../../engine/index.ts'
import { atEnd } from './at-end.ts'
import { ensureLake, openEngine } from './given.ts'
import type { Row } from './rows.ts'

/** A listing by its name, with further columns. */
export type Offer = string | [name: string, more: Row]

const searches = new Map<string, ReturnType<typeof search>>()

/** Finds the names of the listings that a text means among some offers; for a refusal, its details. */
export const searchAmong = (offers: readonly Offer[]): ReturnType<typeof search> => {
  const key = JSON.stringify(offers)
  const made = searches.get(key) ?? search(offers)
  if (!searches.has(key)) atEnd(() => searches.delete(key))
  searches.set(key, made)
  return made
}

const search = async (offers: readonly Offer[]) => {
  const observations = offers.map((offer, index) => {
    const [product_name, more] = typeof offer === 'string' ? [offer, {}] : offer
    return {
      platform: 'alpha',
      country: 'us',
      listing_id: `id-${index}`,
      observed_at: '2026-11-10T12:00:00Z',
      price: '1.00',
      product_name,
      ...more,
    }
  })
  const { lake } = await ensureLake({ observations })
  const engine = await openEngine(lake, { as_of: new Date('2026-11-20') })
  const catalog = await engine.catalog()
  return async (q: string, country = 'us', isWanted?: ListingPredicate) => {
    const index = await catalog.search(country)
    try {
      const { listings, dropped_terms } = await findProduct({ q, country }, catalog, isWanted)
      const intended = listings.filter(({ is_intended }) => is_intended)
      return { names: intended.map(({ number }) => index.listing(number).product_name).sort(), dropped_terms }
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      return { code: error.code, message: error.message, ...error.details }
    }
  }
}
