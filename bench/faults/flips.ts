import { randomInt } from 'node:crypto'
import { cp, mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  currentSnapshotId,
  EngineError,
  type Manifest,
  readManifest,
  snapshotFolder,
  verifySnapshot,
} from '../../engine/index.ts'
import { nextSnapshotId, publish } from '../../ingest/snapshot/publish.ts'
import { sampleLake } from '../../test/support/sample.ts'
import { openDuckDB } from '../duckdb.ts'
import { damageUnderService } from './damage.ts'
import { type Measured, progress, Tally } from './figure.ts'

const CODECS = ['snappy', 'zstd', 'lz4_raw'] as const
type Codec = (typeof CODECS)[number]

/** A lake of the same rows as another, its Parquet files compressed by one codec. */
const writeLake = async (from: string, lake: string, codec: Codec): Promise<Manifest> => {
  const id = (await currentSnapshotId(from))!
  const manifest = await readManifest(from, id)
  const source = snapshotFolder(from, id)
  const staged = join(lake, 'staging', 'next')
  const connection = await openDuckDB()
  for (const { path } of manifest.files) {
    await mkdir(dirname(join(staged, path)), { recursive: true })
    if (!path.endsWith('.parquet')) await cp(join(source, path), join(staged, path))
    else
      await connection.run(`COPY (FROM read_parquet('${source}/${path}', hive_partitioning = false))
        TO '${staged}/${path}' (FORMAT parquet, COMPRESSION ${codec})`)
  }
  connection.closeSync()
  const { digest, observed_from, observed_to, thin_below, countries, counts, report } = manifest
  const rows = Object.fromEntries(manifest.files.map(({ path, rows }) => [path, rows]))
  const snapshot_id = nextSnapshotId(null, digest)
  await publish({
    lake,
    staged,
    snapshot_id,
    digest,
    observed_from,
    observed_to,
    thin_below,
    countries,
    counts,
    report,
    rows,
  })
  return readManifest(lake, snapshot_id)
}

type DamageFile = (path: string, sound: Buffer) => Promise<unknown>

const flipBit: DamageFile = async (path, sound) => {
  const damaged = Buffer.from(sound)
  damaged[randomInt(damaged.length)]! ^= 1 << randomInt(8)
  await writeFile(path, damaged)
}
const cutOff: DamageFile = (path, sound) => truncate(path, randomInt(sound.length))

/** Damages a random file and returns what is wrong with the refusal, null if nothing is. The file is restored afterwards. */
const tryDamage = async (lake: string, manifest: Manifest, damage: DamageFile): Promise<string | null> => {
  const files = manifest.files.filter(({ bytes }) => bytes > 0)
  const { path } = files[randomInt(files.length)]!
  const file = join(snapshotFolder(lake, manifest.snapshot_id), path)
  const sound = await readFile(file)
  await damage(file, sound)
  try {
    await verifySnapshot(lake, manifest)
    return `${path} is damaged and was not refused`
  } catch (error) {
    const isNamed = error instanceof EngineError && error.details.file === path
    return isNamed ? null : `damage to ${path} is refused as: ${(error as Error).message.slice(0, 100)}`
  } finally {
    await writeFile(file, sound)
  }
}

/** Bits flipped in files of three codecs, truncated files, and bits flipped under a service that has them open. */
export const measureFlips = async (rounds: number): Promise<Measured> => {
  const { lake: sample } = await sampleLake()
  const folder = await mkdtemp(join(tmpdir(), 'shelfmark-flips-'))
  const tally = new Tally()
  const fifth = Math.ceil(rounds / 5)
  try {
    for (const codec of CODECS) {
      const lake = join(folder, codec)
      const manifest = await writeLake(sample, lake, codec)
      const report = progress(`flips, ${codec}`, rounds)
      for (let i = 1; i <= rounds; i++) {
        tally.count(await tryDamage(lake, manifest, flipBit))
        report(i)
      }
      if (codec !== 'zstd') continue
      for (let i = 0; i < fifth; i++) tally.count(await tryDamage(lake, manifest, cutOff))
    }
    const open = await damageUnderService(fifth, flipBit, tally)
    const sizes = `${rounds} flips in each of ${CODECS.join(', ')}, ${fifth} truncations`
    return tally.measured(`${sizes}; ${fifth} flips after opening: ${open}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
