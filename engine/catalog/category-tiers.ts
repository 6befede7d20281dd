import type { CategoryMatch, CategoryNode } from '../contract/category-node.ts'
import { unaccented } from '../contract/text.ts'
import { editDistance } from '../search/edit-distance.ts'
import type { CategoryIndex, IndexedNode } from './category-index.ts'
import type { CategoryInput } from './category-input.ts'

/** A matching strategy: returns the nodes in scope that match the input, unordered. */
export type Tier = (input: CategoryInput, inScope: (node: CategoryNode) => boolean) => readonly CategoryMatch[]

type MatchSource = CategoryMatch['match_source']
type Finder = (input: CategoryInput) => readonly IndexedNode[]
type PathMatcher = (entry: IndexedNode, keys: readonly string[]) => boolean
type PartMatcher = (entry: IndexedNode, key: string) => boolean

const MIN_SUBSTRING = 3
const MIN_OVERLAP = 0.2
const MIN_SIMILARITY = 0.6
const FUZZY_CONFIDENCE = 0.8

/** Equally good matches: each has half of the confidence, and of the other half its share of their products. */
const tied =
  (match_source: MatchSource, confidence: number, find: Finder): Tier =>
  (input, inScope) => {
    const nodes = find(input)
      .map(({ node }) => node)
      .filter(inScope)
    const products = nodes.reduce((sum, node) => sum + node.product_count, 0)
    const share = (node: CategoryNode) => (products > 0 ? node.product_count / products : 1 / nodes.length)
    return nodes.map((node) => ({ node, match_confidence: confidence * (0.5 + 0.5 * share(node)), match_source }))
  }

const isPart: PartMatcher = (entry, key) => key === entry.key || key === entry.slugKey

const isPartOrAlias: PartMatcher = (entry, key) => isPart(entry, key) || entry.aliasKeys.includes(key)

const isSuffix: PathMatcher = ({ line }, keys) =>
  keys.length <= line.length && keys.every((key, position) => isPart(line.at(position - keys.length)!, key))

const isBreadcrumb: PathMatcher = (entry, keys) => entry.line.length === keys.length && isSuffix(entry, keys)

/** Whether the parts match a subsequence of the line of a node. */
const isSubsequence =
  (matchesPart: PartMatcher): PathMatcher =>
  ({ line }, keys) => {
    let matched = 0
    for (const entry of line) if (matched < keys.length && matchesPart(entry, keys[matched]!)) matched += 1
    return matched === keys.length
  }

const isAnyPath: PathMatcher = () => true

const createFinders = (index: CategoryIndex) => {
  const nodeAt = (path: string): readonly IndexedNode[] => {
    const node = index.byPath.get(path) ?? index.bySlugPath.get(path)
    return node ? [node] : []
  }

  const byExactPath: Finder = ({ text, splits }) => {
    const nodes = nodeAt(text)
    return nodes.length > 0 ? nodes : nodeAt(unaccented(splits().at(-1)!.parts.join('/')))
  }

  const bySluggedNames: Finder = ({ splits }) => {
    for (const { slugs } of splits()) {
      const nodes = nodeAt(slugs().join('/'))
      if (nodes.length > 0) return nodes
    }
    return []
  }

  const byPart = (key: string): readonly IndexedNode[] => index.byPart.get(key) ?? []
  const byPartOrAlias = (key: string): readonly IndexedNode[] => [
    ...new Set([...byPart(key), ...(index.byAlias.get(key) ?? [])]),
  ]

  const byParts =
    (minParts: number, matches: PathMatcher, candidatesByKey = byPart): Finder =>
    ({ splits }) => {
      for (const { parts, keys } of splits()) {
        if (parts.length < minParts) continue
        const nodes = candidatesByKey(keys().at(-1)!).filter((entry) => matches(entry, keys()))
        if (nodes.length > 0) return nodes
      }
      return []
    }

  const bySubstring: Finder = ({ splits }) => {
    const path = splits().at(-1)!.slugs().join('/')
    if (path.length < MIN_SUBSTRING) return []
    // The path of a descendant contains that of its ancestor: only the topmost match counts.
    return index.pathEnds
      .containing(path.slice(Math.max(path.lastIndexOf('/') - 1, 0)))
      .filter(({ slugPath, line }) => slugPath.includes(path) && !line.at(-2)?.slugPath.includes(path))
  }

  return { byExactPath, bySluggedNames, byParts, byPartOrAlias, bySubstring }
}

/** Nodes whose names have every word of the input: more confident the more of the name matches and the more products it has. */
const tokens =
  (index: CategoryIndex): Tier =>
  (input, inScope) => {
    const words = [...new Set(input.key().split(' '))]
    const groups = words.map((word) => index.byWord.get(word) ?? []).toSorted((a, b) => a.length - b.length)
    const matches = groups[0]!.filter(
      (entry) => inScope(entry.node) && words.every((word) => entry.words.includes(word)),
    )
    const maxProducts = Math.max(1, ...matches.map(({ node }) => node.product_count))
    return matches.map(({ node, words: nameWords }) => {
      const weight = (node.product_count / maxProducts) ** 0.1
      return { node, match_confidence: 0.55 + 0.3 * (words.length / nameWords.length) * weight, match_source: 'tokens' }
    })
  }

/** Nodes with similar names, by trigrams or edit distance, whichever is more similar. */
const fuzzy =
  (index: CategoryIndex): Tier =>
  (input, inScope) => {
    const key = input.key()
    if (key === '') return []
    return index.keys.similar(`  ${key} `, MIN_OVERLAP).flatMap(({ value, jaccard }) => {
      if (!inScope(value.node)) return []
      const length = Math.max(key.length, value.key.length)
      const limit = Math.floor((1 - MIN_SIMILARITY) * length)
      const similarity = Math.max(jaccard, 1 - editDistance(key, value.key, limit) / length)
      if (similarity < MIN_SIMILARITY) return []
      return [{ node: value.node, match_confidence: FUZZY_CONFIDENCE * similarity, match_source: 'fuzzy' }]
    })
  }

const gpc =
  (index: CategoryIndex): Tier =>
  ({ text }, inScope) =>
    (index.byGpcCode.get(text) ?? [])
      .map(({ node }) => node)
      .filter(inScope)
      .map((node) => ({ node, match_confidence: 1, match_source: 'gpc' }))

/** The matching strategies, most confident first: the first that finds a node wins. */
export const createTiers = (index: CategoryIndex): readonly Tier[] => {
  const { byExactPath, bySluggedNames, byParts, byPartOrAlias, bySubstring } = createFinders(index)
  return [
    gpc(index),
    tied('path', 1, byExactPath),
    tied('breadcrumb', 1, bySluggedNames),
    tied('breadcrumb', 1, byParts(1, isBreadcrumb)),
    tied('path_suffix', 0.95, byParts(2, isSuffix)),
    tied('name', 0.95, (input) => index.byName.get(input.name()) ?? []),
    tied('name', 0.9, (input) => index.byKey.get(input.key()) ?? []),
    tied('breadcrumb', 0.9, byParts(2, isSubsequence(isPart))),
    tied('alias', 0.9, (input) => index.byAlias.get(input.key()) ?? []),
    tied('alias', 0.9, byParts(2, isSubsequence(isPartOrAlias), byPartOrAlias)),
    tied('name', 0.7, byParts(2, isAnyPath)),
    tokens(index),
    tied('substring', 0.6, bySubstring),
    fuzzy(index),
  ]
}
