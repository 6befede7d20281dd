import { z } from 'zod'
import { counts, recordOf } from '../counts.ts'
import { type Database, query, step } from '../database.ts'
import { readTitle, titleRow } from './titles.ts'

const TITLES = query(import.meta.url, 'titles', titleRow)
const KEYS = step(import.meta.url, 'keys')
const ENTITIES = step(import.meta.url, 'entities')
const CHANGES = query(
  import.meta.url,
  'changes',
  z.strictObject({
    unique_products: z.int(),
    matched: z.int(),
    anchors: counts,
    suspect_barcodes: counts,
    changes: counts,
  }),
)

/** What a refresh reports of entities. */
export type EntityReport = {
  /** Distinct entities. */
  unique_products: number
  /** Listings by what anchors their entity: `barcode`, `title`, or the `listing` itself. */
  anchors: Record<string, number>
  /** Valid barcodes that anchor nothing, by the first reason that holds: `brands`, `price_ratio`. */
  suspect_barcodes: Record<string, number>
  /** Listings whose entity two or more retailers offer. */
  matched: number
  /** Listings of another entity than in the previous snapshot: `merge`, `split`, `move`, `rename`. */
  changes: Record<string, number>
  seconds: number
}

/**
 * Gives every listing the uid of the physical product it offers, in the table `entity`. A sound barcode decides; without
 * one the title, where it is specific enough; else the listing is a product of its own. The uid is a function of what
 * anchors the entity, so it is the same whatever the order of refreshes.
 */
export const resolveEntities = async (database: Database): Promise<EntityReport> => {
  const start = performance.now()
  await database.mapRows(TITLES, 'title_text_reading', ({ title_id, ...title }) => {
    const { brand, part_number, codes, words, pack, kind, size } = readTitle(title)
    return [title_id, brand, part_number, codes.join(' ') || null, words, pack, kind, size]
  })
  for (const step of [KEYS, ENTITIES]) await database.run(step)
  const { unique_products, matched, anchors, suspect_barcodes, changes } = await database.row(CHANGES)
  return {
    unique_products,
    matched,
    anchors: recordOf(anchors),
    suspect_barcodes: recordOf(suspect_barcodes),
    changes: recordOf(changes),
    seconds: Math.round(performance.now() - start) / 1000,
  }
}
