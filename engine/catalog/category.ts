import { hasAccessoryWord } from './accessory.ts'
import { indexCategories } from './category-index.ts'
import { readInput } from './category-input.ts'
import { createTiers } from './category-tiers.ts'
import { fold, nameKey, slug, slugPath } from './text.ts'

/** A node of the category taxonomy, with the listings of its whole subtree as `product_count`. */
export type CategoryNode = {
  category_id: number
  category_last: number
  path: string
  name: string
  parent_path: string | null
  department: string
  depth: number
  accessory_depth: number
  is_accessory: boolean
  aliases: readonly string[]
  gpc_codes: readonly string[]
  product_count: number
}

/** A node an input may mean; `match_confidence` is in 0..1, with four decimals. */
export type CategoryMatch = {
  node: CategoryNode
  match_confidence: number
  match_source:
    | 'gpc'
    | 'path'
    | 'breadcrumb'
    | 'path_suffix'
    | 'name'
    | 'alias'
    | 'tokens'
    | 'substring'
    | 'fuzzy'
    | 'department'
}

export type CategoryResolver = {
  /** The nodes the input may mean, best first, at most 6; with a department, only nodes inside it. */
  resolve(input: string, department?: CategoryNode): readonly CategoryMatch[]
  /** The nodes whose whole name stands in a text, in words next to each other: the laptops of `acme gaming laptop`. */
  within(text: string): readonly CategoryNode[]
  /** The root of that slug or name, whatever its case. */
  department(input: string): CategoryMatch | undefined
  /** The node of a path, whatever its case and accents. */
  byPath(path: string): CategoryNode | undefined
  byId(category_id: number): CategoryNode | undefined
}

const MATCH_LIMIT = 6
const ACCESSORY_LOSS = 0.15
/** Words of a text that are read for names, and the most words of one. */
const MOST_WORDS = 32
const MOST_NAME_WORDS = 4

/** The runs of up to four words that a key holds. */
const runsOf = (key: string): string[] => {
  const words = key.split(' ').slice(0, MOST_WORDS)
  return words.flatMap((_, from) =>
    Array.from({ length: MOST_NAME_WORDS }, (_, length) => words.slice(from, from + length + 1).join(' ')),
  )
}

const byConfidence = (a: CategoryMatch, b: CategoryMatch): number =>
  b.match_confidence - a.match_confidence || a.node.depth - b.node.depth || (a.node.path < b.node.path ? -1 : 1)

/** An accessory shelf is seldom meant unless it is spoken of; a path or a code in full leaves no doubt. */
const weigh = (match: CategoryMatch, input: string): CategoryMatch => {
  const isDoubtful = match.node.is_accessory && match.match_confidence < 1 && !hasAccessoryWord(input)
  const confidence = Math.max(match.match_confidence - (isDoubtful ? ACCESSORY_LOSS : 0), 0)
  return { ...match, match_confidence: Math.round(confidence * 10_000) / 10_000 }
}

/**
 * Matches a category given as a GPC code, slug path, breadcrumb, name or misspelt name to nodes of the taxonomy.
 * The surest way to match that finds a node answers alone. Deterministic, bounded for any input, and never throws.
 */
export const createCategoryResolver = (nodes: readonly CategoryNode[]): CategoryResolver => {
  const index = indexCategories(nodes)
  const tiers = createTiers(index)
  const byId = new Map(nodes.map((node) => [node.category_id, node]))
  const roots = nodes.filter((node) => node.parent_path === null)

  return {
    resolve(input, department) {
      const asked = readInput(input)
      const inScope = ({ category_id }: CategoryNode): boolean =>
        !department || (category_id >= department.category_id && category_id <= department.category_last)
      for (const tier of tiers) {
        const matches = tier(asked, inScope).map((match) => weigh(match, asked.text))
        if (matches.length > 0) return matches.sort(byConfidence).slice(0, MATCH_LIMIT)
      }
      return []
    },

    within: (text) =>
      [...new Set(runsOf(nameKey(text)))].flatMap((run) => index.byKey.get(run)?.map(({ node }) => node) ?? []),

    department(input) {
      const { text, name } = readInput(input)
      const node =
        roots.find(({ path }) => path === text) ??
        roots.find((root) => fold(root.name) === name()) ??
        roots.find(({ path }) => slug(path) === slug(text))
      return node && { node, match_confidence: 1, match_source: 'department' }
    },

    byPath: (path) => (index.byPath.get(path.toLowerCase()) ?? index.bySlugPath.get(slugPath(path)))?.node,
    byId: (category_id) => byId.get(category_id),
  }
}
