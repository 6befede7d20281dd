import { setTimeout as sleep } from 'node:timers/promises'
import type { FileProblem } from './lake-error.ts'
import { type PublishedFiles, snapshotFolder } from './manifest.ts'
import { differenceOf } from './verify.ts'

/** Files are hashed no faster than 64 MiB/s, 3 % of a core, unless the period demands more. */
const MS_PER_BYTE = 1000 / (64 * 2 ** 20)

export type ScrubOptions = { period_ms: number; signal: AbortSignal }

/**
 * Rehashes the files of a snapshot one after the other, spread evenly over a period, to find silent disk corruption. Returns
 * the first damaged file, or null at the end of the period if all files are sound.
 */
export const scrub = async (
  lake: string,
  { snapshot_id, files }: PublishedFiles,
  { period_ms, signal }: ScrubOptions,
): Promise<FileProblem | null> => {
  const folder = snapshotFolder(lake, snapshot_id)
  const start = performance.now()
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  const pause = (ms: number) => sleep(Math.max(0, ms), undefined, { signal, ref: false })
  const pace = (bytes: number) => pause(bytes * Math.min(MS_PER_BYTE, period_ms / (2 * total)))
  let hashed = 0
  for (const file of files) {
    const reason = await differenceOf(folder, file, pace)
    if (reason !== null) return { file: file.path, reason }
    hashed += file.bytes
    await pause(start + (period_ms * hashed) / total - performance.now())
  }
  return null
}
