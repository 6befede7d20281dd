import { fork } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeSample } from '../data/sample/sample.ts'
import { currentSnapshotId, readManifest } from '../engine/index.ts'

/** The last day of the sample, so that every run measures the same rows. */
const UNTIL = '2026-11-20'
export const AS_OF = new Date('2026-11-21T00:00:00Z')

/** What a process of its own took: CPU seconds over all its threads, and its peak memory. */
export type Worked = { seconds: number; cpu_seconds: number; rows: number; peak_mib: number }

const folder = (observations: number, cache: string): string => join(cache, `shelfmark-bench-${observations}`)
export const lakeFolder = (observations: number, cache = tmpdir()): string => join(folder(observations, cache), 'lake')
export const feedsFolder = (observations: number, cache = tmpdir()): string =>
  join(folder(observations, cache), 'feeds')

/** Sample feeds of about this many observations, made once and kept. */
export const givenFeeds = async (observations: number, cache = tmpdir()): Promise<string> => {
  const feeds = feedsFolder(observations, cache)
  if (!existsSync(join(feeds, 'price_observations'))) {
    console.error(`Making sample feeds of ${observations.toLocaleString('en')} observations in ${feeds}`)
    await rm(feeds, { recursive: true, force: true })
    await writeSample({ out: feeds, seed: 1, months: 13, until: UNTIL, observations })
  }
  return feeds
}

/** Runs a worker in a process of its own, whose CPU time and peak memory are its work's. */
export const runWorker = (module: string, args: readonly string[]): Promise<Worked> => {
  const worker = fork(new URL(module, import.meta.url), [...args])
  return new Promise((resolve, reject) => {
    worker.once('message', (worked) => resolve(worked as Worked))
    worker.once('exit', (code) => code === 0 || reject(new Error(`${module} ended with exit code ${code}`)))
  })
}

/** Refreshes an empty lake. */
const refreshAnew = async (observations: number, cache: string): Promise<Worked> => {
  const lake = lakeFolder(observations, cache)
  const feeds = await givenFeeds(observations, cache)
  await rm(lake, { recursive: true, force: true })
  return runWorker('./refresh-worker.ts', [feeds, lake])
}

/** Whether a lake is there that this version can read. */
export const isReadable = async (lake: string): Promise<boolean> => {
  const id = await currentSnapshotId(lake)
  return id !== null && (await readManifest(lake, id).then(Boolean, () => false))
}

/** A refreshed lake of about this many observations, made once and kept. */
export const givenLake = async (observations: number, cache = tmpdir()): Promise<string> => {
  const lake = lakeFolder(observations, cache)
  if (!(await isReadable(lake))) await refreshAnew(observations, cache)
  return lake
}

/** Bytes of the files below a folder of a snapshot. */
export const bytesOf = (path: string): number =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
