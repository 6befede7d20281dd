import { readCurrentManifest } from '../../engine/index.ts'
import { seededRandom } from '../ingest/small-lake.ts'
import { openEngine } from './given.ts'
import { type NumberedListing, numberedListings } from './listings.ts'
import { groupBy } from './oracle.ts'
import { rewriteTables } from './rewritten.ts'

/** A listing with its likely product; the probability is in thousandths. */
export type Joined = { listing_id: number; likely_uid: string; likely_probability: number }

/** Gives listings of a snapshot these likely products, instead of those that a refresh found. */
export const joinLikely = async (lake: string, joined: readonly Joined[]): Promise<void> => {
  const { snapshot_id } = (await readCurrentManifest(lake))!
  const values = joined.map((of) => `(${of.listing_id}, '${of.likely_uid}', ${of.likely_probability})`)
  const table = `(SELECT * FROM (VALUES (-1, '', 0), ${values.join()}) AS joined (joined_id, uid, probability))`
  await rewriteTables(lake, snapshot_id, {
    listings: (source) => `
      SELECT listing.* REPLACE (uid AS likely_uid, probability AS likely_probability)
      FROM ${source} AS listing LEFT JOIN ${table} ON joined_id = listing_id ORDER BY category_id, listing_id`,
  })
}

const isApart = (a: readonly NumberedListing[], b: readonly NumberedListing[]): boolean =>
  !a.some(({ retailer_id }) => b.some((other) => other.retailer_id === retailer_id))

/** Random likely products: entities of a country that share no retailer, each with a probability. */
const randomProducts = (listings: readonly NumberedListing[], random: () => number): Joined[] => {
  const entities = [...groupBy(listings, ({ entity_uid, product_uid }) => entity_uid ?? product_uid).values()]
  const products: NumberedListing[][][] = []
  for (const entity of entities) {
    if (random() < 0.3) continue
    const product = products[Math.floor(random() * entities.length * 0.5)]
    if (product?.every((other) => isApart(other, entity))) product.push(entity)
    else products.push([entity])
  }
  return products
    .filter(({ length }) => length > 1)
    .flatMap((product, i) =>
      product.flatMap((entity) => {
        const likely_probability = 500 + Math.floor(random() * 500)
        return entity.map(({ listing_id }) => ({ listing_id, likely_uid: `l_random_${i}`, likely_probability }))
      }),
    )
}

/** Gives the listings of a random world random likely products. */
export const joinAtRandom = async (lake: string, seed: number): Promise<void> => {
  const engine = await openEngine(lake)
  const random = seededRandom(seed)
  const byCountry = groupBy([...(await numberedListings(engine))], ([key]) => key.split('|')[1]!)
  await joinLikely(
    lake,
    [...byCountry.values()].flatMap((of) =>
      randomProducts(
        of.map(([, listing]) => listing),
        random,
      ),
    ),
  )
}
