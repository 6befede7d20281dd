import {
  commandLine,
  currentSnapshotId,
  EngineError,
  type FileProblem,
  findProblems,
  type Manifest,
  readManifest,
  snapshotIds,
  type VerifyOptions,
  verifySnapshot,
} from '../../engine/index.ts'
import { pointTo } from './durable.ts'
import { withLock } from './lock.ts'
import { type Removal, removeOldSnapshots } from './publish.ts'

/** A snapshot of the lake. If its manifest cannot be read, `problem` is the reason, and the fields from it are null. */
export type SnapshotRow = {
  snapshot_id: string
  current: boolean
  published_at: string | null
  observed_from: string | null
  observed_to: string | null
  observations: number | null
  listings: number | null
  bytes: number | null
  problem: string | null
}

export type Verification = { snapshot_id: string; current: boolean; files: number; problems: FileProblem[] }

/** The refusal of a lake without a snapshot. */
export const noSnapshot = (lake: string): EngineError => {
  const run = commandLine('refresh', `--feeds DIR --lake ${lake}`)
  return new EngineError('NOT_READY', `the lake ${lake} has no snapshot. To create one, run: ${run}`, { lake })
}

const requireSnapshots = async (lake: string): Promise<string[]> => {
  const ids = await snapshotIds(lake)
  if (ids.length > 0) return ids
  throw noSnapshot(lake)
}

const reasonOf = (cause: unknown): string => {
  if (cause instanceof EngineError) return String(cause.details.reason)
  throw cause
}

const bytesOf = (manifest: Manifest): number => manifest.files.reduce((sum, file) => sum + file.bytes, 0)

/** The snapshots of a lake, newest first. NOT_READY if there is none or the pointer is malformed. */
export const listSnapshots = async (lake: string): Promise<SnapshotRow[]> => {
  const ids = await requireSnapshots(lake)
  const current = await currentSnapshotId(lake)
  return Promise.all(
    ids.map(async (snapshot_id) => {
      const read = await readManifest(lake, snapshot_id).catch(reasonOf)
      const [manifest, problem] = typeof read === 'string' ? [null, read] : [read, null]
      return {
        snapshot_id,
        current: snapshot_id === current,
        published_at: manifest?.published_at ?? null,
        observed_from: manifest?.observed_from ?? null,
        observed_to: manifest?.observed_to ?? null,
        observations: manifest?.counts.observations ?? null,
        listings: manifest?.counts.listings ?? null,
        bytes: manifest && bytesOf(manifest),
        problem,
      }
    }),
  )
}

const verify = async (lake: string, id: string, options: VerifyOptions): Promise<Omit<Verification, 'current'>> => {
  try {
    const manifest = await readManifest(lake, id)
    const problems = await findProblems(lake, manifest, options)
    return { snapshot_id: id, files: manifest.files.length, problems }
  } catch (cause) {
    // Files of another format cannot be checked.
    if (cause instanceof EngineError && cause.details.format !== undefined) throw cause
    return { snapshot_id: id, files: 0, problems: [{ file: 'manifest.json', reason: reasonOf(cause) }] }
  }
}

/**
 * Checks the files of the current snapshot, or of every one in the lake. NOT_READY as `listSnapshots`, and for a
 * snapshot of another format.
 */
export const verifyLake = async (
  lake: string,
  { every = false, ...options }: VerifyOptions & { every?: boolean } = {},
): Promise<Verification[]> => {
  const ids = await requireSnapshots(lake)
  const current = await currentSnapshotId(lake)
  const verifications: Verification[] = []
  for (const id of every || current === null ? ids : [current])
    verifications.push({ ...(await verify(lake, id, options)), current: id === current })
  return verifications
}

// The snapshot that the current one was built from, which after an earlier rollback may not be the next older one.
const snapshotBefore = async (lake: string, ids: string[], current: string | null): Promise<string> => {
  const older = current ? ids.filter((id) => Number.parseInt(id, 10) < Number.parseInt(current, 10)) : ids
  const origin = current ? await readManifest(lake, current).catch(() => null) : null
  const before = older.find((id) => id === origin?.previous) ?? older[0]
  if (before) return before
  throw new EngineError('NOT_FOUND', `there is no snapshot older than ${current}; the lake has ${ids.join(', ')}`)
}

/**
 * Points the lake at one of its snapshots, by default the one before the current, after checking its files; also if the
 * pointer itself is damaged. NOT_FOUND for an id that the lake does not have, NOT_READY if its files are damaged or
 * another process is changing the lake. Takes the lake's lock.
 */
export const rollback = async (
  lake: string,
  id?: string,
): Promise<{ from: string | null; to: string; format: number }> => {
  const ids = await requireSnapshots(lake)
  if (id !== undefined && !ids.includes(id))
    throw new EngineError('NOT_FOUND', `there is no snapshot ${id}; the lake has ${ids.join(', ')}`, { ids })
  return withLock(lake, async () => {
    const from = await currentSnapshotId(lake).catch(() => null)
    const to = id ?? (await snapshotBefore(lake, ids, from))
    const manifest = await readManifest(lake, to)
    await verifySnapshot(lake, manifest)
    await pointTo(lake, to)
    return { from, to, format: manifest.format }
  })
}

/** As `removeOldSnapshots`; `keep` is 1 or more. Takes the lake's lock. */
export const prune = async (lake: string, keep: number): Promise<Removal> => {
  if (!Number.isInteger(keep) || keep < 1)
    throw new EngineError('INVALID_PARAMS', `keep: expected a whole number from 1, got ${keep}`, { keep })
  await requireSnapshots(lake)
  return withLock(lake, () => removeOldSnapshots(lake, keep))
}

const columns = ['', 'snapshot', 'published', 'observed', 'observations', 'listings', 'MiB']

const cellsOf = (row: SnapshotRow): string[] => [
  row.current ? '*' : '',
  row.snapshot_id,
  row.published_at ?? `manifest ${row.problem}`,
  row.observed_from && row.observed_to ? `${row.observed_from.slice(0, 10)}..${row.observed_to.slice(0, 10)}` : '-',
  row.observations?.toLocaleString('en') ?? '-',
  row.listings?.toLocaleString('en') ?? '-',
  row.bytes === null ? '-' : (row.bytes / 2 ** 20).toFixed(1),
]

/** A table as text, with a star at the current snapshot. */
export const renderSnapshots = (rows: readonly SnapshotRow[]): string => {
  const table = [columns, ...rows.map(cellsOf)]
  const widths = columns.map((_, column) => Math.max(...table.map((cells) => cells[column]!.length)))
  const firstNumber = columns.indexOf('observations')
  const pad = (cell: string, column: number) =>
    column < firstNumber ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)
  return table.map((cells) => cells.map(pad).join('  ').trimEnd()).join('\n')
}

/** A line for each checked snapshot, and one for each problem in it. */
export const renderVerifications = (verifications: readonly Verification[]): string =>
  verifications
    .flatMap(({ snapshot_id, current, files, problems }) => [
      `${snapshot_id}${current ? ' (current)' : ''}: ${problems.length === 0 ? `${files} files are intact` : 'damaged'}`,
      ...problems.map(({ file, reason }) => `  ${file}: ${reason}`),
    ])
    .join('\n')
