import { type Gpc, groupBy, isAccessoryName } from '../../engine/index.ts'
import { type BrowseNode, nodeKey } from './browse.ts'
import { type AssuranceState, type CrosswalkMapping, type Precision, SERVED_STATES } from './crosswalk.ts'

/** Why a node has no code: the reason in its own lines, or the reason why inheritance stopped. */
export const STOPS = [
  'negative',
  'unserved',
  'retired',
  'accessory',
  'deals',
  'brand',
  'department',
  'not_inherited',
  'too_far',
] as const
export type Stop = (typeof STOPS)[number]

/** The match of a node; if it has no code, `stop` is the reason. */
export type NodeMatch = {
  gpc_code: string | null
  match_precision: Precision | null
  match_source: 'self' | 'inherited' | null
  inherited_from: string | null
  assurance_state: AssuranceState | null
  stop: Stop | null
}

const MAX_HOPS = 4

const DEALS = /\b(?:deals?|sales?|clearance|outlet|offers?|promotions?|coupons?|bargains?|discounts?|gift cards?)\b/i
const BRANDS = /\b(?:brands?|brand stores?|featured stores|specialty stores)$/i

/** Predicates, the most certain first. */
const BY_CERTAINTY: readonly Precision[] = ['exactMatch', 'closeMatch', 'broadMatch', 'narrowMatch', 'relatedMatch']
const unmatched = (stop: Stop): NodeMatch => ({
  gpc_code: null,
  match_precision: null,
  match_source: null,
  inherited_from: null,
  assurance_state: null,
  stop,
})

/** The most certain first. Equal ones have the same code; ordering them by state makes the choice deterministic. */
const compareMappings = (a: CrosswalkMapping, b: CrosswalkMapping): number =>
  BY_CERTAINTY.indexOf(a.predicate) - BY_CERTAINTY.indexOf(b.predicate) ||
  Number(a.assurance_state > b.assurance_state) - Number(a.assurance_state < b.assurance_state)

/** Finds the match in a node's own lines; undefined if there are none. */
const createOwnMatch = (mappings: readonly CrosswalkMapping[], gpc: Gpc) => {
  const linesByNode = groupBy(mappings, ({ marketplace, browse_id }) => nodeKey(marketplace, browse_id))
  return (key: string): NodeMatch | undefined => {
    const lines = linesByNode.get(key)
    if (!lines) return undefined
    const served = lines.filter(({ assurance_state }) => SERVED_STATES.includes(assurance_state))
    const [best] = served.filter(({ gpc_code, is_not }) => gpc_code !== null && !is_not).sort(compareMappings)
    if (!best) return unmatched(served.length > 0 ? 'negative' : 'unserved')
    const node = gpc.canonical(best.gpc_code!)
    if (!node) return unmatched('retired')
    const { predicate: match_precision, assurance_state } = best
    const match = { gpc_code: node.code, match_precision, assurance_state }
    return { ...match, match_source: 'self', inherited_from: null, stop: null }
  }
}

const stopAt = (name: string, parent: string): Stop | undefined => {
  if (isAccessoryName(name)) return 'accessory'
  if (DEALS.test(name)) return 'deals'
  return BRANDS.test(name) || BRANDS.test(parent) ? 'brand' : undefined
}

/**
 * Matches every node with a GPC code: its own, or that of its nearest mapped ancestor, which is then the broader one.
 * Only exact and broad matches are inherited, over at most four steps, and never past an accessory, deals or brand
 * node, a negative mapping, or from a department. A mapping that is not served counts only for its own node.
 */
export const matchNodes = (nodes: ReadonlyMap<string, BrowseNode>, mappings: readonly CrosswalkMapping[], gpc: Gpc) => {
  const ownMatchOf = createOwnMatch(mappings, gpc)
  const nameOf = (marketplace: string, id = '') => nodes.get(nodeKey(marketplace, id))?.name ?? ''

  const inherit = ({ marketplace, path_ids }: BrowseNode): NodeMatch => {
    const { length } = path_ids
    for (let index = length - 1; index > 0; index -= 1) {
      const stop = stopAt(nameOf(marketplace, path_ids[index]), nameOf(marketplace, path_ids[index - 1]))
      if (stop) return unmatched(stop)
      if (index === 1) return unmatched('department')
      if (length - index > MAX_HOPS) return unmatched('too_far')
      const from = path_ids[index - 1]!
      const match = ownMatchOf(nodeKey(marketplace, from))
      if (match?.stop === 'negative') return unmatched('negative')
      if (!match?.gpc_code) continue
      if (match.match_precision !== 'exactMatch' && match.match_precision !== 'broadMatch')
        return unmatched('not_inherited')
      const { gpc_code } = match
      const inherited = {
        gpc_code,
        match_precision: 'broadMatch',
        match_source: 'inherited',
        inherited_from: from,
      } as const
      return { ...inherited, assurance_state: 'derived', stop: null }
    }
    return unmatched('department')
  }

  const matchOf = (key: string): NodeMatch => {
    const match = ownMatchOf(key)
    const node = nodes.get(key)
    if (match && (match.gpc_code !== null || match.stop === 'negative' || !node)) return match
    const inherited = inherit(node!)
    // If nothing is inherited, the node's own line has the better reason.
    return inherited.gpc_code === null && match ? match : inherited
  }
  const keys = new Set([...nodes.keys(), ...mappings.map((row) => nodeKey(row.marketplace, row.browse_id))])
  return new Map([...keys].sort().map((key) => [key, matchOf(key)]))
}
