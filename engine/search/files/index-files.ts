import { join } from 'node:path'
import { throwIfExhausted } from '../../lake/lake-error.ts'
import { type PublishedFiles, snapshotFolder } from '../../lake/manifest.ts'
import { damagedFile } from '../../lake/verify.ts'
import { createBlockCache } from './block-cache.ts'
import { IndexFile } from './index-file.ts'
import type { IndexTable } from './layout.ts'
import { INDEX_TABLES, type IndexTableName, indexPath } from './tables.ts'

/** Memory for batches that were read last, in bytes. */
const CACHE_BYTES = 32 * 2 ** 20

type LayoutOf<Name extends IndexTableName> = (typeof INDEX_TABLES)[Name]['layout']

/** Opens the file of a table for a country, and for a year of it where there is one for each. */
export type OpenIndexFile = <Name extends IndexTableName>(
  table: Name,
  country: string,
  year?: string,
) => Promise<IndexFile<LayoutOf<Name>>>

/** Opens files of the index of a snapshot, until all of them are closed. */
export const createIndexFiles = (lake: string, { snapshot_id, files }: PublishedFiles) => {
  const cache = createBlockCache(CACHE_BYTES)
  const opened = new Set<{ close(): void }>()
  let isClosed = false

  /** Throws EngineError NOT_READY that names the file if it is none of the table. */
  const open: OpenIndexFile = async <Name extends IndexTableName>(name: Name, country: string, year?: string) => {
    const table = INDEX_TABLES[name] as IndexTable<LayoutOf<Name>>
    const path = indexPath(name, country, year)
    const published = files.find((file) => file.path === path)
    // A country without listings, or a year without observations.
    if (!published) return IndexFile.empty(table, cache)
    try {
      const file = await IndexFile.open(join(snapshotFolder(lake, snapshot_id), path), table, cache)
      if (isClosed) file.close()
      opened.add(file)
      if (file.rows !== published.rows) throw new Error(`it has ${file.rows} rows instead of ${published.rows}`)
      return file
    } catch (cause) {
      throwIfExhausted(cause)
      throw damagedFile(lake, snapshot_id, { file: path, reason: (cause as Error).message })
    }
  }

  return {
    open,
    /** Closes all files; what still reads them is refused with NOT_READY. */
    close(): void {
      isClosed = true
      for (const file of opened) file.close()
      opened.clear()
      cache.clear()
    },
  }
}

export type IndexFiles = ReturnType<typeof createIndexFiles>
