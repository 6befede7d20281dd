import type { Pool } from '../duckdb/pool.ts'
import type { Texts } from '../duckdb/texts.ts'
import { createGpc, type Gpc, type GpcNode } from './gpc.ts'
import { groupBy } from './group-by.ts'

/** A phrase of the lexicon: a hit has a product type, a miss has the reason why there is none. */
export type Phrase = {
  phrase: string
  phrase_key: string
  outcome: 'hit' | 'miss'
  gpc_code: string | null
  candidate_codes: readonly string[]
  reason: 'ambiguous' | 'need_type' | null
}

/** Listings of one type on one shelf. */
export type TypeShelf = { gpc_id: number; country: string; category_id: number; product_count: number }

/** The nodes of browse trees; for an id in both marketplaces, that of us. */
export type BrowseNodes = {
  /** The nodes with these ids, as rows of matched_node_of (sql/reference.sql); unknown ids are left out. */
  nodes(ids: readonly string[]): { node: string }[]
  /** The ids mapped to a GPC code, those mapped themselves first. */
  idsOf(code: string): readonly string[]
}

/** The reference of a snapshot: a GPC release, the lexicon's phrases by key, and the version of the crosswalk. */
export type Reference = {
  gpc: Gpc
  phrases: ReadonlyMap<string, Phrase>
  browse: BrowseNodes
  /** Phrases that name a type, by each of their words and by its code. */
  hits: { byWord: ReadonlyMap<string, readonly Phrase[]>; byCode: ReadonlyMap<string, readonly Phrase[]> }
  /** The attributes of a brick, as JSON. */
  attributes: ReadonlyMap<string, string>
  /** By gpc_id. */
  shelves: readonly TypeShelf[]
  /** Null if no crosswalk is loaded. */
  map_version: string | null
}

const NODES = `SELECT gpc_id, gpc_last, release, code, level, title, active, segment_code, family_code, class_code, segment,
  family, class, attribute_count FROM gpc_node`
const PHRASES = 'SELECT phrase, phrase_key, outcome, gpc_code, candidate_codes, reason FROM lexicon ORDER BY phrase_key'
const SHELVES = 'SELECT gpc_id, country, category_id, product_count FROM gpc_shelf ORDER BY ALL'
const BROWSE = `SELECT browse_id, coalesce(gpc_code, '') AS gpc_code, coalesce(match_source, '') AS match_source
  FROM matched_node ORDER BY browse_id, marketplace`
const MATCHED = 'SELECT node FROM matched_node ORDER BY browse_id, marketplace'
const ATTRIBUTES = 'SELECT brick_code, attributes FROM brick_attributes'
const VERSION = 'SELECT max(mapping_set_version) AS map_version FROM crosswalk'

type BrowseColumns = Record<'browse_id' | 'gpc_code' | 'match_source', readonly string[]>

const indexBrowseNodes = ({ browse_id, gpc_code, match_source }: BrowseColumns, texts: Texts): BrowseNodes => {
  // For an id in both marketplaces the later row is that of us.
  const rowOf = new Map(browse_id.map((id, row) => [id, row]))
  const isSelf = (row: number): number => (match_source[row] === 'self' ? 0 : 1)
  const length = (row: number): number => browse_id[row]!.length
  const rows = [...rowOf.values()].sort((a, b) => isSelf(a) - isSelf(b) || length(a) - length(b) || a - b)
  const byCode = groupBy(rows, (row) => gpc_code[row] || [])
  return {
    nodes: (ids) =>
      ids.flatMap((id) => {
        const row = rowOf.get(id)
        return row === undefined ? [] : { node: texts.at(row) }
      }),
    idsOf: (code) => byCode.get(code)?.map((row) => browse_id[row]!) ?? [],
  }
}

const indexHits = (phrases: readonly Phrase[]): Reference['hits'] => {
  const hits = phrases.filter(({ outcome }) => outcome === 'hit')
  return {
    byWord: groupBy(hits, ({ phrase_key }) => phrase_key.split(' ')),
    byCode: groupBy(hits, ({ gpc_code }) => gpc_code ?? []),
  }
}

/** Reads the reference of an open snapshot. */
export const readReference = async (pool: Pool): Promise<Reference> => {
  const [nodes, phrases, shelves, browse, matched, bricks, versions] = await Promise.all([
    pool.run(NODES, {}) as Promise<GpcNode[]>,
    pool.run(PHRASES, {}) as Promise<Phrase[]>,
    pool.run(SHELVES, {}) as Promise<TypeShelf[]>,
    pool.columns(BROWSE, {}) as Promise<unknown> as Promise<BrowseColumns>,
    pool.texts(MATCHED, {}),
    pool.run(ATTRIBUTES, {}) as Promise<{ brick_code: string; attributes: string }[]>,
    pool.run(VERSION, {}) as Promise<{ map_version: string | null }[]>,
  ])
  return {
    gpc: createGpc(nodes),
    phrases: new Map(phrases.map((phrase) => [phrase.phrase_key, phrase])),
    hits: indexHits(phrases),
    browse: indexBrowseNodes(browse, matched),
    attributes: new Map(bricks.map(({ brick_code, attributes }) => [brick_code, attributes])),
    shelves,
    map_version: versions[0]?.map_version ?? null,
  }
}
