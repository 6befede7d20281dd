import { createHash } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { currentSnapshotId, type Manifest, snapshotFolder } from '../../engine/index.ts'
import type { DigestParts } from '../../ingest/snapshot/digest.ts'
import { query } from './feeds.ts'

const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex')

/** The columns that the folders of a path are named by. */
export const folderColumns = (path: string): Record<string, string> =>
  Object.fromEntries([...path.matchAll(/(\w+)=([^/]+)\//g)].map(([, name, value]) => [name!, value!]))

const digestOf = (parts: DigestParts): string => {
  const lines = Object.entries(parts).map(([name, { rows, hash }]) => `${name} ${rows} ${hash ?? 0}`)
  return sha256(['format 3', ...lines.sort()].join('\n'))
}

/** The columns of a file that format 3 lacks, but those that its folders are named by. */
const laterColumns = (path: string): string[] => {
  if (path === 'listing_attributes.parquet') return ['recommended_price']
  if (!path.startsWith('listings/')) return []
  const sizes = ['recommended_price', 'size_milli', 'size_unit', 'pack_count']
  const lowness = ['observed_days', 'lower_days', 'last_lower_day', 'previous_price']
  return [...sizes, ...lowness, 'likely_uid', 'likely_probability']
}

/** Turns the current snapshot of a lake into one of format 3, whose files lack the columns that later formats added, and the files that they added. */
export const toFormat3 = async (lake: string): Promise<Manifest> => {
  const id = (await currentSnapshotId(lake))!
  const folder = snapshotFolder(lake, id)
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest
  manifest.format = 3
  manifest.digest = digestOf((manifest.report as { parts: DigestParts }).parts)
  const isLater = ({ path }: { path: string }): boolean => path.startsWith('listing_days/') || path.endsWith('.arrow')
  for (const { path } of manifest.files.filter(isLater)) await rm(join(folder, path))
  manifest.files = manifest.files.filter((file) => !isLater(file))
  for (const entry of manifest.files) {
    delete entry.sums
    const columns = [...Object.keys(folderColumns(entry.path)), ...laterColumns(entry.path)]
    if (columns.length === 0) continue
    const path = join(folder, entry.path)
    const rows = `SELECT * EXCLUDE (${columns.join(', ')}) FROM read_parquet('${path}', hive_partitioning = false)`
    const [group] = await query(`SELECT max(row_group_num_rows) AS size FROM parquet_metadata('${path}')`)
    const row_group_size = Math.max(2048, Number(group!.size))
    await query(`COPY (${rows}) TO '${path}.new' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${row_group_size})`)
    const bytes = await readFile(`${path}.new`)
    // Another file in its place: an earlier snapshot may have a link to this one.
    await rm(path)
    await writeFile(path, bytes)
    await rm(`${path}.new`)
    Object.assign(entry, { bytes: bytes.length, sha256: sha256(bytes) })
  }
  const text = `${JSON.stringify(manifest, null, 1)}\n`
  await writeFile(join(folder, 'manifest.json'), text)
  await writeFile(join(folder, 'manifest.sha256'), `${sha256(text)}  manifest.json\n`)
  const pointer = await readFile(join(lake, 'current'), 'utf8')
  await writeFile(join(lake, 'current'), pointer.replace(/[0-9a-f]{64}/, sha256(text)))
  return manifest
}
