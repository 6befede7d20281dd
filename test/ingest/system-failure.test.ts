import { spawnSync } from 'node:child_process'
import { cp, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { currentSnapshotId, Engine, snapshotFolder } from '../../engine/index.ts'
import { verifyLake } from '../../ingest/snapshot/snapshots.ts'
import { transfer } from '../../ingest/snapshot/transfer.ts'
import { compiled } from '../support/compiled.ts'
import { refreshed, writeFeeds } from '../support/given.ts'
import { lakeMadeOnce } from '../support/made-once.ts'
import { feedRow, listing, observed } from '../support/rows.ts'
import { emptyLake } from './empty-lake.ts'

const rowsOf = (day: number) =>
  Array.from({ length: 30 + day }, (_, i) => observed(listing(`L${i}`), { [`2026-11-0${day}`]: 999 })).flat()

type Lake = { lake: string; snapshot_id: string | null; previous: string | null }

/** A lake that was refreshed on the first of these days, or on both. */
const lakeOf = (days: 1 | 2): Promise<Lake> =>
  lakeMadeOnce(days, async (lake) => {
    if (days === 2) await cp((await lakeOf(1)).lake, lake, { recursive: true })
    const { snapshot_id, previous } = await refreshed(lake, { observations: rowsOf(days).map(feedRow) })
    return { lake, snapshot_id, previous }
  })

const main = compiled('ingest/main.ts')
const shelfmark = compiled('engine/main.ts')
const root = new URL('../..', import.meta.url).pathname

const run = (...command: string[]) => {
  const { status, stdout, stderr } = spawnSync(command[0]!, command.slice(1), { cwd: root, encoding: 'utf8' })
  return { status, stdout, stderr }
}
const node = (...args: string[]) => run(process.execPath, ...args)

/** A folder on a file system of its own; null where nothing may be mounted. */
const mounted = async (...options: string[]): Promise<string | null> => {
  const folder = dirname(await emptyLake())
  if (spawnSync('mount', [...options, folder]).status !== 0) return null
  onTestFinished(() => void spawnSync('umount', [folder]))
  return folder
}

const soundAt = async (lake: string, id: string | null) => {
  expect(await currentSnapshotId(lake)).toBe(id)
  expect((await verifyLake(lake)).flatMap(({ problems }) => problems)).toEqual([])
  expect(await readdir(join(lake, 'staging'))).toEqual([])
}

const oneLine = (text: string) => expect(text.trimEnd().split('\n')).toHaveLength(1)

describe('a full disk', () => {
  it.for(['refresh', 'backup', 'restore'])(
    'ends a %s with a one-line message and leaves the lake unchanged',
    async (command, { skip }) => {
      const disk = await mounted('-t', 'tmpfs', '-o', 'size=6m', 'tmpfs')
      if (disk === null) return skip('nothing may be mounted here')
      const { lake: first, snapshot_id: before } = await lakeOf(1)
      const lake = join(disk, 'lake')
      await transfer(first, lake)
      const { lake: source } = await lakeOf(2)
      // What is left is less than anything needs.
      spawnSync('dd', ['if=/dev/zero', `of=${join(disk, 'filler')}`, 'bs=1k'])
      spawnSync('truncate', ['-s', '-20K', join(disk, 'filler')])
      const args = {
        refresh: ['--feeds', await writeFeeds({ observations: rowsOf(2).map(feedRow) }), '--lake', lake],
        backup: ['backup', '--lake', source, '--to', lake],
        restore: ['restore', '--from', source, '--lake', lake],
      }[command]!
      const { status, stdout, stderr } = node(main, ...args)
      expect({ status, stdout }, stderr).toEqual({ status: 1, stdout: '' })
      expect(stderr).toMatch(/no space left on device.*; free space, then run it again\n$/i)
      oneLine(stderr)
      await soundAt(lake, before)
    },
  )
})

describe('a read-only file system', () => {
  it('refuses changes to the lake with a one-line message and allows queries', async ({ skip }) => {
    const { lake } = await lakeOf(2)
    const view = await mounted('--bind', lake)
    if (view === null) return skip('nothing may be mounted here')
    expect(spawnSync('mount', ['-o', 'remount,ro,bind', view]).status).toBe(0)
    const feeds = await writeFeeds({ observations: rowsOf(3).map(feedRow) })
    const backup = dirname(await emptyLake())
    await transfer(lake, backup)
    for (const args of [['--feeds', feeds], ['rollback'], ['prune', '--keep', '1'], ['restore', '--from', backup]]) {
      const { status, stdout, stderr } = node(main, ...args, '--lake', view)
      expect({ status, stdout }, stderr).toEqual({ status: 1, stdout: '' })
      expect(stderr).toContain(`cannot lock the lake ${view}: EROFS: read-only file system`)
      oneLine(stderr)
    }
    const answered = node(shelfmark, 'public', 'stats', '--json', '--lake', view)
    expect(answered.status, answered.stderr).toBe(0)
    const engine = await Engine.open(view)
    expect(engine.lease_problem).toBeNull()
    engine.close()
  })
})

it('a limit on the size of files ends a refresh with a one-line message', async () => {
  const { lake, snapshot_id } = await lakeOf(1)
  const feeds = await writeFeeds({ observations: rowsOf(2).map(feedRow) })
  const script = `trap '' XFSZ; ulimit -f 1; exec "$0" "$@"`
  const { status, stdout, stderr } = run('bash', '-c', script, process.execPath, main, '--feeds', feeds, '--lake', lake)
  expect({ status, stdout }, stderr).toEqual({ status: 1, stdout: '' })
  oneLine(stderr)
  await soundAt(lake, snapshot_id)
})

it('the command line answers from the snapshot before a damaged one and reports that', async () => {
  const { lake, snapshot_id, previous } = await lakeOf(2)
  await writeFile(join(snapshotFolder(lake, snapshot_id!), 'brands.parquet'), '')
  const { status, stdout, stderr } = node(shelfmark, 'public', 'stats', '--json', '--lake', lake)
  expect([status, JSON.parse(stdout).fallback_for]).toEqual([0, snapshot_id])
  expect(stderr).toContain(`snapshot ${snapshot_id} is damaged (brands.parquet: 0 bytes instead of`)
  expect(stderr).toContain(`using ${previous} instead`)
})
