import type { CategoryMatch, CategoryNode } from '../contract/category-node.ts'
import { EngineError, invalidParam } from '../contract/errors.ts'
import type { Catalog } from './catalog.ts'
import type { ActiveGpcNode } from './gpc.ts'

/** A product type as a scope: its listings in one country, on any shelf. */
export type TypeScope = {
  node: ActiveGpcNode
  /** The shelves with its listings, each with its share, largest first. */
  shelves: readonly CategoryMatch[]
  /** The interval of categories that contains all of them. */
  first: number
  last: number
  /** Their department; null if there are several. */
  department: string | null
}

const isInside = (category_id: number, department: CategoryNode | undefined): boolean =>
  !department || (category_id >= department.category_id && category_id <= department.category_last)

/** The refusal for a type without a listing in the country and department. */
const unlisted = async (
  node: ActiveGpcNode,
  country: string,
  department: CategoryNode | undefined,
  catalog: Catalog,
): Promise<EngineError> => {
  const { reference } = catalog
  const { gpc } = reference
  const hasListings = ({ gpc_id, gpc_last }: ActiveGpcNode) =>
    reference.shelves.some((shelf) => shelf.country === country && shelf.gpc_id >= gpc_id && shelf.gpc_id <= gpc_last)
  const above = [node.class_code, node.family_code, node.segment_code].flatMap((code) => gpc.node(code ?? '') ?? [])
  const broader = above.find(hasListings)
  const { code, title, level } = node
  const hint = broader ? `; send ${broader.code} (${broader.title}), which includes it` : ''
  const message = `category: no listing in country ${country} is of type ${code} (${title})${hint}`
  return new EngineError('NO_RESULTS', message, {
    parameter: 'category',
    gpc: { code, title, level },
    try: broader ? [broader.code] : [],
    newest_observed_at: await catalog.newestObserved({
      country,
      ...(department ? { first: department.category_id, last: department.category_last } : {}),
    }),
  })
}

/** Refuses a code that neither the release nor a shelf has. */
const refuseUnknown = (code: string, { reference, categories }: Catalog): void => {
  const { gpc } = reference
  if (categories.resolve(code)[0]?.match_source === 'gpc') return
  const retired = gpc.retired(code)
  const why = retired
    ? `was removed from the standard after ${retired.release} (${retired.title})`
    : `is not in the GPC release ${gpc.release}`
  throw invalidParam('category', `${code} ${why}`, { input: code })
}

/**
 * Resolves an 8-digit category as a GPC code: its subtree, across retailers. Undefined for other input, without a loaded
 * release, and for a code that only shelves have. Throws INVALID_PARAMS for an unknown code, NO_RESULTS for a code without
 * listings.
 */
export const matchType = async (
  input: string,
  department: CategoryNode | undefined,
  country: string,
  catalog: Catalog,
): Promise<TypeScope | undefined> => {
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
      if (isInside(shelf.category_id, department))
        counts.set(shelf.category_id, (counts.get(shelf.category_id) ?? 0) + shelf.product_count)
  const largestFirst = [...counts].sort(([a, some], [b, others]) => others - some || a - b)
  const total = largestFirst.reduce((sum, [, count]) => sum + count, 0)
  const matches = largestFirst.flatMap(([category_id, count]) => {
    const category = catalog.categories.byId(category_id)
    return category ? { node: category, match_confidence: count / total, match_source: 'gpc' as const } : []
  })
  if (matches.length === 0) throw await unlisted(node, country, department, catalog)
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
