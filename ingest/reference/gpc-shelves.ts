import { z } from 'zod'
import { type Gpc, type GpcNode, phraseKey } from '../../engine/index.ts'
import type { NumberedNode } from '../catalogue/taxonomy.ts'
import { type Database, query, type Value } from '../database.ts'
import type { LexiconPhrase } from './lexicon.ts'

/** The product type of a shelf's listings. */
export type ShelfType = { gpc_id: number; precision: 'closeMatch' | 'broadMatch'; source: 'category' | 'lexicon' }

type Shelf = Pick<NumberedNode, 'category_id' | 'path' | 'name' | 'parent_path' | 'is_accessory' | 'gpc_codes'>

const productTypes = z.strictObject({
  listing: z.int(),
  browse_node: z.int(),
  category: z.int(),
  lexicon: z.int(),
  none: z.int(),
  agreement: z.strictObject({ same: z.int(), broader: z.int(), other: z.int() }),
})
/** Listings by the source of their type; for those with a type from the retailer, whether the other sources agree. */
export type ProductTypes = z.output<typeof productTypes>

const TYPES = query(import.meta.url, 'output#types', productTypes)

const MAX_HOPS = 4

/** The narrowest node that contains all of these codes. */
const commonOf = (gpc: Gpc, codes: readonly string[]): GpcNode | undefined => {
  const nodes = codes.flatMap((code) => gpc.canonical(code) ?? [])
  const [first] = nodes
  if (!first) return undefined
  const lineage = [first.code, first.class_code, first.family_code]
  const common = lineage.find((code) =>
    nodes.every((node) => [node.code, node.class_code, node.family_code].includes(code)),
  )
  return common ? gpc.node(common) : undefined
}

const ownType = (
  gpc: Gpc,
  phrases: ReadonlyMap<string, LexiconPhrase>,
  { gpc_codes, name }: Shelf,
): ShelfType | undefined => {
  const common = commonOf(gpc, gpc_codes)
  if (common?.gpc_id != null)
    return { gpc_id: common.gpc_id, precision: gpc_codes.length > 1 ? 'broadMatch' : 'closeMatch', source: 'category' }
  const phraseNode = gpc.canonical(phrases.get(phraseKey(name))?.gpc_code ?? '')
  return phraseNode && { gpc_id: phraseNode.gpc_id, precision: 'closeMatch', source: 'lexicon' }
}

/**
 * The type of each shelf: by its codes in the taxonomy (for several, their common node), else the lexicon's for its
 * name, else, as a broad match, that of its nearest ancestor within four steps, but not past an accessory shelf or from
 * a department.
 */
export const typeShelves = (gpc: Gpc, phrases: readonly LexiconPhrase[], shelves: readonly Shelf[]) => {
  const byKey = new Map(phrases.map((phrase) => [phrase.phrase_key, phrase]))
  const byPath = new Map(shelves.map((shelf) => [shelf.path, shelf]))
  const types = new Map<number, ShelfType>()
  for (const shelf of shelves) {
    let current: Shelf | undefined = shelf
    for (let hops = 0; current && hops <= MAX_HOPS; hops += 1) {
      if (hops > 0 && current.parent_path === null) break
      const type = ownType(gpc, byKey, current)
      if (type) {
        types.set(shelf.category_id, hops > 0 ? { ...type, precision: 'broadMatch' } : type)
        break
      }
      current = current.is_accessory ? undefined : byPath.get(current.parent_path ?? '')
    }
  }
  return types
}

/**
 * Fills `listing_type` with the type of each listing: by its own code, its browse nodes, or its shelf. Returns the
 * counts by source.
 */
export const typeListings = async (
  database: Database,
  { gpc, phrases }: { gpc: Gpc; phrases: readonly LexiconPhrase[] },
  shelves: readonly Shelf[],
): Promise<ProductTypes> => {
  const types = typeShelves(gpc, phrases, shelves)
  await database.append(
    'shelf_type',
    [...types].map(([category_id, { gpc_id, precision, source }]): Value[] => [category_id, gpc_id, precision, source]),
  )
  return database.row(TYPES)
}
