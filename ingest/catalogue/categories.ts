import { z } from 'zod'
import { createCategoryResolver } from '../../engine/index.ts'
import { type Database, query } from '../database.ts'
import {
  breadcrumbRow,
  type NumberedNode,
  namesIn,
  nodeRow,
  nodesOf,
  numberNodes,
  pathOf,
  type TaxonomyNode,
  UNCATEGORIZED,
} from './taxonomy.ts'

const CATEGORIES = query(
  import.meta.url,
  'categories#categories',
  z.strictObject({ nodes: z.array(nodeRow), breadcrumbs: z.array(breadcrumbRow) }),
)

const MIN_CONFIDENCE = 0.9

/** Finds the path of a breadcrumb's node; null if not even its first name is a node. */
type MatchBreadcrumb = (breadcrumb: string) => string | null

/** Matches a breadcrumb to a node with sufficient confidence, else its longest prefix that has such a node. */
const createMatch = (nodes: readonly TaxonomyNode[]): MatchBreadcrumb => {
  const resolver = createCategoryResolver(numberNodes(nodes))
  const paths = new Map<string, string | null>()
  const find = (names: readonly string[]): string | null => {
    if (names.length === 0) return null
    const text = names.join(' > ')
    const cached = paths.get(text)
    if (cached !== undefined) return cached
    const [match] = resolver.resolve(text)
    const path = match && match.match_confidence >= MIN_CONFIDENCE ? match.node.path : find(names.slice(0, -1))
    paths.set(text, path)
    return path
  }
  return (breadcrumb) => find(namesIn(breadcrumb))
}

/** The path that a breadcrumb spells, for nodes that are built from breadcrumbs. */
const spelledPath: MatchBreadcrumb = (breadcrumb) => pathOf(namesIn(breadcrumb)) || null

/**
 * Fills `category` with the numbered nodes of the taxonomy, the feed's or one built of the listings' breadcrumbs, and
 * `category_reading` with the node of every breadcrumb. Returns the nodes, parents first.
 */
export const readCategories = async (database: Database): Promise<readonly NumberedNode[]> => {
  const { nodes: fed, breadcrumbs } = await database.row(CATEGORIES)
  const nodes = fed.length > 0 ? fed : nodesOf(breadcrumbs)
  const match = fed.length > 0 ? createMatch(fed) : spelledPath
  const withUncategorized = nodes.some(({ path }) => path === UNCATEGORIZED.path) ? nodes : [...nodes, UNCATEGORIZED]
  const numbered = numberNodes(withUncategorized)
  const idOf = new Map(numbered.map(({ path, category_id }) => [path, category_id]))
  await database.append(
    'category',
    numbered.map((node) => [
      node.category_id,
      node.category_last,
      node.depth,
      node.accessory_depth,
      node.path,
      node.name,
      node.department,
      node.parent_path,
      node.aliases,
      node.gpc_codes,
      node.is_accessory,
      node.is_mixed,
    ]),
  )
  await database.append(
    'category_reading',
    breadcrumbs.map(({ text }) => [text, idOf.get(match(text) ?? UNCATEGORIZED.path)!]),
  )
  return numbered
}
