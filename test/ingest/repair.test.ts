import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openStore, snapshotFolder } from '../../engine/index.ts'
import { push } from '../../ingest/snapshot/push.ts'
import { renderRepairs, repairLake } from '../../ingest/snapshot/repair.ts'
import { verifyLake } from '../../ingest/snapshot/snapshots.ts'
import { transfer } from '../../ingest/snapshot/transfer.ts'
import { emptyLake } from './empty-lake.ts'
import { publishNth } from './small-lake.ts'

const LISTINGS = 'listings/country=us/part-0.parquet'

const lakeOf = async (count: number): Promise<{ lake: string; ids: string[] }> => {
  const lake = await emptyLake()
  const ids: string[] = []
  for (let n = 1; n <= count; n += 1) ids.push((await publishNth(lake, n, { keep: count })).snapshot_id)
  return { lake, ids }
}

const damage = (lake: string, id: string): Promise<void> =>
  writeFile(join(snapshotFolder(lake, id), LISTINGS), 'listings ?')

const problemsIn = async (lake: string) => (await verifyLake(lake, { every: true })).flatMap(({ problems }) => problems)

describe('verify --repair', () => {
  it('restores damaged and missing files from a backup', async () => {
    const { lake, ids } = await lakeOf(2)
    const backup = await emptyLake()
    await transfer(lake, backup, { every: true })
    await damage(lake, ids[1]!)
    await rm(join(snapshotFolder(lake, ids[0]!), LISTINGS))
    const repairs = await repairLake(lake, { backup }, true)
    expect(repairs).toMatchObject([
      { snapshot_id: ids[1], current: true, repaired: [LISTINGS], problems: [] },
      { snapshot_id: ids[0], current: false, repaired: [LISTINGS], problems: [] },
    ])
    expect(renderRepairs(repairs)).toContain(`${ids[1]} (current): 4 files are intact\n  ${LISTINGS}: repaired`)
    expect(await problemsIn(lake)).toEqual([])
    expect(await readdir(join(lake, 'staging'))).toEqual([])
    expect(await repairLake(lake, { backup }, true)).toMatchObject([{ repaired: [] }, { repaired: [] }])
  })

  it('restores them from a store', async () => {
    const { lake, ids } = await lakeOf(1)
    const store = openStore(join(await emptyLake(), 'store'))
    await push(lake, store)
    await damage(lake, ids[0]!)
    expect(await repairLake(lake, { store })).toMatchObject([{ repaired: [LISTINGS], problems: [] }])
    expect(await problemsIn(lake)).toEqual([])
  })

  it('restores files that another snapshot of the lake has, and reports those that nobody has', async () => {
    const { lake, ids } = await lakeOf(2)
    const [checked] = await verifyLake(lake)
    const shared = join(snapshotFolder(lake, ids[1]!), 'brands.parquet')
    await rm(shared, { force: true })
    await damage(lake, ids[1]!)
    const [repaired] = await repairLake(lake, null)
    expect(checked!.files).toBe(4)
    expect(repaired!.problems.map(({ file }) => file)).toEqual([LISTINGS])
  })

  it('leaves a file that the store has damaged, too', async () => {
    const { lake, ids } = await lakeOf(1)
    const folder = join(await emptyLake(), 'store')
    await push(lake, openStore(folder))
    for (const name of await readdir(join(folder, 'files'), { recursive: true, withFileTypes: true }))
      if (name.isFile()) await writeFile(join(name.parentPath, name.name), 'damaged')
    await damage(lake, ids[0]!)
    const [repair] = await repairLake(lake, { store: openStore(folder) })
    expect(repair).toMatchObject({ repaired: [], problems: [{ file: LISTINGS }] })
  })
})
