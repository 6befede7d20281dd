import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { currentSnapshotId, readManifest, snapshotFolder, snapshotIds, verifySnapshot } from '../../engine/index.ts'
import { withLock } from '../../ingest/snapshot/lock.ts'
import { removeOrphans } from '../../ingest/snapshot/publish.ts'
import { compiled } from '../support/compiled.ts'
import { sized } from '../support/full-size.ts'
import { emptyLake } from './empty-lake.ts'
import { publishNth, seededRandom } from './small-lake.ts'

const KILLS = sized(4, 100)
const LONGEST_RUN_MS = 250

const startPublisher = async (lake: string): Promise<ChildProcess> => {
  const child = spawn(process.execPath, [compiled('test/ingest/publisher.ts'), lake], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the publisher ended with ${code} before it was started`)
  })
  await Promise.race([once(child.stdout!, 'data'), ended])
  ended.catch(() => {})
  return child
}

/** Reads the lake as an engine does, until `done` and once after: every snapshot the pointer names must be whole and its own. */
const readUntil = async (lake: string, done: AbortSignal) => {
  const seen = new Set<string>()
  const torn: unknown[] = []
  for (let isLast = false; !isLast; ) {
    isLast = done.aborted
    await pause(2)
    const id = (await currentSnapshotId(lake))!
    try {
      const manifest = await readManifest(lake, id)
      await verifySnapshot(lake, manifest)
      const text = await readFile(join(snapshotFolder(lake, id), 'listings/country=us/part-0.parquet'), 'utf8')
      if (text !== `listings ${Number.parseInt(id, 10)}`) torn.push(`${id} holds ${text}`)
      seen.add(id)
    } catch (cause) {
      // Three publications have passed since the pointer was read: pruned as a whole, nothing torn.
      const isThere = await access(snapshotFolder(lake, id)).then(
        () => true,
        () => false,
      )
      if (isThere) torn.push(cause)
    }
  }
  return { seen, torn }
}

it(`whole snapshots are served while ${KILLS} refreshes are killed, and the next one removes what they left`, async () => {
  const lake = await emptyLake()
  const publishNext = async () => publishNth(lake, Number.parseInt((await snapshotIds(lake))[0] ?? '0', 10) + 1)
  await withLock(lake, publishNext)
  const random = seededRandom(20261)
  const done = new AbortController()
  const reading = readUntil(lake, done.signal)
  // Loading takes longer than a run: the next one loads meanwhile.
  let next = startPublisher(lake)
  let cutShort = 0
  // Where a machine is so fast or so slow that none is cut short, more are killed.
  for (let kill = 0; kill < KILLS || cutShort === 0; kill += 1) {
    const child = await next
    next = startPublisher(lake)
    child.stdin!.write('go\n')
    await pause(random() * LONGEST_RUN_MS)
    child.kill('SIGKILL')
    const [code, signal] = await once(child, 'exit')
    expect({ code, signal }).toEqual({ code: null, signal: 'SIGKILL' })
    if ((await readdir(join(lake, 'staging')).catch(() => [])).length > 0) cutShort += 1
  }
  ;(await next).kill('SIGKILL')
  await withLock(lake, async () => {
    await removeOrphans(lake)
    await publishNext()
    await publishNext()
  })
  done.abort()
  const { seen, torn } = await reading

  expect(torn).toEqual([])
  expect(seen.size).toBeGreaterThan(1)
  expect(await readdir(join(lake, 'staging'))).toEqual([])
  expect((await readdir(lake)).sort()).toEqual(['current', 'leases', 'lock.duckdb', 'snapshots', 'staging'])
  const ids = await snapshotIds(lake)
  expect(ids).toHaveLength(3)
  for (const id of ids) await verifySnapshot(lake, await readManifest(lake, id))
})
