import { z } from 'zod'

/** A row of a browse tree: a node below one of its parents. */
export const browseRow = z.strictObject({
  marketplace: z.string(),
  browse_id: z.string(),
  name: z.string(),
  parent_id: z.string().nullable(),
  path_ids: z.array(z.string()).readonly(),
})
export type BrowseRow = z.output<typeof browseRow>

/** A node of a marketplace's browse tree; `path_ids` leads from a root to the node itself. */
export type BrowseNode = {
  marketplace: string
  browse_id: string
  name: string
  parent_ids: readonly string[]
  path_ids: readonly string[]
}

/** Ids are unique within a marketplace only. */
export const nodeKey = (marketplace: string, browse_id: string): string => `${marketplace}:${browse_id}`

/** Ids are numbers of up to twenty digits: the shorter one is the smaller. */
const compareIds = (a = '', b = ''): number => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)

const isBefore = (a: readonly string[], b: readonly string[]): boolean =>
  (a.length - b.length || compareIds(a.at(-2), b.at(-2)) || (a.join() < b.join() ? -1 : 1)) < 0

type CollectedNode = { name: string; parents: Set<string>; paths: (readonly string[])[] }

/**
 * Finds the shortest path from a root, ties by the smaller parent; without a path in a row, derives it from the
 * parents'.
 */
const createPathFinder = (marketplace: string, nodes: ReadonlyMap<string, CollectedNode>) => {
  const paths = new Map<string, readonly string[]>()
  const find = (id: string, below: ReadonlySet<string>): readonly string[] => {
    const cached = paths.get(id)
    if (cached) return cached
    const node = nodes.get(nodeKey(marketplace, id))
    const given = node?.paths ?? []
    const parents = [...(node?.parents ?? [])].filter((parent) => !below.has(parent))
    const candidates =
      given.length > 0 ? given : parents.map((parent) => [...find(parent, new Set([...below, id])), id])
    const path = candidates.reduce<readonly string[] | undefined>(
      (a, b) => (a && isBefore(a, b) ? a : b),
      undefined,
    ) ?? [id]
    paths.set(id, path)
    return path
  }
  return (id: string) => find(id, new Set([id]))
}

/** The nodes of all trees, each once, by `nodeKey`: with all its parents and its shortest path. */
export const gatherNodes = (rows: readonly BrowseRow[]): ReadonlyMap<string, BrowseNode> => {
  const gathered = new Map<string, CollectedNode>()
  for (const { marketplace, browse_id, name, parent_id, path_ids } of rows) {
    const key = nodeKey(marketplace, browse_id)
    const node = gathered.get(key) ?? { name, parents: new Set(), paths: [] }
    const parent = parent_id ?? path_ids.at(-2)
    if (parent && parent !== browse_id) node.parents.add(parent)
    if (path_ids.at(-1) === browse_id) node.paths.push(path_ids)
    gathered.set(key, node)
  }
  const finders = new Map<string, (id: string) => readonly string[]>()
  const nodes = new Map<string, BrowseNode>()
  for (const [key, { name, parents }] of gathered) {
    const [marketplace = '', browse_id = ''] = key.split(':')
    const pathOf = finders.get(marketplace) ?? createPathFinder(marketplace, gathered)
    finders.set(marketplace, pathOf)
    const parent_ids = [...parents].sort(compareIds)
    nodes.set(key, { marketplace, browse_id, name, parent_ids, path_ids: pathOf(browse_id) })
  }
  return nodes
}
