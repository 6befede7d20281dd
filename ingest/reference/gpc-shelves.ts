import { type Gpc, type GpcNode, phraseKey } from '../../engine/index.ts'
import type { Database, Value } from '../database.ts'
import type { Phrase } from './lexicon.ts'

/** What a shelf says of the type of its listings. */
export type ShelfType = { gpc_id: number; precision: 'closeMatch' | 'broadMatch'; source: 'category' | 'lexicon' }

type Shelf = {
  category_id: number
  path: string
  name: string
  parent_path: string | null
  is_accessory: boolean
  gpc_codes: readonly string[]
}

const MOST_HOPS = 4

/** The narrowest node above or at all of these. */
const commonOf = (gpc: Gpc, codes: readonly string[]): GpcNode | undefined => {
  const nodes = codes.flatMap((code) => gpc.answering(code) ?? [])
  const [first] = nodes
  if (!first) return undefined
  const line = [first.code, first.class_code, first.family_code]
  const common = line.find((code) =>
    nodes.every((node) => [node.code, node.class_code, node.family_code].includes(code)),
  )
  return common ? gpc.node(common) : undefined
}

const ownType = (gpc: Gpc, phrases: ReadonlyMap<string, Phrase>, { gpc_codes, name }: Shelf): ShelfType | undefined => {
  const common = commonOf(gpc, gpc_codes)
  if (common?.gpc_id != null)
    return { gpc_id: common.gpc_id, precision: gpc_codes.length > 1 ? 'broadMatch' : 'closeMatch', source: 'category' }
  const named = gpc.answering(phrases.get(phraseKey(name))?.gpc_code ?? '')
  return named && { gpc_id: named.gpc_id, precision: 'closeMatch', source: 'lexicon' }
}

/**
 * The type of each shelf: that of its codes in the taxonomy (several: the node they share), else the lexicon's for its
 * name, else, more broadly, its nearest ancestor's over four steps, never past an accessory shelf nor from a department.
 */
export const typeShelves = (gpc: Gpc, phrases: readonly Phrase[], shelves: readonly Shelf[]) => {
  const byKey = new Map(phrases.map((phrase) => [phrase.phrase_key, phrase]))
  const byPath = new Map(shelves.map((shelf) => [shelf.path, shelf]))
  const types = new Map<number, ShelfType>()
  for (const shelf of shelves) {
    let at: Shelf | undefined = shelf
    for (let hops = 0; at && hops <= MOST_HOPS; hops += 1) {
      if (hops > 0 && at.parent_path === null) break
      const type = ownType(gpc, byKey, at)
      if (type) {
        types.set(shelf.category_id, hops > 0 ? { ...type, precision: 'broadMatch' } : type)
        break
      }
      at = at.is_accessory ? undefined : byPath.get(at.parent_path ?? '')
    }
  }
  return types
}

/** Fills `listing_type`, the type of each listing: by its own code, its browse nodes, or its shelf. */
export const typeListings = async (database: Database, gpc: Gpc, phrases: readonly Phrase[]): Promise<void> => {
  const shelves = await database.rows<Shelf>('reference/gpc-categories')
  const rows = [...typeShelves(gpc, phrases, shelves)]
  await database.run('reference/gpc-shelf-tables')
  await database.append(
    'shelf_type',
    rows.map(([category_id, { gpc_id, precision, source }]): Value[] => [category_id, gpc_id, precision, source]),
  )
  await database.run('reference/gpc-listings')
}
