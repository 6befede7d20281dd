import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  filesBelow,
  inPairs,
  LAKE_FORMAT,
  MANIFEST_HASH,
  type Manifest,
  type ManifestFile,
  manifestHashText,
  manifestSchema,
  sha256Of,
  sha256OfText,
  snapshotFolder,
} from '../../engine/index.ts'
import type { FileSums } from '../cluster/sums.ts'
import { sync, writeDurably } from './durable.ts'

/** A snapshot about to be published: its folder below `lake/staging`, and the contents of its manifest. */
export type Staged = Pick<
  Manifest,
  'snapshot_id' | 'digest' | 'observed_from' | 'observed_to' | 'thin_below' | 'counts' | 'report'
> & {
  lake: string
  staged: string
  /** How prices are stored; by default as those of the usual countries are. */
  countries?: Manifest['countries'] | undefined
  /** The rows of each new file, by its path; files linked from the previous snapshot keep theirs. */
  rows: Readonly<Record<string, number>>
  /** The sums of the columns of files, by path; linked files keep theirs. */
  sums?: Readonly<Record<string, FileSums>>
  /** RFC 3339; default the clock. */
  published_at?: string
}

const isSameFile = async (left: string, right: string): Promise<boolean> => {
  const [one, other] = await Promise.all([left, right].map((path) => stat(path, { bigint: true }).catch(() => null)))
  return one != null && other != null && one.ino === other.ino && one.dev === other.dev
}

type Sealed = ManifestFile & { isNew: boolean }

// A link keeps its published entry: hashing it again would accept any damage since then.
const entryOf = async (source: Staged, previous: Manifest | null, path: string): Promise<Sealed> => {
  const { lake, staged, rows, sums = {} } = source
  const file = join(staged, path)
  const published = previous?.files.find((entry) => entry.path === path)
  if (previous && published && (await isSameFile(file, join(snapshotFolder(lake, previous.snapshot_id), path))))
    return { ...published, sums: published.sums ?? sums[path], isNew: false }
  if (rows[path] === undefined) throw new Error(`'${file}' is staged, but its number of rows is missing`)
  const { size } = await stat(file)
  return { path, bytes: size, rows: rows[path], sha256: await sha256Of(file), sums: sums[path], isNew: true }
}

/** A folder and all folders below it. */
export const foldersIn = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return [folder, ...entries.filter((entry) => entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name))]
}

/** Writes the manifest of the staged folder and its hash, and flushes every new file and every folder. */
export const seal = async (source: Staged, previous: Manifest | null): Promise<Manifest> => {
  const { staged, snapshot_id, digest, observed_from, observed_to, thin_below, countries, counts, report } = source
  const entries: Sealed[] = []
  await inPairs(await filesBelow(staged), async (path) => {
    entries.push(await entryOf(source, previous, path))
  })
  entries.sort((a, b) => (a.path < b.path ? -1 : 1))
  const manifest = manifestSchema.parse({
    format: LAKE_FORMAT,
    snapshot_id,
    previous: previous?.snapshot_id ?? null,
    published_at: source.published_at ?? new Date().toISOString(),
    digest,
    observed_from,
    observed_to,
    thin_below,
    countries,
    counts,
    files: entries,
    report,
  })
  const text = `${JSON.stringify(manifest, null, 1)}\n`
  await writeDurably(join(staged, 'manifest.json'), text)
  await writeDurably(join(staged, MANIFEST_HASH), manifestHashText(sha256OfText(text)))
  for (const { path } of entries.filter((entry) => entry.isNew)) await sync(join(staged, path))
  for (const folder of await foldersIn(staged)) await sync(folder)
  return manifest
}
