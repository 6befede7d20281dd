import { fork } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeSample } from '../data/sample/sample.ts'
import { currentSnapshotId, LAKE_FORMAT, readManifest } from '../engine/index.ts'

/** The last day of the sample, so that every run measures the same rows. */
const UNTIL = '2026-11-20'
export const AS_OF = new Date('2026-11-21T00:00:00Z')

/** The resources that a worker used: CPU seconds of all its threads, and its peak memory. */
export type Worked = { seconds: number; cpu_seconds: number; rows: number; peak_mib: number }

const folder = (observations: number, cache: string): string => join(cache, `shelfmark-bench-${observations}`)
export const lakeFolder = (observations: number, cache = tmpdir()): string => join(folder(observations, cache), 'lake')
export const feedsFolder = (observations: number, cache = tmpdir()): string =>
  join(folder(observations, cache), 'feeds')

/** Sample feeds of about this many observations, generated once and kept. */
export const ensureFeeds = async (observations: number, cache = tmpdir()): Promise<string> => {
  const feeds = feedsFolder(observations, cache)
  if (!existsSync(join(feeds, 'price_observations'))) {
    console.error(`Making sample feeds of ${observations.toLocaleString('en')} observations in ${feeds}`)
    await rm(feeds, { recursive: true, force: true })
    await writeSample({ out: feeds, seed: 1, months: 13, until: UNTIL, observations })
  }
  return feeds
}

/** Runs a worker in a separate process, so that CPU time and peak memory are those of its work. */
export const runWorker = (module: string, args: readonly string[]): Promise<Worked> => {
  const worker = fork(new URL(module, import.meta.url), [...args])
  return new Promise((resolve, reject) => {
    worker.once('message', (worked) => resolve(worked as Worked))
    worker.once('exit', (code) => code === 0 || reject(new Error(`${module} ended with exit code ${code}`)))
  })
}

/** Refreshes an empty lake. */
const refreshNew = async (observations: number, cache: string): Promise<Worked> => {
  const lake = lakeFolder(observations, cache)
  const feeds = await ensureFeeds(observations, cache)
  await rm(lake, { recursive: true, force: true })
  return runWorker('./refresh-worker.ts', [feeds, lake])
}

/** Whether a lake exists that this version can read, of the format that it writes. */
export const isReadable = async (lake: string): Promise<boolean> => {
  const id = await currentSnapshotId(lake)
  return (
    id !== null &&
    (await readManifest(lake, id).then(
      ({ format }) => format === LAKE_FORMAT,
      () => false,
    ))
  )
}

/** A refreshed lake of about this many observations, generated once and kept. */
export const ensureLake = async (observations: number, cache = tmpdir()): Promise<string> => {
  const lake = lakeFolder(observations, cache)
  if (!(await isReadable(lake))) await refreshNew(observations, cache)
  return lake
}

/** Bytes of the files below a folder of a snapshot. */
export const bytesOf = (path: string): number =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
