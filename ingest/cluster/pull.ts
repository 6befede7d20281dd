import { EngineError, type ManifestFile } from '../../engine/index.ts'
import { quoted, type SnapshotSource, tableSql, withoutKeys } from './source.ts'
import type { TypedColumn } from './sums.ts'
import { filesOf, folderColumns, WHOLE_TABLE } from './tables.ts'
import { columnsOf, type ShardTarget } from './target.ts'

/**
 * A store that fails is tried four times more, and one that is silent after ten seconds. A prefetch would get most of each
 * file twice. What the folders of a path say is in the statement.
 */
const SETTINGS = `SETTINGS s3_retry_attempts = 4, s3_request_timeout_ms = 10000, remote_filesystem_read_prefetch = 0,
  use_hive_partitioning = 0`

/** Runs a statement that reads files. If it fails as a file is damaged or the store fails, that is thrown. */
const pull = async (
  { node }: ShardTarget,
  source: SnapshotSource,
  files: readonly ManifestFile[],
  sql: string,
  signal: AbortSignal,
): Promise<void> => {
  try {
    await node.execute(`${sql} ${SETTINGS}`, { signal })
  } catch (cause) {
    if (signal.aborted) throw cause
    for (const file of files) await source.check(file)
    if (!(cause instanceof EngineError) || files.length === 0) throw cause
    throw new EngineError(cause.code, withoutKeys(cause.message, source.locate(files[0]!)))
  }
}

/** What decides on which shard a listing is. */
const PLACE_COLUMNS = columnsOf('listing').filter(({ name }) =>
  ['listing_id', 'entity_uid', 'likely_uid'].includes(name),
)

/**
 * Finds the listings of a shard. Those of one entity or likely product are on the same one, that of the first of them, so
 * that a listing stays where it is when others join its product. Multiplication by the golden ratio (Knuth, The Art of Computer
 * Programming 3, 6.4) spreads consecutive numbers.
 */
export const findListings = async (target: ShardTarget, source: SnapshotSource, signal: AbortSignal): Promise<void> => {
  const files = filesOf(source.snapshot.manifest.files, 'listing')
  if (files.length === 0) return
  const { number, of } = target.place
  const listings = files.map((file) => `SELECT * FROM ${tableSql(source.locate(file), PLACE_COLUMNS)}`)
  const sql = `INSERT INTO place
WITH sipHash64(coalesce(likely_uid, entity_uid, toString(listing_id))) AS product
SELECT listing_id FROM (
  SELECT listing_id, min(listing_id) OVER (PARTITION BY product) AS first_id FROM (${listings.join(' UNION ALL ')})
) WHERE bitShiftRight(toUInt64(first_id) * 2654435769 % 4294967296 * ${of}, 32) = ${number}`
  await pull(target, source, files, sql, signal)
}

/** Inserts the rows of a file that are of the shard. */
export const pullFile = (
  target: ShardTarget,
  source: SnapshotSource,
  table: string,
  columns: readonly TypedColumn[],
  file: ManifestFile,
  signal: AbortSignal,
): Promise<void> => {
  const inPath = folderColumns(file.path)
  const read = columns.filter(({ name }) => !(name in inPath))
  const values = columns.map(({ name }) => (name in inPath ? `${quoted(inPath[name]!)} AS ${name}` : name))
  const filter = table === WHOLE_TABLE ? '' : 'WHERE listing_id IN (SELECT listing_id FROM place)'
  const rows = tableSql(source.locate(file), read)
  const sql = `INSERT INTO ${table} SELECT ${values.join()} FROM ${rows} ${filter}`
  return pull(target, source, [file], sql, signal)
}
