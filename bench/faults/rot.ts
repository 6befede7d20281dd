import { randomInt } from 'node:crypto'
import { cp, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { currentSnapshotId, readManifest, snapshotFolder } from '../../engine/index.ts'
import { send } from '../../test/support/http.ts'
import { completeRefresh, writeDay } from './days.ts'
import { type Measured, progress, Tally } from './figure.ts'
import { serveProcess } from './served.ts'

const PERIOD_MS = 5000
const POLL_MS = 20
/** A query is not refused for longer than a switch of snapshots takes. */
const MAX_REFUSED_MS = 1000
const QUERY = '/v1/analyst/inflation?category=coffee&from=2026-01-01&to=2026-01-31&granularity=daily'

/** A whole second: times with fractions cannot be set again exactly. */
const WRITTEN_AT = 1_768_000_000
const setTime = (file: string): Promise<void> => utimes(file, WRITTEN_AT, WRITTEN_AT)

/** Flips a bit and leaves the time of the file as it was, as a disk does that rots. */
const rotOf = async (file: string): Promise<void> => {
  const bytes = await readFile(file)
  bytes[randomInt(bytes.length)]! ^= 1 << randomInt(8)
  await writeFile(file, bytes)
  await setTime(file)
}

/** A lake of two snapshots without links between them, and the files of the newer one. */
const makeLake = async (folder: string) => {
  const linked = join(folder, 'linked')
  for (const day of [0, 1])
    if ((await completeRefresh(await writeDay(folder, day), linked)) !== 0) throw new Error('a refresh failed')
  const id = (await currentSnapshotId(linked))!
  const { files } = await readManifest(linked, id)
  return { linked, id, paths: files.filter(({ bytes }) => bytes > 0).map(({ path }) => path) }
}

/** Files of an open snapshot that rot: found within a period of hashing, and another snapshot takes over. */
export const measureRot = async (rounds: number): Promise<Measured> => {
  const folder = await mkdtemp(join(tmpdir(), 'shelfmark-rot-'))
  const tally = new Tally()
  const report = progress('rotten files', rounds)
  let [longestMs, longestRefusedMs, wrong] = [0, 0, 0]
  try {
    const { linked, id, paths } = await makeLake(folder)
    for (let i = 1; i <= rounds; i++) {
      const lake = join(folder, `lake-${i}`)
      await cp(linked, lake, { recursive: true })
      for (const path of paths) await setTime(join(snapshotFolder(lake, id), path))
      const service = await serveProcess({
        SHELFMARK_LAKE: lake,
        SHELFMARK_AS_OF: '2026-02-01T00:00:00Z',
        SHELFMARK_CACHE_MIB: '0',
        SHELFMARK_RELOAD_MS: '100',
        SHELFMARK_SCRUB_HOURS: (PERIOD_MS / 3_600_000).toFixed(6),
      })
      const seriesOf = (body: string): string => JSON.stringify(JSON.parse(body).time_series)
      const sound = seriesOf((await send(service.port, QUERY)).body)
      // The snapshot to fall back to is verified first.
      await sleep(PERIOD_MS / 5)
      const path = paths[randomInt(paths.length)]!
      await rotOf(join(snapshotFolder(lake, id), path))
      const start = performance.now()
      let [lastAnswer, refusedMs, isFound, isGone] = [start, 0, false, false]
      while (!isFound && performance.now() - start < 3 * PERIOD_MS) {
        const reply = await send(service.port, QUERY, { agent: false }).catch(() => null)
        isGone ||= reply === null
        const now = performance.now()
        if (reply?.status === 200) {
          isFound = JSON.parse(reply.body).meta.snapshot_id !== id
          if (!isFound && seriesOf(reply.body) !== sound) wrong += 1
          lastAnswer = now
        }
        refusedMs = Math.max(refusedMs, now - lastAnswer)
        await sleep(POLL_MS)
      }
      const foundMs = performance.now() - start
      longestMs = Math.max(longestMs, foundMs)
      longestRefusedMs = Math.max(longestRefusedMs, refusedMs)
      tally.count(
        !(isFound && foundMs < 2 * PERIOD_MS) && `rot of ${path} found after ${(foundMs / 1000).toFixed(1)} s`,
        refusedMs > MAX_REFUSED_MS && `no answer for ${refusedMs.toFixed(0)} ms after rot of ${path}`,
        isGone && `the service is gone after rot of ${path}`,
      )
      await service.stop()
      await rm(lake, { recursive: true, force: true })
      report(i)
    }
    const longest = `found after ${(longestMs / 1000).toFixed(1)} s at most, at a period of ${PERIOD_MS / 1000} s`
    return tally.measured(
      `${longest}; ${longestRefusedMs.toFixed(0)} ms without an answer at most; ${wrong} wrong answers before`,
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
