import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { z } from 'zod'
import { EngineError } from './errors.ts'

const snapshotIdSchema = z.string().regex(/^\d{6,}-[0-9a-f]{8}$/)
const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/)
const timeSchema = z.iso.datetime({ offset: true })
const wholeSchema = z.int().min(0)

const staysInside = (path: string): boolean =>
  !/[\\\0]/.test(path) && path.split('/').every((name) => name !== '' && name !== '.' && name !== '..')

/** The number of the lake's format (data/README.md), one higher with every change of it. */
export const LAKE_FORMAT = 3

/** What a snapshot holds. Paths are relative to its folder, with forward slashes; times are RFC 3339. */
export const manifestSchema = z.object({
  format: z.literal(LAKE_FORMAT),
  snapshot_id: snapshotIdSchema,
  previous: snapshotIdSchema.nullable(),
  published_at: timeSchema,
  digest: sha256Schema,
  observed_from: timeSchema.nullable(),
  observed_to: timeSchema.nullable(),
  /** Products seen in 90 days under which a shelf is thin. */
  thin_below: wholeSchema.default(25),
  counts: z.record(z.string(), wholeSchema),
  files: z.array(
    z.object({
      path: z.string().refine(staysInside, 'leaves the snapshot folder'),
      bytes: wholeSchema,
      rows: wholeSchema,
      sha256: sha256Schema,
    }),
  ),
  report: z.unknown(),
})

export type Manifest = z.output<typeof manifestSchema>
export type ManifestFile = Manifest['files'][number]
export type FileProblem = { file: string; reason: string }
export type VerifyOptions = { onProgress?: ((progress: { files: number; bytes: number }) => void) | undefined }

export const snapshotFolder = (lake: string, id: string): string => join(lake, 'snapshots', id)

const codeOf = (cause: unknown): string => (cause as NodeJS.ErrnoException).code ?? String(cause)

const notReady = (lake: string, message: string, details: FileProblem & { snapshot_id?: string }): EngineError =>
  new EngineError(
    'NOT_READY',
    `${message}. To see every problem run: npm run -s refresh -- verify --lake ${lake}. ` +
      `To serve an older snapshot run: npm run -s refresh -- rollback [ID] --lake ${lake}`,
    details,
  )

/** The id that the pointer `current` names; null where nothing is published. NOT_READY unless it is a plain id. */
export const currentSnapshotId = async (lake: string): Promise<string | null> => {
  const fail = (reason: string) => notReady(lake, `the pointer current ${reason}`, { file: 'current', reason })
  const text = await readFile(join(lake, 'current'), 'utf8').catch((cause: unknown) => {
    if (codeOf(cause) === 'ENOENT') return null
    throw fail(`is unreadable: ${codeOf(cause)}`)
  })
  if (text === null) return null
  const id = snapshotIdSchema.safeParse(text.replace(/\n$/, ''))
  if (!id.success) throw fail(`holds ${JSON.stringify(text.slice(0, 40))}, which is no snapshot id`)
  return id.data
}

