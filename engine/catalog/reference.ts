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

/** The reference of a snapshot: a GPC release, the lexicon's phrases by key, and the version of the crosswalk. */
export type Reference = {
  gpc: Gpc
  phrases: ReadonlyMap<string, Phrase>
  /** By gpc_id. */
  shelves: readonly TypeShelf[]
  /** Null where no crosswalk is loaded. */
  map_version: string | null
}

const NODES = `SELECT gpc_id, gpc_last, release, code, level, title, active, segment_code, family_code, class_code, segment,
  family, class, attribute_count FROM gpc_node`
const PHRASES = 'SELECT phrase, phrase_key, outcome, gpc_code, candidate_codes, reason FROM lexicon ORDER BY phrase_key'
const SHELVES = 'SELECT gpc_id, country, category_id, product_count FROM gpc_shelf ORDER BY ALL'
const VERSION = 'SELECT max(mapping_set_version) AS map_version FROM crosswalk'

/** Reads the reference of an open snapshot, all but browse nodes and attributes: those stay in their files. */
export const readReference = async (pool: Pool): Promise<Reference> => {
  const [nodes, phrases, shelves, versions] = await Promise.all([
    pool.run(NODES, {}) as Promise<GpcNode[]>,
    pool.run(PHRASES, {}) as Promise<Phrase[]>,
    pool.run(SHELVES, {}) as Promise<TypeShelf[]>,
    pool.run(VERSION, {}) as Promise<{ map_version: string | null }[]>,
  ])
  return {
    gpc: createGpc(nodes),
    phrases: new Map(phrases.map((phrase) => [phrase.phrase_key, phrase])),
    shelves,
    map_version: versions[0]?.map_version ?? null,
  }
}
