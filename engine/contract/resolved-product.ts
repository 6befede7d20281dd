import { z } from 'zod'
import { field } from './field.ts'

/** What is bought, before it is paid: the product that a query is resolved to, and how surely. */
export const resolvedProduct = z
  .object({
    name: field.text('Title of the listing that fits best; null where the feed has none.').nullable(),
    brand: field.text('Brand of the product; null where it is unknown.').nullable(),
    size: field.text('Contents as the title states them, such as 6 x 355 ml; null where it states none.').nullable(),
    entity_uid: field.key('Id of the physical product across retailers; null where it is not known.').nullable(),
    product_uid: field.key('Id of the listing that fits best.'),
    retailer_count: field.count('Retailers that list the product.'),
    observed_at: field.time('When one of its prices was observed last before as_of; null if none was.').nullable(),
    match_confidence: field.confidence('How well the name fits q; 1 for a uid, a barcode or an id.'),
    products_matched: field.count('Products that q may mean; above 1 another may be meant.'),
  })
  .meta({ id: 'ResolvedProduct', description: 'The product that the answer would be about.' })
export type ResolvedProduct = z.output<typeof resolvedProduct>
