import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, step } from '../database.ts'
import type { RefreshPaths } from '../paths.ts'

const WRITE = step(import.meta.url, 'quarantine-file')

/** Moves the refused rows to the lake's quarantine, under the snapshot's id or else the time; returns the file. */
export const keepQuarantine = async (
  database: Database,
  { lake, quarantine }: RefreshPaths,
  snapshot_id: string | null,
): Promise<string> => {
  const folder = join(lake, 'quarantine')
  const kept = join(folder, `${snapshot_id ?? new Date().toISOString().replaceAll(':', '')}.jsonl`)
  await mkdir(folder, { recursive: true })
  await database.run(WRITE)
  await rename(quarantine, kept)
  return kept
}
