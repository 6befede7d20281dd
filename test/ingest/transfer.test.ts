import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { currentSnapshotId, filesBelow, readPointer, snapshotFolder, snapshotIds } from '../../engine/index.ts'
import { prune, rollback, verifyLake } from '../../ingest/snapshot/snapshots.ts'
import { transfer } from '../../ingest/snapshot/transfer.ts'
import { compiled } from '../support/compiled.ts'
import { emptyLake } from './empty-lake.ts'
import { publishNth, writeAsEarlier } from './small-lake.ts'

const lakeOf = async (count: number): Promise<{ lake: string; ids: string[] }> => {
  const lake = await emptyLake()
  const ids: string[] = []
  for (let n = 1; n <= count; n += 1) ids.push((await publishNth(lake, n, { keep: count })).snapshot_id)
  return { lake, ids }
}

const problemsIn = async (lake: string) => (await verifyLake(lake, { every: true })).flatMap(({ problems }) => problems)
const LISTINGS = 'listings/country=us/part-0.parquet'
const damage = async (lake: string, id: string): Promise<void> => {
  const path = join(snapshotFolder(lake, id), LISTINGS)
  await rm(path)
  await writeFile(path, 'listings ?')
}

const refresh = (...args: string[]): ChildProcess =>
  spawn(process.execPath, [compiled('ingest/main.ts'), ...args], { env: { PATH: process.env.PATH } })
const ended = async (child: ChildProcess) => {
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'close')])
  return { code, stdout, stderr }
}

describe('a backup', () => {
  it('copies the published snapshot into a lake that shares no files with the original, and only once', async () => {
    const { lake, ids } = await lakeOf(3)
    const to = await emptyLake()
    const first = await transfer(lake, to)
    expect(first).toMatchObject({ present: [], refused: [], serves: ids[2], warnings: [] })
    expect(first.copied).toEqual([{ snapshot_id: ids[2], files: 4, bytes: 10 + 10 + 9 + 10 }])
    expect(await readPointer(to)).toEqual(await readPointer(lake))
    expect(await problemsIn(to)).toEqual([])
    for (const path of await filesBelow(snapshotFolder(to, ids[2]!)))
      expect((await stat(join(snapshotFolder(to, ids[2]!), path))).nlink, path).toBe(1)
    expect(await transfer(lake, to)).toMatchObject({ copied: [], present: [ids[2]], serves: ids[2] })
    expect(await readdir(join(to, 'staging'))).toEqual([])
  })

  it('copies every snapshot or a given one, and keeps those that already exist', async () => {
    const { lake, ids } = await lakeOf(3)
    const to = await emptyLake()
    await transfer(lake, to, { snapshot_id: ids[0] })
    expect([await snapshotIds(to), await currentSnapshotId(to)]).toEqual([[ids[0]], ids[0]])
    const all = await transfer(lake, to, { every: true })
    expect(all).toMatchObject({ present: [ids[0]], serves: ids[2] })
    expect(all.copied.map(({ snapshot_id }) => snapshot_id)).toEqual(ids.slice(1))
    expect(await problemsIn(to)).toEqual([])
  })

  it('refuses a damaged snapshot with its file and keeps the existing ones', async () => {
    const { lake, ids } = await lakeOf(2)
    const to = await emptyLake()
    await transfer(lake, to, { snapshot_id: ids[0] })
    await damage(lake, ids[1]!)
    await expect(transfer(lake, to)).rejects.toMatchObject({ code: 'NOT_READY', details: { file: LISTINGS } })
    expect([await snapshotIds(to), await currentSnapshotId(to)]).toEqual([[ids[0]], ids[0]])
    expect(await transfer(lake, to, { every: true })).toMatchObject({
      present: [ids[0]],
      refused: [{ snapshot_id: ids[1], problem: expect.stringContaining(LISTINGS) }],
      serves: ids[0],
    })
    expect(await readdir(join(to, 'staging'))).toEqual([])
  })

  it('holds a lease on what it copies and a lock on its target', async () => {
    const { lake, ids } = await lakeOf(2)
    const to = await emptyLake()
    let seen: Promise<unknown[]> | undefined
    const look = () => Promise.all([prune(lake, 1), transfer(lake, to).catch((cause: Error) => cause.message)])
    const onProgress = async () => {
      seen ??= look()
      await seen
    }
    await transfer(lake, to, { snapshot_id: ids[0], onProgress })
    const [pruned, second] = (await seen) ?? []
    expect(pruned).toMatchObject({ removed: [], in_use: [ids[0]] })
    expect(second).toContain(`is changing the lake ${to}`)
  })

  it('adds a hash to a manifest of an earlier version', async () => {
    const { lake, ids } = await lakeOf(1)
    const manifest = await readFile(join(snapshotFolder(lake, ids[0]!), 'manifest.json'), 'utf8')
    await writeAsEarlier(lake, ids[0]!, manifest)
    const to = await emptyLake()
    await transfer(lake, to)
    expect((await readPointer(to))?.manifest_sha256).not.toBeNull()
    expect(await problemsIn(to)).toEqual([])
  })

  it('stops when it is aborted and leaves no files', async () => {
    const { lake } = await lakeOf(1)
    const to = await emptyLake()
    const controller = new AbortController()
    const reason = new Error('aborted')
    await expect(
      transfer(lake, to, { signal: controller.signal, onProgress: () => controller.abort(reason) }),
    ).rejects.toBe(reason)
    expect([await snapshotIds(to), await readdir(join(to, 'staging'))]).toEqual([[], []])
  })
})

