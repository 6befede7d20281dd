import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { snapshotIds, takeLease, withoutReaders } from '../../engine/index.ts'
import { prune } from '../../ingest/snapshot/snapshots.ts'
import { compiled } from '../support/compiled.ts'
import { container } from '../support/containers.ts'
import { emptyLake } from './empty-lake.ts'
import { contentsOf, publishNth, publishWarned } from './small-lake.ts'

const holderScript = compiled('test/ingest/lease-holder.ts')

const start = (within: readonly string[], ...args: string[]): ChildProcess => {
  const [command, ...rest] = [...within, process.execPath, holderScript, ...args]
  const child = spawn(command!, rest, { stdio: ['ignore', 'pipe', within.length > 0 ? 'ignore' : 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

const hold = async (within: readonly string[], ...args: string[]): Promise<ChildProcess> => {
  const holder = start(within, ...args)
  expect(String((await once(holder.stdout!, 'data'))[0])).toBe('held')
  return holder
}

const kill = async (holder: ChildProcess): Promise<void> => {
  holder.kill('SIGKILL')
  await once(holder, 'exit')
}

/** A lake of two snapshots: its path and the id of the older. */
const lakeOfTwo = async (): Promise<[lake: string, older: string]> => {
  const lake = await emptyLake()
  const { snapshot_id } = await publishNth(lake, 1)
  await publishNth(lake, 2)
  return [lake, snapshot_id]
}

const inUse = (id: string) => ({ removed: [], in_use: [id], warnings: [] })
const removed = (id: string) => ({ removed: [id], in_use: [], warnings: [] })

describe('a lease', () => {
  it('prevents the removal of a snapshot until its process is killed', async () => {
    const [lake, older] = await lakeOfTwo()
    const holder = await hold([], lake, older)
    expect(await prune(lake, 1)).toEqual(inUse(older))
    expect(await snapshotIds(lake)).toContain(older)
    await kill(holder)
    expect(await prune(lake, 1)).toEqual(removed(older))
    expect(await readdir(join(lake, 'leases'))).toEqual((await snapshotIds(lake)).map((id) => `${id}.duckdb`))
  })

  it('can be held by several processes, with several readers in each', async () => {
    const [lake, older] = await lakeOfTwo()
    const holders = [await hold([], lake, older, '3'), await hold([], lake, older)]
    for (const holder of holders) {
      expect(await prune(lake, 1)).toEqual(inUse(older))
      await kill(holder)
    }
    expect(await prune(lake, 1)).toEqual(removed(older))
  })

  it('of the current process counts too, until the last one is released', async () => {
    const [lake, older] = await lakeOfTwo()
    const leases = [await takeLease(lake, older), await takeLease(lake, older)]
    for (const lease of leases) {
      expect(lease.problem).toBeNull()
      expect(await prune(lake, 1)).toEqual(inUse(older))
      lease.release()
    }
    expect(await prune(lake, 1)).toEqual(removed(older))
  })

  it('is refused while the snapshot is being removed', async () => {
    const [lake, older] = await lakeOfTwo()
    const isGone = await withoutReaders(lake, older, async () => {
      await expect(takeLease(lake, older)).rejects.toThrow(`snapshot ${older} is being removed; retry`)
    })
    expect(isGone).toBe(true)
  })

  it('is refused while another process is removing the snapshot', async () => {
    const [lake, older] = await lakeOfTwo()
    let errors = ''
    await withoutReaders(lake, older, async () => {
      errors = spawnSync(process.execPath, [holderScript, lake, older]).stderr.toString()
    })
    expect(errors).toContain(`snapshot ${older} is being removed; retry`)
  })

  it('creates its file for a snapshot of an earlier version', async () => {
    const [lake, older] = await lakeOfTwo()
    await rm(join(lake, 'leases'), { recursive: true })
    const holder = await hold([], lake, older)
    expect(await prune(lake, 1)).toEqual(inUse(older))
    await kill(holder)
  })

  it('that cannot be taken reports the reason and leaves the snapshot readable', async () => {
    const [lake, older] = await lakeOfTwo()
    await rm(join(lake, 'leases'), { recursive: true })
    await writeFile(join(lake, 'leases'), 'in the way')
    expect((await takeLease(lake, older)).problem).toMatch(/ENOTDIR|EEXIST/)
  })

  it('makes the next publication warn that the snapshot stays, and the one after removes it', async () => {
    const [lake, older] = await lakeOfTwo()
    const holder = await hold([], lake, older)
    const third = await publishWarned(lake, contentsOf(3), { keep: 1 })
    const [, second] = await snapshotIds(lake)
    expect(third.warnings).toEqual([`snapshot ${older} is in use and stays; the next refresh removes it`])
    expect(await snapshotIds(lake)).toEqual([third.manifest.snapshot_id, second])
    expect(second).toBe(older)
    await kill(holder)
    const fourth = await publishWarned(lake, contentsOf(4), { keep: 1 })
    expect(fourth.warnings).toEqual([])
    expect(await snapshotIds(lake)).toEqual([fourth.manifest.snapshot_id])
  })
})

const between = container ? '' : ' (skipped: unshare is not installed, or may not make namespaces here)'

describe.runIf(container)(`a lease between containers${between}`, () => {
  it('is visible outside and in other containers, and released when its process is killed', async () => {
    const [lake, older] = await lakeOfTwo()
    const inside = await hold(container!, lake, older)
    expect(await prune(lake, 1)).toEqual(inUse(older))
    await kill(inside)
    const outside = await hold([], lake, older)
    const script = `import { prune } from '${compiled('ingest/snapshot/snapshots.ts')}'
      process.stdout.write(JSON.stringify(await prune(${JSON.stringify(lake)}, 1)))`
    const pruneInside = () => {
      const [command, ...rest] = [...container!, process.execPath, '--input-type=module', '-e', script]
      return JSON.parse(spawnSync(command!, rest).stdout.toString())
    }
    expect(pruneInside()).toEqual(inUse(older))
    await kill(outside)
    expect(pruneInside()).toEqual(removed(older))
  })
})

const mount = (...args: string[]): boolean => spawnSync('mount', args).status === 0

describe('on a read-only file system', () => {
  it('a lease can be held', async ({ skip }) => {
    const [lake, older] = await lakeOfTwo()
    const view = `${lake}-view`
    await mkdir(view)
    if (!mount('--bind', lake, view)) return skip('nothing may be mounted here')
    onTestFinished(() => void spawnSync('umount', [view]))
    expect(mount('-o', 'remount,ro,bind', view)).toBe(true)
    await expect(writeFile(join(view, 'probe'), '')).rejects.toThrow('EROFS')
    const holder = await hold([], view, older)
    expect(await prune(lake, 1)).toEqual(inUse(older))
    await kill(holder)
    expect(await prune(lake, 1)).toEqual(removed(older))
  })
})
