import { type CategoryNode, isAccessoryName, isMixedName, slug } from '../../engine/index.ts'

/** A node of a taxonomy before it has a number; where the feed does not tell accessories, the name does. */
export type Node = {
  path: string
  name: string
  parent_path: string | null
  aliases: readonly string[]
  gpc_codes: readonly string[]
  is_accessory: boolean | null
  is_mixed: boolean | null
}

export type NumberedNode = CategoryNode & { is_mixed: boolean }

/** A breadcrumb as a feed writes it, with the GPC brick that all its listings share, if any. */
export type Breadcrumb = { text: string; gpc_code: string | null }

const MOST_DEPTH = 8
const UNTOLD = { aliases: [], gpc_codes: [], is_accessory: null, is_mixed: null }

/** Where listings without a category stand. */
export const UNCATEGORIZED: Node = { path: 'uncategorized', name: 'Uncategorized', parent_path: null, ...UNTOLD }

/** The names in a breadcrumb, those without a letter or digit left out, the eight topmost. */
export const namesIn = (breadcrumb: string): string[] =>
  breadcrumb
    .split(/[>»|]/)
    .map((name) => name.trim())
    .filter((name) => slug(name) !== '')
    .slice(0, MOST_DEPTH)

export const pathOf = (names: readonly string[]): string => names.map(slug).join('/')

/** The nodes that breadcrumbs spell; of several spellings of a name the first in the alphabet. */
export const nodesOf = (breadcrumbs: readonly Breadcrumb[]): Node[] => {
  const nodes = new Map<string, Node>()
  for (const { text, gpc_code } of breadcrumbs) {
    const names = namesIn(text)
    for (const [at, spelling] of names.entries()) {
      const path = pathOf(names.slice(0, at + 1))
      const known = nodes.get(path)
      const codes = at === names.length - 1 && gpc_code ? [gpc_code] : []
      const name = known && known.name < spelling ? known.name : spelling
      const parent_path = at === 0 ? null : pathOf(names.slice(0, at))
      const gpc_codes = [...new Set([...(known?.gpc_codes ?? []), ...codes])].sort()
      nodes.set(path, { ...UNTOLD, path, name, parent_path, gpc_codes })
    }
  }
  return [...nodes.values()]
}

const compareParts = (left: readonly string[], right: readonly string[]): number => {
  const at = left.findIndex((part, at) => part !== right[at])
  if (at === -1) return left.length - right.length
  return right[at] === undefined || left[at]! > right[at] ? 1 : -1
}

/** Numbers nodes from 1, depth first, siblings by slug, so that a subtree is an interval. */
export const numberNodes = (nodes: readonly Node[]): NumberedNode[] => {
  const sorted = nodes
    .map((node) => ({ node, parts: node.path.split('/') }))
    .sort((left, right) => compareParts(left.parts, right.parts))
  const line: NumberedNode[] = []
  return sorted.map(({ node, parts }, at) => {
    const is_accessory = node.is_accessory ?? isAccessoryName(node.name)
    const numbered: NumberedNode = {
      ...node,
      category_id: at + 1,
      category_last: at + 1,
      department: parts[0]!,
      depth: parts.length,
      accessory_depth: is_accessory ? parts.length : 0,
      is_accessory,
      is_mixed: node.is_mixed ?? isMixedName(node.name),
      product_count: 0,
    }
    line.length = Math.min(line.length, parts.length - 1)
    if (!is_accessory) numbered.accessory_depth = line.at(-1)?.accessory_depth ?? 0
    for (const ancestor of line) ancestor.category_last = numbered.category_id
    line.push(numbered)
    return numbered
  })
}
