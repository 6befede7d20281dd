import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { currentSnapshotId, type Manifest, readManifest, snapshotFolder } from '../engine/index.ts'
import type { Database } from './database.ts'

/** Where a refresh works: the lake, its own folders below `staging`, and the snapshot it builds on. */
export type Places = {
  lake: string
  staged: string
  facts: string
  snapshot: string
  /** The file of refused rows, until it has a name in the lake. */
  quarantine: string
  previous: Manifest | null
}

/** Makes the folders in an empty one. */
export const prepare = async (folder: string, lake: string): Promise<Places> => {
  const [staged, facts, snapshot] = ['staged', 'facts', 'snapshot'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  for (const path of [staged, facts, snapshot]) await mkdir(path)
  const current = await currentSnapshotId(lake)
  const previous = current === null ? null : await readManifest(lake, current)
  return { lake, staged, facts, snapshot, quarantine: join(folder, 'quarantine.jsonl'), previous }
}

/** Tells the statements where everything is, and opens the tables of the snapshot before. */
export const openPlaces = async (database: Database, places: Places): Promise<void> => {
  const { lake, staged, facts, snapshot, quarantine, previous } = places
  const before = previous ? { previous: snapshotFolder(lake, previous.snapshot_id) } : {}
  await database.setTexts('lake', { staged, facts, snapshot, quarantine, ...before })
  await database.run(previous ? 'previous' : 'nothing-before')
}
