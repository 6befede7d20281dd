import type { CategoryNode } from '../contract/category-node.ts'
import { fold, nameKey, slugPath } from '../contract/text.ts'
import { createTrigrams, type Trigrams } from '../search/trigrams.ts'
import { groupBy } from './group-by.ts'

/** A node with the normalized forms of its name and path. */
export type IndexedNode = {
  readonly node: CategoryNode
  /** From the root to the node itself. */
  readonly line: readonly IndexedNode[]
  readonly name: string
  readonly key: string
  /** The key of the last part of the path, which a feed may spell differently from the name. */
  readonly slugKey: string
  readonly aliasKeys: readonly string[]
  /** The path in normal form: each part as a slug. */
  readonly slugPath: string
  readonly words: readonly string[]
}

export type CategoryIndex = {
  readonly byPath: ReadonlyMap<string, IndexedNode>
  readonly bySlugPath: ReadonlyMap<string, IndexedNode>
  readonly byGpcCode: ReadonlyMap<string, readonly IndexedNode[]>
  readonly byName: ReadonlyMap<string, readonly IndexedNode[]>
  readonly byKey: ReadonlyMap<string, readonly IndexedNode[]>
  /** By the key of the name and by that of the last part of the path. */
  readonly byPart: ReadonlyMap<string, readonly IndexedNode[]>
  readonly byAlias: ReadonlyMap<string, readonly IndexedNode[]>
  readonly byWord: ReadonlyMap<string, readonly IndexedNode[]>
  readonly keys: Trigrams<IndexedNode>
  /** Over the end of each path, from the last letter of its parent's path: where a text can occur that the parent's path lacks. */
  readonly pathEnds: Trigrams<IndexedNode>
}

const parentPath = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('/'), 0))

const indexNodes = (nodes: readonly CategoryNode[]): ReadonlyMap<string, IndexedNode> => {
  const byPath = new Map<string, IndexedNode>()
  // Shallow nodes first, so that a parent is indexed before its children.
  for (const node of nodes.toSorted((a, b) => a.depth - b.depth)) {
    const key = nameKey(node.name)
    const line: IndexedNode[] = [...(byPath.get(node.parent_path ?? '')?.line ?? [])]
    const slugKey = nameKey(node.path.slice(node.path.lastIndexOf('/') + 1))
    const aliasKeys = node.aliases.map(nameKey)
    const words = [...new Set(key.split(' '))]
    const entry = { node, line, name: fold(node.name), key, slugKey, aliasKeys, slugPath: slugPath(node.path), words }
    line.push(entry)
    byPath.set(node.path, entry)
  }
  return byPath
}

/** Builds the indexes of the resolver once per snapshot, so that resolving never scans the taxonomy. */
export const indexCategories = (nodes: readonly CategoryNode[]): CategoryIndex => {
  const byPath = indexNodes(nodes)
  const entries = [...byPath.values()]
  /** By keys that are not empty: a text without letters and digits matches nothing. */
  const by = (keysOf: (entry: IndexedNode) => readonly string[]) =>
    groupBy(entries, (entry) => keysOf(entry).filter(Boolean))
  return {
    byPath,
    // Of paths with the same normal form the first wins.
    bySlugPath: new Map(entries.map((entry) => [entry.slugPath, entry] as const).reverse()),
    byGpcCode: by(({ node }) => node.gpc_codes),
    byName: by(({ name }) => [name]),
    byKey: by(({ key }) => [key]),
    byPart: by(({ key, slugKey }) => [key, slugKey]),
    byAlias: by(({ aliasKeys }) => aliasKeys),
    byWord: by(({ words }) => words),
    keys: createTrigrams(entries, ({ key }) => `  ${key} `),
    pathEnds: createTrigrams(entries, ({ slugPath }) => slugPath.slice(Math.max(parentPath(slugPath).length - 1, 0))),
  }
}
