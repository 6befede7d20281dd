import type { Database } from '../database.ts'
import type { Places } from '../paths.ts'
import type { OnProgress } from '../progress.ts'
import type { FeedFile } from './discover.ts'
import { countQuarantined } from './quarantine.ts'
import { type StagedFile, stage } from './stage.ts'

type ReadOptions = { signal?: AbortSignal | undefined; onProgress?: OnProgress | undefined }

const stageAll = async (
  database: Database,
  found: readonly FeedFile[],
  folder: string,
  { signal, onProgress }: ReadOptions,
): Promise<StagedFile[]> => {
  const total = found.reduce((sum, { bytes }) => sum + bytes, 0)
  const files: StagedFile[] = []
  let done = 0
  let rows = 0
  for (const [at, file] of found.entries()) {
    signal?.throwIfAborted()
    const staged = await stage(database, file, at + 1, folder)
    files.push(staged)
    done += file.bytes
    rows += staged.rows_read
    onProgress?.({ step: 'reading', done, total, rows })
  }
  return files
}

const PREPARATIONS = [
  'feeds/normalise',
  'feeds/states',
  'feeds/made-macros',
  'feeds/stated',
  'catalogue/listing-macros',
  'facts/merge-macros',
  'feeds/social-macros',
  'feeds/quarantine-tables',
  'facts/merge-tables',
  'feeds/stage-nothing',
  'feeds/browse-nothing',
]

/** Reads every file into the staging folder, and counts the rows that break a rule, alone or beside the others. */
export const read = async (
  database: Database,
  found: readonly FeedFile[],
  places: Places,
  options: ReadOptions,
): Promise<StagedFile[]> => {
  for (const statement of PREPARATIONS) await database.run(statement)
  const files = await stageAll(database, found, places.staged, options)
  await database.append(
    'feed_file',
    files.map(({ number, name, description }) => [number, name, description.kind === 'change_points']),
  )
  for (const statement of ['catalogue/taxonomy', 'facts/carry', 'feeds/arrivals']) await database.run(statement)
  return countQuarantined(database, files)
}
