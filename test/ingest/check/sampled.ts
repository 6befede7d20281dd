import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { SampledFile } from '../../../ingest/check/read/sample.ts'
import { sampleFile } from '../../../ingest/check/read/sample-file.ts'
import { Database } from '../../../ingest/database.ts'
import { newFolder } from '../feeds.ts'

/** Every data file of a real folder, as `refresh check` hands it to the guessers. */
export const sampledFolder = async (root: string): Promise<SampledFile[]> => {
  const folder = await newFolder()
  const database = await Database.open({ spill: join(folder, 'spill'), memory_limit: '512MiB' })
  const files: SampledFile[] = []
  for (const name of readdirSync(root).sort()) {
    const sampling = await sampleFile(database, name, { root, folder })
    if ('sample' in sampling) files.push(sampling.sample)
  }
  database.close()
  return files
}

/** A table whose rows a function gives. */
export const table = (
  path: string,
  names: readonly string[],
  row: (at: number) => readonly string[],
  rows = 60,
): SampledFile => ({
  path,
  format: 'csv',
  options: {},
  columns: names.map((name, column) => ({
    name,
    values: Array.from({ length: rows }, (_, index) => row(index)[column]!),
  })),
})
