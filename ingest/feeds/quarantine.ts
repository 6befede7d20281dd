import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../database.ts'
import type { Places } from '../paths.ts'
import type { StagedFile } from './stage.ts'

/** Counts the refused rows of each file by code. */
export const countQuarantined = async (database: Database, files: readonly StagedFile[]): Promise<StagedFile[]> => {
  const quarantined = await database.rows<{ file: number; code: string; count: number }>('feeds/quarantined')
  return files.map((file) => {
    const counts = quarantined.filter((row) => row.file === file.number).map(({ code, count }) => [code, count])
    return { ...file, quarantined: Object.fromEntries(counts) }
  })
}

/** Moves the refused rows to the lake's quarantine, under the snapshot's id or else the time; null where none is refused. */
export const keepQuarantine = async (
  database: Database,
  places: Places,
  files: readonly StagedFile[],
  snapshot_id: string | null,
): Promise<string | null> => {
  if (files.every(({ quarantined }) => Object.keys(quarantined).length === 0)) return null
  const folder = join(places.lake, 'quarantine')
  const kept = join(folder, `${snapshot_id ?? new Date().toISOString().replaceAll(':', '')}.jsonl`)
  await mkdir(folder, { recursive: true })
  await database.run('feeds/quarantine-file')
  await rename(places.quarantine, kept)
  return kept
}
