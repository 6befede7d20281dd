import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { currentSnapshotId, snapshotIds } from '../../engine/index.ts'
import { verifyLake } from '../../ingest/snapshot/snapshots.ts'
import { compiled } from '../support/compiled.ts'
import { refreshed, temporaryFolder } from '../support/given.ts'
import { feedRow, listing, observed } from '../support/rows.ts'

const root = new URL('../..', import.meta.url).pathname
const page = readFileSync(new URL('../../ingest/snapshot/README.md', import.meta.url), 'utf8')
/** The npm of these scripts starts what `refresh` starts, compiled: npm and a compiler take longer than the command. */
const NPM = `npm() { [ "$1 $2 $3 $4" = 'run -s refresh --' ] && node '${compiled('ingest/main.ts')}' "\${@:5}"; }\n`
const scripts = page
  .split(/^## /m)
  .slice(1)
  .flatMap((section) =>
    [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, script = '']) => [section.split('\n', 1)[0]!, script]),
  ) as [heading: string, script: string][]

let lake: string
let backup: string
let newest: string

beforeAll(async () => {
  const folder = await temporaryFolder()
  lake = join(folder, 'lake')
  backup = join(folder, 'backup')
  for (const day of [1, 2]) {
    const rows = Array.from({ length: 20 + day }, (_, i) => observed(listing(`L${i}`), { [`2026-11-0${day}`]: 999 }))
    await refreshed(lake, { observations: rows.flat().map(feedRow) })
  }
  newest = (await currentSnapshotId(lake))!
})

test('the script refresh of package.json is the command that the runbook uses', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(scripts.refresh).toBe('tsx ingest/main.ts')
})

test('the runbook has commands for each case', () => {
  expect(scripts.map(([heading]) => heading)).toEqual(
    ['Back up', 'Back up', 'A damaged file', 'A damaged file', 'A damaged file', 'A damaged file'].concat([
      'A damaged pointer',
      'A lost lake',
      'Snapshots in use',
    ]),
  )
})

test.each(scripts)('the commands of the runbook work: %s, %s', async (_, script) => {
  const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', NPM + script], {
    cwd: root,
    env: { ...process.env, LAKE: lake, BACKUP: backup },
    encoding: 'utf8',
  })
  expect(status, stderr).toBe(0)
  if (script.includes('drill: truncates')) {
    expect(stdout).toMatch(/bytes instead of \d+\ndamaged, as expected\n$/)
    return
  }
  expect(await currentSnapshotId(lake)).toBe(newest)
  expect((await verifyLake(lake)).flatMap(({ problems }) => problems)).toEqual([])
})

test('the commands of the runbook leave the same sound snapshots in lake and backup', async () => {
  expect(await snapshotIds(lake)).toEqual(await snapshotIds(backup))
  for (const folder of [lake, backup])
    expect((await verifyLake(folder, { every: true })).flatMap(({ problems }) => problems)).toEqual([])
})
