import { randomInt } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { currentSnapshotId, readManifest, snapshotFolder, verifySnapshot } from '../../engine/index.ts'
import { writeDay } from './days.ts'
import { prepareLake } from './disk.ts'
import { type Measured, progress, skipped, Tally } from './figure.ts'
import { type Call, refreshTraced, whyNotTraced } from './traced.ts'

/** What the disk is certain to hold at a moment: whatever else was done by then is there or not, as the disk likes. */
type Certain = {
  /** Files and folders that were flushed, and files that were written since; a linked file is neither. */
  flushed: ReadonlySet<string>
  unflushed: ReadonlySet<string>
  place: 'no' | 'perhaps' | 'yes'
  pointer: 'old' | 'either' | 'new'
}

const certainAt = (calls: readonly Call[], id: string, staged: string): Certain => {
  const [flushed, unflushed] = [new Set<string>(), new Set<string>()]
  let [place, pointer]: [Certain['place'], Certain['pointer']] = ['no', 'old']
  for (const { call, path, to } of calls) {
    if (/write/.test(call)) unflushed.add(path)
    if (/sync/.test(call)) {
      flushed.add(path)
      unflushed.delete(path)
    }
    if (call === 'rename' && path === staged && to === `snapshots/${id}`) place = 'perhaps'
    if (call === 'rename' && to === 'current') pointer = 'either'
    if (/sync/.test(call) && path === 'snapshots' && place === 'perhaps') place = 'yes'
    if (/sync/.test(call) && path === '.' && pointer === 'either') pointer = 'new'
  }
  return { flushed, unflushed, place, pointer }
}

/** The renames and flushes that publish a snapshot. */
const LAST_CALLS = 8

const chance = (): boolean => randomInt(2) === 0

/** What may be of a file that was written and not flushed: nothing of it, its size in zeros, or its beginning. */
const lose = async (file: string, bytes: number): Promise<void> => {
  const kind = randomInt(3)
  if (kind === 0) await truncate(file, 0)
  else if (kind === 1) await writeFile(file, Buffer.alloc(bytes))
  else await truncate(file, randomInt(bytes))
}

/** A state that the disk may be in after a loss of power, made of the lakes before and after the refresh. */
const leaveBehind = async (
  before: string,
  after: string,
  lake: string,
  id: string,
  staged: string,
  certain: Certain,
) => {
  await rm(lake, { recursive: true, force: true })
  await cp(before, lake, { recursive: true })
  const { flushed, unflushed, place, pointer } = certain
  const isPlaced = place === 'yes' || (place === 'perhaps' && chance())
  const source = snapshotFolder(after, id)
  const entries = isPlaced ? await readdir(source, { recursive: true, withFileTypes: true }) : []
  for (const entry of entries.filter((entry) => entry.isFile())) {
    const path = join(entry.parentPath, entry.name).slice(source.length + 1)
    const folder = join(staged, dirname(path))
    if (!flushed.has(folder) && chance()) continue
    const file = join(snapshotFolder(lake, id), path)
    await mkdir(dirname(file), { recursive: true })
    await cp(join(source, path), file)
    const { length } = await readFile(file)
    if (unflushed.has(join(staged, path)) && length > 0 && chance()) await lose(file, length)
  }
  if (pointer === 'new' || (pointer === 'either' && chance())) {
    await cp(join(after, 'current'), join(lake, 'current'))
    if (unflushed.has('current.tmp')) await truncate(join(lake, 'current'), 0)
  }
}

/** Power lost after each call of a refresh, with the writes that were not flushed by then kept, lost or torn at random. */
export const measurePower = async (rounds: number): Promise<Measured> => {
  const reason = whyNotTraced()
  if (reason) return skipped(reason)
  const { folder, lake: before } = await prepareLake()
  try {
    const [after, lake] = [join(folder, 'after'), join(folder, 'left')]
    await cp(before, after, { recursive: true })
    const { calls, code } = await refreshTraced(await writeDay(folder, 1), after)
    const [oldId, id] = [await currentSnapshotId(before), (await currentSnapshotId(after))!]
    const staged = calls.find(({ call, to }) => call === 'rename' && to === `snapshots/${id}`)?.path
    if (code !== 0 || !staged) throw new Error(`a refresh without faults exited with ${code}`)
    const tally = new Tally()
    const report = progress('losses of power', rounds)
    const ends = { old: 0, new: 0 }
    for (let i = 1; i <= rounds; i++) {
      // Every other one near the end: most calls come before anything of the new snapshot can be seen.
      const last = calls.length - ((i >> 1) % (i % 2 ? calls.length : LAST_CALLS))
      await leaveBehind(before, after, lake, id, staged, certainAt(calls.slice(0, last), id, staged))
      const served = await currentSnapshotId(lake).catch(() => null)
      const problem = await Promise.resolve(served)
        .then((served) => readManifest(lake, served!))
        .then((manifest) => verifySnapshot(lake, manifest))
        .then(
          () => false as const,
          (error: Error) => error.message.slice(0, 120),
        )
      ends[served === id ? 'new' : 'old'] += 1
      const moment = `after ${calls[last - 1]!.call} ${calls[last - 1]!.path.replace(/refresh-\w+/, '*')}`
      tally.count(
        problem && `${moment}: ${problem}`,
        served !== id && served !== oldId && `${moment}: no snapshot`,
        last === calls.length && served !== id && 'a refresh that had ended is lost',
      )
      report(i)
    }
    return tally.measured(
      `${rounds} losses at ${calls.length} calls: ${ends.old} x the old snapshot, ${ends.new} x the new one`,
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
