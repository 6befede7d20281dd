import type { Pool } from '../pool.ts'
import { createGpc, type Gpc, type GpcNode } from './gpc.ts'

/** A curated phrase: a hit names its type, a miss tells why it has none. */
export type Phrase = {
  phrase: string
  phrase_key: string
  outcome: 'hit' | 'miss'
  gpc_code: string | null
  candidate_codes: readonly string[]
  reason: 'ambiguous' | 'need_type' | null
}

/** Listings of one type on one shelf. */
export type TypeShelf = { gpc_id: number; country: 'us' | 'ca'; category_id: number; product_count: number }

/** Browse nodes by their rows of known_browse_node (sql/reference.sql). */
export type BrowseRows = {
  /** By id, us before ca. */
  byId: ReadonlyMap<string, number>
  /** By GPC code: those that are mapped themselves first. */
  byCode: ReadonlyMap<string, readonly number[]>
}

/** The reference of a snapshot: a GPC release, the lexicon's phrases by key, and the version of the crosswalk. */
export type Reference = {
  gpc: Gpc
  phrases: ReadonlyMap<string, Phrase>
  browse: BrowseRows
  /** By gpc_id. */
  shelves: readonly TypeShelf[]
  /** Null where no crosswalk is loaded. */
  map_version: string | null
}

const NODES = `SELECT gpc_id, gpc_last, release, code, level, title, active, segment_code, family_code, class_code, segment,
  family, class, attribute_count FROM gpc_node`
const PHRASES = 'SELECT phrase, phrase_key, outcome, gpc_code, candidate_codes, reason FROM lexicon ORDER BY phrase_key'
const SHELVES = 'SELECT gpc_id, country, category_id, product_count FROM gpc_shelf ORDER BY ALL'
const BROWSE = `SELECT browse_id, coalesce(gpc_code, '') AS gpc_code, coalesce(match_source, '') AS match_source
  FROM known_browse_node ORDER BY rowid`
const VERSION = 'SELECT max(mapping_set_version) AS map_version FROM crosswalk'

type BrowseColumns = Record<'browse_id' | 'gpc_code' | 'match_source', readonly string[]>

const indexBrowseNodes = ({ browse_id, gpc_code, match_source }: BrowseColumns): BrowseRows => {
  // Of an id in both marketplaces the later row is that of us.
  const byId = new Map(browse_id.map((id, row) => [id, row]))
  const byCode = new Map<string, number[]>()
  for (const row of byId.values()) {
    const rows = byCode.get(gpc_code[row]!)
    if (rows) rows.push(row)
    else if (gpc_code[row]) byCode.set(gpc_code[row], [row])
  }
  const isSelf = (row: number): number => (match_source[row] === 'self' ? 0 : 1)
  const length = (row: number): number => browse_id[row]!.length
  for (const rows of byCode.values()) rows.sort((a, b) => isSelf(a) - isSelf(b) || length(a) - length(b) || a - b)
  return { byId, byCode }
}

/** Reads the reference of an open snapshot; of browse nodes only where they stand, attributes stay in their file. */
export const readReference = async (pool: Pool): Promise<Reference> => {
  const [nodes, phrases, shelves, browse, versions] = await Promise.all([
    pool.run(NODES, {}) as Promise<GpcNode[]>,
    pool.run(PHRASES, {}) as Promise<Phrase[]>,
    pool.run(SHELVES, {}) as Promise<TypeShelf[]>,
    pool.columns(BROWSE, {}) as Promise<unknown> as Promise<BrowseColumns>,
    pool.run(VERSION, {}) as Promise<{ map_version: string | null }[]>,
  ])
  return {
    gpc: createGpc(nodes),
    phrases: new Map(phrases.map((phrase) => [phrase.phrase_key, phrase])),
    browse: indexBrowseNodes(browse),
    shelves,
    map_version: versions[0]?.map_version ?? null,
  }
}