/** The ids of the snapshots in a lake, newest first, sound or not; none where there is no lake. */
export const snapshotIds = async (lake: string): Promise<string[]> => {
  const names = await readdir(join(lake, 'snapshots')).catch((cause: unknown) => {
    if (codeOf(cause) === 'ENOENT') return []
    throw cause
  })
  const ids = names.filter((name) => snapshotIdSchema.safeParse(name).success)
  return ids.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const formatSchema = z.object({ format: z.int() })

const ofAnotherFormat = (lake: string, snapshot_id: string, format: number): EngineError => {
  const reason = `of lake format ${format}, not ${LAKE_FORMAT}`
  return new EngineError(
    'NOT_READY',
    `snapshot ${snapshot_id} of ${lake} is ${reason}: another version wrote it. ` +
      'Make the lake anew from its feeds, in an empty folder: npm run -s refresh -- --feeds DIR --lake EMPTY_DIR',
    { file: 'manifest.json', snapshot_id, reason, format },
  )
}

const describe = ({ issues: [first] }: z.ZodError): string => `${first?.path.join('.')}: ${first?.message}`

/** The manifest of a snapshot. NOT_READY where it is missing, unreadable, no JSON, of another format or id. */
export const readManifest = async (lake: string, id: string): Promise<Manifest> => {
  const fail = (reason: string) =>
    notReady(lake, `snapshot ${id}: manifest.json is ${reason}`, { file: 'manifest.json', snapshot_id: id, reason })
  if (!snapshotIdSchema.safeParse(id).success) throw fail('out of reach: that is no snapshot id')
  const text = await readFile(join(snapshotFolder(lake, id), 'manifest.json'), 'utf8').catch((cause: unknown) => {
    throw fail(codeOf(cause) === 'ENOENT' ? 'missing' : `unreadable: ${codeOf(cause)}`)
  })
  const json = parseJson(text)
  if (json === undefined) throw fail('not JSON')
  const format = formatSchema.safeParse(json).data?.format
  if (format !== undefined && format !== LAKE_FORMAT) throw ofAnotherFormat(lake, id, format)
  const { data: manifest, error } = manifestSchema.safeParse(json)
  if (!manifest) throw fail(`not a manifest of format ${LAKE_FORMAT}: ${describe(error)}`)
  if (manifest.snapshot_id !== id) throw fail(`that of another snapshot: ${manifest.snapshot_id}`)
  return manifest
}

/** The SHA-256 of a file, in hexadecimal. */
export const sha256Of = async (path: string): Promise<string> => {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk)
  return hash.digest('hex')
}

/** Visits a list two at a time: one file is read while another is hashed. */
export const inPairs = async <T>(list: readonly T[], visit: (entry: T) => Promise<void>): Promise<void> => {
  const rest = list.values()
  const visitRest = async () => {
    for (const entry of rest) await visit(entry)
  }
  await Promise.all([visitRest(), visitRest()])
}

/** Everything below a folder but folders, as sorted relative paths with forward slashes. */
export const filesBelow = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .sort()
}

const difference = async (folder: string, file: ManifestFile): Promise<string | null> => {
  if (!staysInside(file.path)) return 'leaves the snapshot folder'
  const path = join(folder, file.path)
  try {
    // A symbolic link could lead out of the snapshot.
    const found = await lstat(path)
    if (!found.isFile()) return 'not a file'
    if (found.size !== file.bytes) return `${found.size} bytes instead of ${file.bytes}`
    return (await sha256Of(path)) === file.sha256 ? null : 'another SHA-256 than published'
  } catch (cause) {
    return codeOf(cause) === 'ENOENT' ? 'missing' : `unreadable: ${codeOf(cause)}`
  }
}

/**
 * The files of a snapshot that differ from its manifest in presence, size or SHA-256, and those the manifest does not
 * name: a view reads whole folders, so one file more changes answers. Sorted by file; empty for a sound snapshot.
 */
export const findProblems = async (
  lake: string,
  manifest: Manifest,
  { onProgress }: VerifyOptions = {},
): Promise<FileProblem[]> => {
  const folder = snapshotFolder(lake, manifest.snapshot_id)
  const named = new Set(['manifest.json', ...manifest.files.map((file) => file.path)])
  const problems = await filesBelow(folder).then(
    (found) => found.filter((file) => !named.has(file)).map((file) => ({ file, reason: 'not in the manifest' })),
    (cause: unknown) => [{ file: '.', reason: `unreadable: ${codeOf(cause)}` }],
  )
  const progress = { files: 0, bytes: 0 }
  await inPairs(manifest.files, async (file) => {
    const reason = await difference(folder, file)
    if (reason !== null) problems.push({ file: file.path, reason })
    progress.files += 1
    progress.bytes += file.bytes
    onProgress?.({ ...progress })
  })
  return problems.sort((a, b) => (a.file < b.file ? -1 : 1))
}

/** Refuses a snapshot that is not sound (see `findProblems`): NOT_READY, naming the first such file and what to run. */
export const verifySnapshot = async (lake: string, manifest: Manifest, options: VerifyOptions = {}): Promise<void> => {
  const { snapshot_id } = manifest
  const [first] = await findProblems(lake, manifest, options)
  if (first) throw notReady(lake, `snapshot ${snapshot_id}: ${first.file}: ${first.reason}`, { ...first, snapshot_id })
}
