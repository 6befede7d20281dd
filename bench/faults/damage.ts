import { randomInt } from 'node:crypto'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { currentSnapshotId, readManifest, snapshotFolder } from '../../engine/index.ts'
import { samplePaths, send } from '../../test/support/http.ts'
import { portOf, startService } from '../../test/support/process.ts'
import { sampleLake } from '../../test/support/sample.ts'
import { progress, type Tally } from './figure.ts'

/** An answer without what depends on when it was computed. */
const lasting = (body: string): string =>
  JSON.stringify(JSON.parse(body), (name, value) =>
    ['freshness_seconds', 'computed_at', 'served_from'].includes(name) ? undefined : value,
  )

/**
 * Damages a file under a service that has its snapshot open, then asks every query. An answer must be the one from before;
 * a refusal with a status of its own is no wrong answer. How many queries were answered, and how many refused.
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
  const say = progress('flips after opening', rounds)
  const statuses = new Map<number, number>()

  const ask = async (port: number, path: string) => send(port, path, { agent: false }).catch(() => null)
  const known = new Map<string, string>()
  const tryOnce = async (isDamaged: boolean): Promise<string[]> => {
    const served = startService(environment)
    const port = await portOf(served)
    const { path } = files[randomInt(files.length)]!
    const file = join(snapshotFolder(lake, id), path)
    const sound = await readFile(file)
    try {
      if (isDamaged) await damage(file, sound)
      const against: string[] = []
      for (const asked of paths) {
        const reply = await ask(port, asked)
        if (!reply) return [...against, `the service is gone after damage to ${path}`]
        if (isDamaged) statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
        if (reply.status !== 200) continue
        const answer = lasting(reply.body)
        if (!isDamaged) known.set(asked, answer)
        else if (known.get(asked) !== answer) against.push(`a wrong answer of ${asked.split('?')[0]}`)
      }
      return against
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
      say(i)
    }
    return [...statuses].map(([status, times]) => `${times} x ${status}`).join(', ')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
