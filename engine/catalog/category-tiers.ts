import type { CategoryMatch, CategoryNode } from './category.ts'
import type { CategoryIndex, IndexedNode } from './category-index.ts'
import type { Asked } from './category-input.ts'
import { editDistance } from './edit-distance.ts'
import { unaccented } from './text.ts'

/** One way to match: the nodes in scope that the input may mean, unordered. */
export type Tier = (asked: Asked, inScope: (node: CategoryNode) => boolean) => readonly CategoryMatch[]

type Source = CategoryMatch['match_source']
type Find = (asked: Asked) => readonly IndexedNode[]
type Fits = (entry: IndexedNode, keys: readonly string[]) => boolean
type Names = (entry: IndexedNode, key: string) => boolean

const LEAST_SUBSTRING = 3
const LEAST_OVERLAP = 0.2
const LEAST_SIMILARITY = 0.6
const FUZZY_CONFIDENCE = 0.8

/** Nodes that fit alike: each keeps half of the confidence, and of the other half its share of their products. */
const tied =
  (match_source: Source, confidence: number, find: Find): Tier =>
  (asked, inScope) => {
    const nodes = find(asked)
      .map(({ node }) => node)
      .filter(inScope)
    const products = nodes.reduce((sum, node) => sum + node.product_count, 0)
    const share = (node: CategoryNode) => (products > 0 ? node.product_count / products : 1 / nodes.length)
    return nodes.map((node) => ({ node, match_confidence: confidence * (0.5 + 0.5 * share(node)), match_source }))
  }

const isPart: Names = ({ key, slugKey }, asked) => asked === key || asked === slugKey

const isPartOrAlias: Names = (entry, asked) => isPart(entry, asked) || entry.aliasKeys.includes(asked)

const isSuffix: Fits = ({ line }, keys) =>
  keys.length <= line.length && keys.every((key, at) => isPart(line.at(at - keys.length)!, key))

const isBreadcrumb: Fits = (entry, keys) => entry.line.length === keys.length && isSuffix(entry, keys)

/** Whether the parts name the node and some of its ancestors, in order. */
const isGapped =
  (names: Names): Fits =>
  ({ line }, keys) => {
    let read = 0
    for (const entry of line) if (read < keys.length && names(entry, keys[read]!)) read += 1
    return read === keys.length
  }

const isLast: Fits = () => true

const createFinders = (index: CategoryIndex) => {
  const byPath = (path: string): readonly IndexedNode[] => {
    const found = index.byPath.get(path) ?? index.bySlugPath.get(path)
    return found ? [found] : []
  }

  const byWrittenPath: Find = ({ text, readings }) => {
    const found = byPath(text)
    return found.length > 0 ? found : byPath(unaccented(readings().at(-1)!.parts.join('/')))
  }

  const bySluggedNames: Find = ({ readings }) => {
    for (const { slugs } of readings()) {
      const found = byPath(slugs().join('/'))
      if (found.length > 0) return found
    }
    return []
  }

  const byPart = (key: string): readonly IndexedNode[] => index.byPart.get(key) ?? []
  const byPartOrAlias = (key: string): readonly IndexedNode[] => [
    ...new Set([...byPart(key), ...(index.byAlias.get(key) ?? [])]),
  ]

  const byParts =
    (leastParts: number, fits: Fits, named = byPart): Find =>
    ({ readings }) => {
      for (const { parts, keys } of readings()) {
        if (parts.length < leastParts) continue
        const found = named(keys().at(-1)!).filter((entry) => fits(entry, keys()))
        if (found.length > 0) return found
      }
      return []
    }

  const bySubstring: Find = ({ readings }) => {
    const path = readings().at(-1)!.slugs().join('/')
    if (path.length < LEAST_SUBSTRING) return []
    // The descendants of a node hold whatever its own path holds: only the topmost is meant.
    return index.pathEnds
      .containing(path.slice(Math.max(path.lastIndexOf('/') - 1, 0)))
      .filter(({ slugPath, line }) => slugPath.includes(path) && !line.at(-2)?.slugPath.includes(path))
  }

  return { byWrittenPath, bySluggedNames, byParts, byPartOrAlias, bySubstring }
}

/** Nodes whose names hold every word asked for: the more of the name that is, and the more products, the likelier. */
const tokens =
  (index: CategoryIndex): Tier =>
  (asked, inScope) => {
    const words = [...new Set(asked.key().split(' '))]
    const groups = words.map((word) => index.byWord.get(word) ?? []).toSorted((a, b) => a.length - b.length)
    const found = groups[0]!.filter((entry) => inScope(entry.node) && words.every((word) => entry.words.includes(word)))
    const most = Math.max(1, ...found.map(({ node }) => node.product_count))
    return found.map(({ node, words: named }) => {
      const weight = (node.product_count / most) ** 0.1
      return { node, match_confidence: 0.55 + 0.3 * (words.length / named.length) * weight, match_source: 'tokens' }
    })
  }

/** Nodes whose names are spelt alike, by trigrams or by edit distance, whichever is kinder. */
const fuzzy =
  (index: CategoryIndex): Tier =>
  (asked, inScope) => {
    const key = asked.key()
    if (key === '') return []
    return index.keys.similar(`  ${key} `, LEAST_OVERLAP).flatMap(({ value, jaccard }) => {
      if (!inScope(value.node)) return []
      const length = Math.max(key.length, value.key.length)
      const limit = Math.floor((1 - LEAST_SIMILARITY) * length)
      const similarity = Math.max(jaccard, 1 - editDistance(key, value.key, limit) / length)
      if (similarity < LEAST_SIMILARITY) return []
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

/** The ways to match, surest first: the first that finds a node answers. */
export const createTiers = (index: CategoryIndex): readonly Tier[] => {
  const { byWrittenPath, bySluggedNames, byParts, byPartOrAlias, bySubstring } = createFinders(index)
  return [
    gpc(index),
    tied('path', 1, byWrittenPath),
    tied('breadcrumb', 1, bySluggedNames),
    tied('breadcrumb', 1, byParts(1, isBreadcrumb)),
    tied('path_suffix', 0.95, byParts(2, isSuffix)),
    tied('name', 0.95, (asked) => index.byName.get(asked.name()) ?? []),
    tied('name', 0.9, (asked) => index.byKey.get(asked.key()) ?? []),
    tied('breadcrumb', 0.9, byParts(2, isGapped(isPart))),
    tied('alias', 0.9, (asked) => index.byAlias.get(asked.key()) ?? []),
    tied('alias', 0.9, byParts(2, isGapped(isPartOrAlias), byPartOrAlias)),
    tied('name', 0.7, byParts(2, isLast)),
    tokens(index),
    tied('substring', 0.6, bySubstring),
    fuzzy(index),
  ]
}
