import { z } from 'zod'
import { counts, recordOf } from '../counts.ts'
import { type Database, query, step } from '../database.ts'
import { readSize } from './size.ts'
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

/** The report of a refresh on entities. */
export type EntityReport = {
  /** Distinct entities. */
  unique_products: number
  /** Listings by the anchor of their entity: `barcode`, `title`, or the `listing` itself. */
  anchors: Record<string, number>
  /** Valid barcodes that are not used as anchors, by the first applicable reason: `brands`, `price_ratio`. */
  suspect_barcodes: Record<string, number>
  /** Listings whose entity is offered by two or more retailers. */
  matched: number
  /** Listings whose entity differs from that in the previous snapshot: `merge`, `split`, `move`, `rename`. */
  changes: Record<string, number>
  seconds: number
}

/**
 * Assigns every listing the uid of the physical product it offers, in the table `entity`. A trusted barcode decides;
 * without one the title, if it is specific enough; otherwise the listing is a separate product. The uid depends only on
 * the anchor of the entity, so it does not depend on the order of refreshes. Also sets the size of every listing that states
 * one, in the table `listing_size`.
 */
export const resolveEntities = async (database: Database): Promise<EntityReport> => {
  const start = performance.now()
  await database.mapRows(TITLES, 'title_text_reading', ({ title_id, ...title }) => {
    const { brand, part_number, codes, words, pack, kind, size } = readTitle(title)
    const { milli, unit, pieces, differs } = readSize(title)
    const contents = [milli, unit, pieces, differs]
    return [title_id, brand, part_number, codes.join(' ') || null, words, pack, kind, size, ...contents]
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
