import { mkdir, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Database, step } from '../database.ts'
import type { RefreshPaths } from '../paths.ts'
import { quarantineFile } from '../snapshot/publish.ts'

const WRITE = step(import.meta.url, 'quarantine#quarantine-file')

/** Moves the refused rows to the lake's quarantine, under the snapshot's id or else the time; returns the file. */
export const keepQuarantine = async (
  database: Database,
  { lake, quarantine }: RefreshPaths,
  snapshot_id: string | null,
): Promise<string> => {
  const kept = quarantineFile(lake, snapshot_id ?? new Date().toISOString().replaceAll(':', ''))
  await mkdir(dirname(kept), { recursive: true })
  await database.run(WRITE)
  await rename(quarantine, kept)
  return kept
}
