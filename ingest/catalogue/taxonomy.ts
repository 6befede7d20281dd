import { z } from 'zod'
import { type CategoryNode, isAccessoryName, isMixedName, slug } from '../../engine/index.ts'
import { step } from '../database.ts'

/** Collects the taxonomy's nodes, and quarantines those that lack an ancestor. */
export const TAXONOMY = step(import.meta.url, 'categories#taxonomy')

/** A node of a taxonomy before it has a number; where `is_accessory` or `is_mixed` is null, the name decides. */
export const nodeRow = z.strictObject({
  path: z.string(),
  name: z.string(),
  parent_path: z.string().nullable(),
  aliases: z.array(z.string()).readonly(),
  gpc_codes: z.array(z.string()).readonly(),
  is_accessory: z.boolean().nullable(),
  is_mixed: z.boolean().nullable(),
})
export type TaxonomyNode = z.output<typeof nodeRow>

export type NumberedNode = CategoryNode & { is_mixed: boolean }

/** A breadcrumb as a feed writes it, with the GPC brick that its listings share, if any. */
export const breadcrumbRow = z.strictObject({ text: z.string(), gpc_code: z.string().nullable() })
export type Breadcrumb = z.output<typeof breadcrumbRow>

const MAX_DEPTH = 8
const UNKNOWN = { aliases: [], gpc_codes: [], is_accessory: null, is_mixed: null }

/** The category of listings that have none. */
export const UNCATEGORIZED: TaxonomyNode = {
  path: 'uncategorized',
  name: 'Uncategorized',
  parent_path: null,
  ...UNKNOWN,
}

/** The top eight names in a breadcrumb; those without a letter or digit are skipped. */
export const namesIn = (breadcrumb: string): string[] =>
  breadcrumb
    .split(/[>»|]/)
    .map((name) => name.trim())
    .filter((name) => slug(name) !== '')
    .slice(0, MAX_DEPTH)

export const pathOf = (names: readonly string[]): string => names.map(slug).join('/')

/** The nodes that breadcrumbs spell; of several spellings of a name, the first in code point order. */
export const nodesOf = (breadcrumbs: readonly Breadcrumb[]): TaxonomyNode[] => {
  const nodes = new Map<string, TaxonomyNode>()
  for (const { text, gpc_code } of breadcrumbs) {
    const names = namesIn(text)
    for (const [index, spelling] of names.entries()) {
      const path = pathOf(names.slice(0, index + 1))
      const existing = nodes.get(path)
      const codes = index === names.length - 1 && gpc_code ? [gpc_code] : []
      const name = existing && existing.name < spelling ? existing.name : spelling
      const parent_path = index === 0 ? null : pathOf(names.slice(0, index))
      const gpc_codes = [...new Set([...(existing?.gpc_codes ?? []), ...codes])].sort()
      nodes.set(path, { ...UNKNOWN, path, name, parent_path, gpc_codes })
    }
  }
  return [...nodes.values()]
}

const compareParts = (left: readonly string[], right: readonly string[]): number => {
  const index = left.findIndex((part, index) => part !== right[index])
  if (index === -1) return left.length - right.length
  return right[index] === undefined || left[index]! > right[index] ? 1 : -1
}

/** Numbers nodes from 1, depth first, siblings by slug, so that a subtree is an interval. */
export const numberNodes = (nodes: readonly TaxonomyNode[]): NumberedNode[] => {
  const sorted = nodes
    .map((node) => ({ node, parts: node.path.split('/') }))
    .sort((left, right) => compareParts(left.parts, right.parts))
  const ancestors: NumberedNode[] = []
  return sorted.map(({ node, parts }, index) => {
    const is_accessory = node.is_accessory ?? isAccessoryName(node.name)
    const numbered: NumberedNode = {
      ...node,
      category_id: index + 1,
      category_last: index + 1,
      department: parts[0]!,
      depth: parts.length,
      accessory_depth: is_accessory ? parts.length : 0,
      is_accessory,
      is_mixed: node.is_mixed ?? isMixedName(node.name),
      product_count: 0,
    }
    ancestors.length = Math.min(ancestors.length, parts.length - 1)
    if (!is_accessory) numbered.accessory_depth = ancestors.at(-1)?.accessory_depth ?? 0
    for (const ancestor of ancestors) ancestor.category_last = numbered.category_id
    ancestors.push(numbered)
    return numbered
  })
}
