import { join } from 'node:path'
import type { Database } from '../database.ts'
import type { Feed } from './columns.ts'
import type { FeedFile } from './discover.ts'
import { introduce, keptColumns } from './introduce.ts'
import { layOut } from './layout.ts'

/** A file as typed rows in one Parquet file of the staging folder, in its own order. */
export type StagedFile = FeedFile & {
  number: number
  staged: string
  rows_read: number
  quarantined: Record<string, number>
  dropped_values: { field: string; reason: string; count: number }[]
  /** The optional columns that it speaks of. */
  kept_columns: readonly string[]
  ignored_columns: readonly string[]
  seconds: number
}

const STATEMENTS: Readonly<Record<Feed, string>> = {
  price_observations: 'feeds/stage-observations',
  product_catalogue: 'feeds/stage-catalogue',
  category_taxonomy: 'feeds/stage-taxonomy',
  social_posts: 'feeds/social-stage',
  browse_nodes: 'feeds/browse-stage',
}

/** Reads one file into `folder`: every row typed, with the first rule it breaks, which goes to the quarantine. */
export const stage = async (
  database: Database,
  file: FeedFile,
  number: number,
  folder: string,
): Promise<StagedFile> => {
  const start = performance.now()
  const staged = join(folder, `${file.feed}-${number}.parquet`)
  const layout = await layOut(database, file)
  await introduce(database, file, number, staged, layout)
  await database.run(`feeds/read-${file.format}`)
  await database.run(STATEMENTS[file.feed])
  await database.run(file.format === 'parquet' ? 'feeds/no-rejected' : 'feeds/rejected')
  await database.run('feeds/quarantine')
  if (file.feed === 'social_posts') await database.run('feeds/social-untold')
  const { rows } = await database.row<{ rows: number }>('feeds/staged-rows')
  const { rejected } = await database.row<{ rejected: number }>('feeds/rejected-rows')
  return {
    ...file,
    number,
    staged,
    rows_read: rows + rejected,
    quarantined: {},
    dropped_values: await database.rows('feeds/staged-dropped'),
    kept_columns: keptColumns(file, layout),
    ignored_columns: layout.ignored,
    seconds: (performance.now() - start) / 1000,
  }
}
