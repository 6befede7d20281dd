import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Engine, type EngineOptions } from '../../engine/index.ts'
import { type RefreshOptions, refresh } from '../../ingest/refresh.ts'
import type { RefreshReport } from '../../ingest/report.ts'
import { atEnd } from './at-end.ts'
import { clusterOf } from './cluster.ts'
import { referenceFeeds } from './reference.ts'
import { feedRow, type Observation, type Row } from './rows.ts'
import { copyOfLake } from './shared-lakes.ts'
import { temporaryFolder } from './temporary-folder.ts'

export { sampleLake } from './sample.ts'
export { temporaryFolder } from './temporary-folder.ts'

/** Rows of each feed; a feed without rows is not written. */
export type Feeds = {
  observations: readonly Row[]
  catalogue?: readonly Row[]
  taxonomy?: readonly Row[]
  social?: readonly Row[]
  /** Files by their path below the feeds folder. */
  files?: Readonly<Record<string, string>>
}

const folderOf = {
  observations: 'price_observations',
  catalogue: 'product_catalogue',
  taxonomy: 'category_taxonomy',
  social: 'social_posts',
}

/** Writes feeds to a new folder, each as one file of JSON lines. */
export const writeFeeds = async (feeds: Feeds): Promise<string> => {
  const folder = await temporaryFolder()
  for (const [path, text] of Object.entries(feeds.files ?? {})) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  for (const [feed, name] of Object.entries(folderOf)) {
    const rows = feeds[feed as keyof typeof folderOf] ?? []
    if (rows.length === 0) continue
    await mkdir(join(folder, name))
    await writeFile(join(folder, name, 'part.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  }
  return folder
}

/** Refreshes a lake with feeds. Throws unless that publishes a snapshot of every row. */
export const refreshed = async (
  lake: string,
  feeds: Feeds,
  options: Partial<RefreshOptions> = {},
): Promise<RefreshReport> => {
  const folder = await writeFeeds(feeds)
  const report = await refresh({
    memory_limit: '512MiB',
    threads: 1,
    max_drop: 1,
    as_of: new Date('2099-01-01'),
    ...options,
    feeds: folder,
    lake,
  })
  if (report.status !== 'published' || report.quarantine) throw new Error(`not refreshed: ${JSON.stringify(report)}`)
  return report
}

/** A lake that a refresh has made of the given feeds: once in a run, of which each caller gets a copy. */
export const ensureLake = async (feeds: Feeds): Promise<{ lake: string }> => ({
  lake: await copyOfLake(feeds, (lake) => refreshed(lake, feeds)),
})

/** An engine over a lake of these observations, closed after the test file. */
export const givenEngine = async (
  observations: readonly Observation[],
  options: EngineOptions = {},
  social: readonly Row[] = [],
) => {
  const { lake } = await ensureLake({ observations: observations.map(feedRow), social, files: referenceFeeds })
  return openEngine(lake, options)
}

/**
 * Opens an engine that is closed after the test file, with one thread: a small lake gives a second one nothing to do. In the
 * tests of clusters one computes the rows.
 */
export const openEngine = async (lake: string, options: EngineOptions = {}): Promise<Engine> => {
  const engine = await Engine.open(lake, { threads: 1, ...(await clusterOf(lake)), ...options })
  atEnd(() => engine.close())
  return engine
}
