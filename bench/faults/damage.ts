import { randomInt } from 'node:crypto'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { currentSnapshotId, readManifest, snapshotFolder } from '../../engine/index.ts'
import { samplePaths, send } from '../../test/support/http.ts'
import { portOf, startService } from '../../test/support/process.ts'
import { sampleLake } from '../../test/support/sample.ts'
import { progress, type Tally } from './figure.ts'

/** An answer without the fields that depend on when it was computed. */
const withoutTimes = (body: string): string =>
  JSON.stringify(JSON.parse(body), (name, value) =>
    ['freshness_seconds', 'computed_at', 'served_from'].includes(name) ? undefined : value,
  )

/**
 * Damages a file while a service has its snapshot open, then runs every query. Answers must equal those before the damage;
 * refusals are accepted. Returns how often each status occurred.
 */
export const damageUnderService = async (
  rounds: number,
  damage: (path: string, sound: Buffer) => Promise<unknown>,
  tally: Tally,
): Promise<string> => {
  const { lake: sample, as_of } = await sampleLake()
  const id = (await currentSnapshotId(sample))!
  const manifest = await readManifest(sample, id)
  const files = manifest.files.filter(({ path }) => path.endsWith('.parquet'))
  const folder = await mkdtemp(join(tmpdir(), 'shelfmark-damage-'))
  const lake = join(folder, 'lake')
  await cp(sample, lake, { recursive: true })
  const environment = {
    SHELFMARK_LAKE: lake,
    SHELFMARK_AS_OF: as_of.toISOString(),
    SHELFMARK_CACHE_MIB: '0',
    SHELFMARK_ADMIN_PORT: '0',
  }
  const paths = samplePaths().map(({ path }) => path)
  const report = progress('flips after opening', rounds)
  const statuses = new Map<number, number>()

  const request = async (port: number, path: string) => send(port, path, { agent: false }).catch(() => null)
  const expected = new Map<string, string>()
  const tryOnce = async (isDamaged: boolean): Promise<string[]> => {
    const served = startService(environment)
    const port = await portOf(served)
    const { path } = files[randomInt(files.length)]!
    const file = join(snapshotFolder(lake, id), path)
    const sound = await readFile(file)
    try {
      if (isDamaged) await damage(file, sound)
      const failures: string[] = []
      for (const query of paths) {
        const reply = await request(port, query)
        if (!reply) return [...failures, `the service is gone after damage to ${path}`]
        if (isDamaged) statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
        if (reply.status !== 200) continue
        const answer = withoutTimes(reply.body)
        if (!isDamaged) expected.set(query, answer)
        else if (expected.get(query) !== answer) failures.push(`a wrong answer to ${query.split('?')[0]}`)
      }
      return failures
    } finally {
      served.child.kill('SIGKILL')
      await served.exited
      await cp(join(snapshotFolder(sample, id), path), file)
    }
  }
  try {
    await tryOnce(false)
    for (let i = 1; i <= rounds; i++) {
      tally.count(...(await tryOnce(true)))
      report(i)
    }
    return [...statuses].map(([status, times]) => `${times} x ${status}`).join(', ')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
