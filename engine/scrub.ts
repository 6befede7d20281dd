import { setTimeout as sleep } from 'node:timers/promises'
import type { FileProblem } from './lake-error.ts'
import { type Manifest, snapshotFolder } from './manifest.ts'
import { differenceOf } from './verify.ts'

/** Files are hashed no faster than 64 MiB/s, 3 % of a core, unless the period demands more. */
const MS_PER_BYTE = 1000 / (64 * 2 ** 20)

export type ScrubOptions = { period_ms: number; signal: AbortSignal }

/**
 * Hashes the files of a snapshot again, one after the other, evenly over a period: what a disk loses without a trace of a
 * change is found within it. The first damaged file ends it; null at the end of the period where all are sound.
 */
export const scrub = async (
  lake: string,
  { snapshot_id, files }: Manifest,
  { period_ms, signal }: ScrubOptions,
): Promise<FileProblem | null> => {
  const folder = snapshotFolder(lake, snapshot_id)
  const start = performance.now()
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  const pause = (ms: number) => sleep(Math.max(0, ms), undefined, { signal, ref: false })
  const pace = (bytes: number) => pause(bytes * Math.min(MS_PER_BYTE, period_ms / (2 * total)))
  let passed = 0
  for (const file of files) {
    const reason = await differenceOf(folder, file, pace)
    if (reason !== null) return { file: file.path, reason }
    passed += file.bytes
    await pause(start + (period_ms * passed) / total - performance.now())
  }
  return null
}
