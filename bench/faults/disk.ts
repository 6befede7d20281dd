import { spawnSync } from 'node:child_process'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { currentSnapshotId, readManifest, verifySnapshot } from '../../engine/index.ts'
import { completeRefresh, writeDay } from './days.ts'
import { type Measured, progress, skipped, Tally } from './figure.ts'
import { type Fault, refreshTraced, type Traced, whyNotTraced } from './traced.ts'

/** A lake with one snapshot, and the feeds of its next. */
export const prepareLake = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'shelfmark-disk-'))
  const lake = join(folder, 'lake')
  if ((await completeRefresh(await writeDay(folder, 0), lake)) !== 0) throw new Error('the first refresh failed')
  return { folder, lake, feeds: await writeDay(folder, 1) }
}

const isClear = (stderr: string, reason: RegExp): boolean =>
  reason.test(stderr) && !/^ {4}at /m.test(stderr) && stderr.trim().split('\n').length <= 3

const reasons = { EIO: /EIO|Input\/output error/i, ENOSPC: /ENOSPC|No space left|disk/i }

/** The failures of a refresh after a fault: of the lake it left, its exit code and its message. */
const judge = async (lake: string, before: string, run: Pick<Traced, 'code' | 'stderr'>, reason: RegExp) => {
  const id = await currentSnapshotId(lake).catch(() => null)
  if (id === null) return ['the lake has no current snapshot']
  const problem = await readManifest(lake, id)
    .then((manifest) => verifySnapshot(lake, manifest))
    .then(
      () => false as const,
      (error: Error) => error.message,
    )
  if (run.code === 0) return [problem]
  return [
    problem,
    id !== before && 'it failed, and yet another snapshot is served',
    !isClear(run.stderr, reason) && `no clear error: ${run.stderr.trim().split('\n')[0]?.slice(0, 120)}`,
  ]
}

/** `count` entries, spread evenly over all. */
const spread = <T>(all: readonly T[], count: number): T[] =>
  count >= all.length ? [...all] : Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)]!)

const TMPFS_KIB = [128, 256, 512, 1024, 2048]

/** Refreshes on file systems too small for what they write. */
const fillDisks = async (feeds: string, lake: string, before: string, tally: Tally): Promise<number> => {
  let filled = 0
  for (const kib of TMPFS_KIB) {
    const small = await mkdtemp(join(tmpdir(), 'shelfmark-small-'))
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kib}k`, 'tmpfs', small]).status !== 0) return filled
    try {
      const copy = join(small, 'lake')
      const fits = await cp(lake, copy, { recursive: true }).then(
        () => true,
        () => false,
      )
      if (!fits) continue
      const run = await refreshTraced(feeds, copy)
      tally.count(...(await judge(copy, before, run, reasons.ENOSPC)))
      filled += 1
    } finally {
      spawnSync('umount', [small])
      await rm(small, { recursive: true, force: true })
    }
  }
  return filled
}

/** Every write, flush and rename of a refresh fails in turn, with EIO and with ENOSPC; then real disks fill up. */
export const measureDisk = async (rounds: number): Promise<Measured> => {
  const reason = whyNotTraced()
  if (reason) return skipped(reason)
  const { folder, lake, feeds } = await prepareLake()
  try {
    const before = (await currentSnapshotId(lake))!
    const copyOf = async (): Promise<string> => {
      const copy = join(folder, 'copy')
      await rm(copy, { recursive: true, force: true })
      await cp(lake, copy, { recursive: true })
      return copy
    }
    const { calls, code } = await refreshTraced(feeds, await copyOf())
    if (code !== 0 || calls.length === 0) throw new Error(`a refresh without faults exited with ${code}`)
    const every: Fault[] = calls.flatMap(({ number }) => [
      { at: number, code: 'EIO' },
      { at: number, code: 'ENOSPC' },
    ])
    const faults = spread(every, rounds)
    const tally = new Tally()
    const report = progress('faults', faults.length)
    for (const [i, fault] of faults.entries()) {
      const copy = await copyOf()
      const run = await refreshTraced(feeds, copy, fault)
      const { call, path } = calls[fault.at - 1]!
      const failures = await judge(copy, before, run, reasons[fault.code])
      tally.count(
        ...failures.map((text) => text && `${fault.code} of ${call} ${path.replace(/refresh-\w+/, '*')}: ${text}`),
      )
      report(i + 1)
    }
    const filled = await fillDisks(feeds, lake, before, tally)
    return tally.measured(`${faults.length} faults of ${every.length} at ${calls.length} calls, ${filled} full disks`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Whether a refresh flushes every new file and folder before the rename, and what names them after it. */
export const measureOrder = async (rounds: number): Promise<Measured> => {
  const reason = whyNotTraced()
  if (reason) return skipped(reason)
  const tally = new Tally()
  const { folder, lake } = await prepareLake()
  let flushes = 0
  try {
    for (let day = 1; day <= rounds; day++) {
      const { calls, code } = await refreshTraced(await writeDay(folder, day), lake)
      const id = (await currentSnapshotId(lake))!
      const placed = calls.findIndex(({ call, to }) => call === 'rename' && to === `snapshots/${id}`)
      const from = calls[placed]?.path ?? ''
      const flushed = calls.slice(0, placed).flatMap(({ call, path }) => (/sync/.test(call) ? [path] : []))
      const written = new Set(
        calls
          .slice(0, placed)
          .flatMap(({ call, path }) => (/write/.test(call) && path.startsWith(`${from}/`) ? [path] : [])),
      )
      const entries = await readdir(join(lake, 'snapshots', id), { recursive: true, withFileTypes: true })
      const folders = entries
        .filter((entry) => entry.isDirectory())
        .map((entry) => join(from, join(entry.parentPath, entry.name).slice(join(lake, 'snapshots', id).length + 1)))
      const late = [...written, from, ...folders].filter(
        (path) =>
          flushed.lastIndexOf(path) < 0 || calls.findLastIndex((c) => /write/.test(c.call) && c.path === path) > placed,
      )
      const after = calls.slice(placed + 1).map(({ call, path, to }) => [call, path, to].filter(Boolean).join(' '))
      const sequence = ['fsync snapshots', 'fsync current.tmp', 'rename current.tmp current', 'fsync .']
      const places = sequence.map((step) => after.indexOf(step))
      const isOrdered = places.every((place, i) => place >= 0 && (i === 0 || place > places[i - 1]!))
      flushes += flushed.length
      tally.count(
        code !== 0 && `the refresh exited with ${code}`,
        placed < 0 && 'no rename into snapshots',
        late.length > 0 && `not flushed before the rename: ${late[0]}`,
        !isOrdered && `after the rename: ${after.join(', ')}`,
      )
    }
    return tally.measured(`${flushes} flushes before ${rounds} renames`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
