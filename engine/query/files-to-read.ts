import type { Bindings } from '../duckdb/pool.ts'
import { viewTables } from '../duckdb/tables.ts'
import { LISTINGS_PER_BLOCK, type ManifestFile } from '../lake/manifest.ts'

const VIEW = new RegExp(`--.*|\\b(?:${[...viewTables.keys()].join('|')})\\b`, 'g')

const isOfBlock = (block: string, listing_ids: string): boolean =>
  listing_ids.split(',').some((id) => Math.floor(Number(id) / LISTINGS_PER_BLOCK) === Number(block))

/** Whether a table's file is in the folders that a statement with these bindings reads: of a country, its months and listings. */
const isInReach = (path: string, bindings: Bindings): boolean => {
  const { country, month_from, month_to, since, before, listing_ids } = bindings
  const [, ofCountry] = /\/country=(\w+)\//.exec(path) ?? []
  if (ofCountry && country && ofCountry !== country) return false
  const [, block] = /\/block=(\d+)\//.exec(path) ?? []
  if (block && listing_ids && !isOfBlock(block, String(listing_ids))) return false
  const [, period] = /\/(?:month|year)=([\d-]+)\//.exec(path) ?? []
  if (!period) return true
  const first = String(month_from ?? since ?? '').slice(0, period.length)
  const last = String(month_to ?? before ?? '9999').slice(0, period.length)
  return period >= first && period <= last
}

/** The files of a snapshot that a statement may open, found from its tables and bindings alone. */
export const filesToRead = (sql: string, bindings: Bindings, files: readonly ManifestFile[]): ManifestFile[] => {
  const tables = new Set(sql.match(VIEW)?.flatMap((name) => viewTables.get(name) ?? []))
  return files.filter(
    ({ path }) => tables.has(path.replace(/\.parquet$/, '').split('/', 1)[0] ?? '') && isInReach(path, bindings),
  )
}
