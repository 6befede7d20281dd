import type { Database } from '../database.ts'
import type { Places } from '../paths.ts'
import { readListing } from './entities-title.ts'

const CHANGES = 'entity_changes.parquet'

const STATEMENTS = [
  'entities/entity-barcodes',
  'entities/entity-offers',
  'entities/entity-keys',
  'entities/entity-titled',
  'entities/entities',
  'entities/entity-changes',
] as const

/** What resolving came to, in the report of a refresh. */
export type EntityReport = {
  /** Distinct entities. */
  unique_products: number
  /** Listings by what anchors their entity: `barcode`, `title`, or the `listing` that stands alone. */
  anchors: Record<string, number>
  /** Barcodes that anchor nothing though they are valid, by the first reason that holds: `brands`, `price_ratio`. */
  suspect_barcodes: Record<string, number>
  /** Listings whose entity is another than in the snapshot before: `merge`, `split`, `move`, `rename`. */
  changes: Record<string, number>
  seconds: number
}

type Counts = Pick<EntityReport, 'anchors' | 'suspect_barcodes' | 'changes'>

/**
 * Gives every listing the uid of the physical product it offers, in the table `entity`. A sound barcode decides; without
 * one the title, where it says enough; else the listing is a product of its own. The uid is a function of what
 * anchors the entity, so it is the same whatever the order of refreshes.
 */
export const resolveEntities = async (database: Database): Promise<EntityReport> => {
  const start = performance.now()
  await database.run('entities/entity-tables')
  await database.transcribe('entities/entity-titles', 'title_reading', readListing)
  for (const statement of STATEMENTS) await database.run(statement)
  const { unique_products } = await database.row<{ unique_products: number }>('entities/entity-total')
  const seconds = Math.round(performance.now() - start) / 1000
  return { unique_products, ...(await countsOf(database)), seconds }
}

const countsOf = async (database: Database): Promise<Counts> => {
  const counts: Counts = { anchors: {}, suspect_barcodes: {}, changes: {} }
  type Count = { part: keyof Counts; name: string; count: number }
  for (const { part, name, count } of await database.rows<Count>('entities/entity-counts')) counts[part][name] = count
  return counts
}

/** Writes the listings that changed their entity, in this snapshot and before: the rows of the file, by its path. */
export const writeEntityChanges = async (
  database: Database,
  { previous }: Places,
  snapshot_id: string,
): Promise<Record<string, number>> => {
  const isKept = previous?.files.some(({ path }) => path === CHANGES)
  await database.run(isKept ? 'entities/entity-changes-before' : 'entities/entity-no-changes-before')
  await database.setTexts('partition', { snapshot_id })
  await database.run('entities/write-entity-changes')
  const { rows } = await database.row<{ rows: number }>('entities/entity-change-rows')
  return { [CHANGES]: rows }
}