describe('a restore', () => {
  it('replaces a damaged snapshot and keeps a sound one', async () => {
    const { lake, ids } = await lakeOf(2)
    const backup = await emptyLake()
    await transfer(lake, backup, { every: true })
    await damage(lake, ids[1]!)
    await writeFile(join(snapshotFolder(lake, ids[1]!), 'stray.parquet'), '')
    expect(await transfer(backup, lake, { every: true })).toMatchObject({
      copied: [{ snapshot_id: ids[1] }],
      present: [ids[0]],
      serves: ids[1],
    })
    expect(await problemsIn(lake)).toEqual([])
    expect(await readdir(join(lake, 'staging'))).toEqual([])
  })

  it.each(['its manifest is gone', 'its folder is a link', 'the pointer is damaged'])(
    'succeeds even if %s',
    async (what) => {
      const { lake, ids } = await lakeOf(2)
      const backup = await emptyLake()
      await transfer(lake, backup)
      const folder = snapshotFolder(lake, ids[1]!)
      if (what.includes('manifest')) await rm(join(folder, 'manifest.json'))
      if (what.includes('pointer')) await writeFile(join(lake, 'current'), '000002-')
      if (what.includes('link')) {
        await rm(folder, { recursive: true })
        await symlink(snapshotFolder(backup, ids[1]!), folder)
      }
      expect(await transfer(backup, lake)).toMatchObject({ serves: ids[1] })
      expect(await problemsIn(lake)).toEqual([])
      expect(await problemsIn(backup)).toEqual([])
    },
  )

  it('into a newer lake publishes the restored snapshot, which a rollback reverses', async () => {
    const { lake, ids } = await lakeOf(2)
    const backup = await emptyLake()
    await transfer(lake, backup)
    const third = await publishNth(lake, 3, { keep: 1 })
    expect(await transfer(backup, lake)).toMatchObject({ copied: [{ snapshot_id: ids[1] }], serves: ids[1] })
    expect(await rollback(lake, third.snapshot_id)).toMatchObject({ from: ids[1], to: third.snapshot_id })
  })

  it('refuses another lake and a folder that is not a lake', async () => {
    const { lake } = await lakeOf(1)
    const backup = await emptyLake()
    await transfer(lake, backup)
    const other = await emptyLake()
    await publishNth(other, 2)
    await expect(transfer(backup, other)).rejects.toThrow('it is another lake; name an empty folder')
    const folder = await emptyLake()
    await mkdir(folder)
    await writeFile(join(folder, 'thesis.txt'), '')
    await expect(transfer(backup, folder)).rejects.toThrow(`${folder} contains thesis.txt, so it is not a lake`)
    expect(await readdir(folder)).toEqual(['thesis.txt'])
    await expect(transfer(backup, backup)).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
    await expect(transfer(folder, lake)).rejects.toThrow(`there is no snapshot in ${folder}`)
    await expect(transfer(backup, lake, { snapshot_id: '000009-deadbeef' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })
})

describe('the commands backup and restore', () => {
  it('copy a lake and say what to run next', async () => {
    const { lake, ids } = await lakeOf(1)
    const to = await emptyLake()
    const said = `copied ${ids[0]}: 4 files, 0.0 MiB\n`
    const check = (folder: string) =>
      `${folder} serves ${ids[0]}; check it: shelfmark-refresh verify --lake ${folder}\n`
    expect(await ended(refresh('backup', '--lake', lake, '--to', to))).toEqual({
      code: 0,
      stdout: said + check(to),
      stderr: '',
    })
    await rm(lake, { recursive: true })
    expect(await ended(refresh('restore', '--from', to, '--lake', lake))).toMatchObject({
      code: 0,
      stdout: said + check(lake),
    })
    const json = await ended(refresh('backup', '--lake', lake, '--to', to, '--json'))
    expect(JSON.parse(json.stdout)).toMatchObject({ present: [ids[0]], copied: [] })
  })

  it.each([
    [['backup'], /^--to is missing: name the folder of the backup$/],
    [['restore'], /^--from is missing/],
    [
      ['backup', '--to', 's3://bucket/lake'],
      /^--to: expected a folder, got "s3:\/\/bucket\/lake"; push and pull use object stores$/,
    ],
    [
      ['backup', '000001-deadbeef', '--all', '--to', 'there'],
      /^--all copies every snapshot; leave out 000001-deadbeef$/,
    ],
  ])('refuse %j as wrong usage', async (args, message) => {
    const { lake } = await lakeOf(1)
    const { code, stdout, stderr } = await ended(refresh(...args, '--lake', lake))
    expect({ code, stdout, stderr: stderr.trimEnd() }).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(message),
    })
  })
})
