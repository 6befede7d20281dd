import { EngineError } from '../errors.ts'
import type { Catalog } from './catalog.ts'
import type { CategoryMatch, CategoryNode } from './category.ts'
import type { ActiveGpcNode } from './gpc.ts'

/** A product type as a scope: its listings in one country, on whatever shelves they stand. */
export type TypeScope = {
  node: ActiveGpcNode
  /** The shelf with most of them, then the others, each with its share. */
  shelves: readonly CategoryMatch[]
  /** The categories between which all of them stand. */
  first: number
  last: number
  /** The one department of them all; null where there are several. */
  department: string | null
}

const inside = (category_id: number, department: CategoryNode | undefined): boolean =>
  !department || (category_id >= department.category_id && category_id <= department.category_last)

/** The refusal of a type without a listing in the country and department. */
const unlisted = (
  node: ActiveGpcNode,
  country: 'us' | 'ca',
  department: CategoryNode | undefined,
  catalog: Catalog,
): EngineError => {
  const { reference } = catalog
  const { gpc } = reference
  const holds = ({ gpc_id, gpc_last }: ActiveGpcNode) =>
    reference.shelves.some((shelf) => shelf.country === country && shelf.gpc_id >= gpc_id && shelf.gpc_id <= gpc_last)
  const above = [node.class_code, node.family_code, node.segment_code].flatMap((code) => gpc.node(code ?? '') ?? [])
  const broader = above.find(holds)
  const { code, title, level } = node
  const hint = broader ? `; ${broader.code} (${broader.title}) above it has some` : ''
  const message = `category: no listing in country ${country} is known to be of ${code} (${title})${hint}`
  return new EngineError('NO_RESULTS', message, {
    parameter: 'category',
    gpc: { code, title, level },
    try: broader ? [broader.code] : [],
    newest_observed_at: catalog.newestObserved({
      country,
      ...(department ? { first: department.category_id, last: department.category_last } : {}),
    }),
  })
}

/** A code the release has not, and no shelf either. */
const refuseUnknown = (code: string, { reference, categories }: Catalog): void => {
  const { gpc } = reference
  if (categories.resolve(code)[0]?.match_source === 'gpc') return
  const gone = gpc.retired(code)
  const why = gone
    ? `left the standard after ${gone.release} (${gone.title})`
    : `is not in the GPC release ${gpc.release}`
  throw new EngineError('INVALID_PARAMS', `category: ${code} ${why}`, { parameter: 'category', input: code })
}

/**
 * Reads an 8-digit category as a GPC code: every brick beneath it, across retailers. Undefined for anything else, where
 * no release is loaded, and for a code that only shelves know. INVALID_PARAMS for one that nothing knows, NO_RESULTS for
 * one without a listing.
 */
export const matchType = (
  input: string,
  department: CategoryNode | undefined,
  country: 'us' | 'ca',
  catalog: Catalog,
): TypeScope | undefined => {
  const code = input.trim()
  const { gpc, shelves } = catalog.reference
  if (!/^\d{8}$/.test(code) || gpc.release === null) return undefined
  const node = gpc.node(code)
  if (!node) {
    refuseUnknown(code, catalog)
    return undefined
  }
  const counts = new Map<number, number>()
  for (const shelf of shelves)
    if (shelf.country === country && shelf.gpc_id >= node.gpc_id && shelf.gpc_id <= node.gpc_last)
      if (inside(shelf.category_id, department))
        counts.set(shelf.category_id, (counts.get(shelf.category_id) ?? 0) + shelf.product_count)
  const found = [...counts].sort(([a, some], [b, others]) => others - some || a - b)
  const total = found.reduce((sum, [, count]) => sum + count, 0)
  const matches = found.flatMap(([category_id, count]) => {
    const category = catalog.categories.byId(category_id)
    return category ? { node: category, match_confidence: count / total, match_source: 'gpc' as const } : []
  })
  if (matches.length === 0) throw unlisted(node, country, department, catalog)
  const ids = [...counts.keys()]
  const departments = new Set(matches.map(({ node }) => node.department))
  return {
    node,
    shelves: matches,
    first: Math.min(...ids),
    last: Math.max(...ids),
    department: departments.size === 1 ? [...departments][0]! : null,
  }
}
