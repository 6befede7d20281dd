import type { Gpc } from '../../engine/index.ts'
import { type Database, query, type Value } from '../database.ts'
import { type BrowseNode, browseRow, gatherNodes, nodeKey } from './browse.ts'
import type { CrosswalkMapping } from './crosswalk.ts'
import { matchNodes, type NodeMatch, type Stop } from './inherit.ts'

const BROWSE = query(import.meta.url, 'input#browse', browseRow)

const pathName = (node: BrowseNode, nodes: ReadonlyMap<string, BrowseNode>): string =>
  node.path_ids.flatMap((id) => nodes.get(nodeKey(node.marketplace, id))?.name ?? []).join(' > ')

const matchValues = (key: string, match: NodeMatch, nodes: ReadonlyMap<string, BrowseNode>): Value[] => {
  const node = nodes.get(key)
  const [marketplace = '', browse_id = ''] = key.split(':')
  const { gpc_code, match_precision, match_source, inherited_from, assurance_state, stop } = match
  return [
    ...[marketplace, browse_id, node?.name ?? null, node ? pathName(node, nodes) : null],
    ...[node?.parent_ids ?? [], node?.path_ids ?? []],
    ...[gpc_code, match_precision, match_source, inherited_from, assurance_state, stop],
  ]
}

/** Fills `browse_match`. Returns the number of nodes by how they are matched: `self`, `inherited`, or why not. */
export const matchBrowseNodes = async (
  database: Database,
  mappings: readonly CrosswalkMapping[],
  gpc: Gpc,
): Promise<Record<string, number>> => {
  const nodes = gatherNodes(await database.rows(BROWSE))
  const matches = matchNodes(nodes, mappings, gpc)
  await database.append(
    'browse_match',
    [...matches].map(([key, match]) => matchValues(key, match, nodes)),
  )
  const counts: Record<string, number> = {}
  for (const { match_source, stop } of matches.values()) {
    const name: Stop | 'self' | 'inherited' | 'unmapped' = match_source ?? stop ?? 'unmapped'
    counts[name] = (counts[name] ?? 0) + 1
  }
  return Object.fromEntries(Object.entries(counts).sort())
}
