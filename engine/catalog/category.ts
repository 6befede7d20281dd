import type { CategoryMatch, CategoryNode } from '../contract/category-node.ts'
import { fold, nameKey, slug, slugPath } from '../contract/text.ts'
import { hasAccessoryWord } from './accessory.ts'
import { indexCategories } from './category-index.ts'
import { parseCategoryInput } from './category-input.ts'
import { createTiers } from './category-tiers.ts'

export type CategoryResolver = {
  /** The nodes that match the input, best first, at most 6; with a department, only nodes inside it. */
  resolve(input: string, department?: CategoryNode): readonly CategoryMatch[]
  /** The nodes whose full name occurs in a text, as adjacent words: `Laptops` for `acme gaming laptop`. */
  within(text: string): readonly CategoryNode[]
  /** The nodes with a word, folded and in the singular, in their name. */
  withWord(word: string): readonly CategoryNode[]
  /** The root with that slug or name, ignoring case. */
  department(input: string): CategoryMatch | undefined
  /** The node of a path, ignoring case and accents. */
  byPath(path: string): CategoryNode | undefined
  byId(category_id: number): CategoryNode | undefined
}

const MAX_MATCHES = 6
const ACCESSORY_PENALTY = 0.15
/** Bounds of the search for names in a text: its words, and the words of a name. */
const MAX_WORDS = 32
const MAX_NAME_WORDS = 4

/** The word n-grams of a key, n up to four. */
const ngramsOf = (key: string): string[] => {
  const words = key.split(' ').slice(0, MAX_WORDS)
  return words.flatMap((_, from) =>
    Array.from({ length: MAX_NAME_WORDS }, (_, length) => words.slice(from, from + length + 1).join(' ')),
  )
}

const byConfidence = (a: CategoryMatch, b: CategoryMatch): number =>
  b.match_confidence - a.match_confidence || a.node.depth - b.node.depth || (a.node.path < b.node.path ? -1 : 1)

/** Lowers the confidence of an accessory shelf unless the input has a word for accessories or is an exact path or code. */
const withAccessoryPenalty = (match: CategoryMatch, input: string): CategoryMatch => {
  const isPenalized = match.node.is_accessory && match.match_confidence < 1 && !hasAccessoryWord(input)
  const confidence = Math.max(match.match_confidence - (isPenalized ? ACCESSORY_PENALTY : 0), 0)
  return { ...match, match_confidence: Math.round(confidence * 10_000) / 10_000 }
}

/**
 * Matches a category given as a GPC code, slug path, breadcrumb, name or misspelt name to nodes of the taxonomy.
 * The most confident strategy with a match decides alone. Deterministic, bounded for any input, and never throws.
 */
export const createCategoryResolver = (nodes: readonly CategoryNode[]): CategoryResolver => {
  const index = indexCategories(nodes)
  const tiers = createTiers(index)
  const byId = new Map(nodes.map((node) => [node.category_id, node]))
  const roots = nodes.filter((node) => node.parent_path === null)

  return {
    resolve(input, department) {
      const parsed = parseCategoryInput(input)
      const inScope = ({ category_id }: CategoryNode): boolean =>
        !department || (category_id >= department.category_id && category_id <= department.category_last)
      for (const tier of tiers) {
        const matches = tier(parsed, inScope).map((match) => withAccessoryPenalty(match, parsed.text))
        if (matches.length > 0) return matches.sort(byConfidence).slice(0, MAX_MATCHES)
      }
      return []
    },

    within: (text) =>
      [...new Set(ngramsOf(nameKey(text)))].flatMap((ngram) => index.byKey.get(ngram)?.map(({ node }) => node) ?? []),

    withWord: (word) => index.byWord.get(word)?.map(({ node }) => node) ?? [],

    department(input) {
      const { text, name } = parseCategoryInput(input)
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
