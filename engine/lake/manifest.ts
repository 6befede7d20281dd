import { createHash } from 'node:crypto'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { EngineError } from '../contract/errors.ts'
import { readJson } from '../contract/json.ts'
import { isCountry, isCurrency, MAX_DECIMALS } from '../contract/places.ts'
import { commandLine } from '../contract/program.ts'
import { codeOf, damagedLake, throwIfExhausted } from './lake-error.ts'
import { type Pointer, readPointer } from './pointer.ts'

const snapshotIdSchema = z.string().regex(/^\d{6,}-[0-9a-f]{8}$/)
const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/)
const timeSchema = z.iso.datetime({ offset: true })
const countSchema = z.int().min(0)

/** Whether a path in a manifest stays inside the snapshot's folder. */
export const staysInside = (path: string): boolean =>
  !/[\\\0]/.test(path) && path.split('/').every((name) => name !== '' && name !== '.' && name !== '..')

/** The version of the lake format (data/README.md), incremented with every change of it. */
export const LAKE_FORMAT = 10

/** A file of listing_days has the observations of this many listings with consecutive ids: those of a block. */
export const LISTINGS_PER_BLOCK = 16_384

/**
 * The formats that a refresh can read, which then writes the current one. In 3, files lack the columns that their folders are
 * named by; up to 4, listings lack `recommended_price` and sizes, up to 5 likely matches and what their history says of the
 * price; up to 6 there are no listing_days, up to 7 no files of the index, up to 8 no shelf_months and department_days, up to 9 no
 * listing_histories. None of these is served.
 */
const READABLE_FORMATS = [3, 4, 5, 6, 7, 8, 9, LAKE_FORMAT] as const
const READABLE = `${READABLE_FORMATS[0]} to ${LAKE_FORMAT}`

/** The contents of a snapshot. Paths are relative to its folder, with forward slashes; times are RFC 3339. */
export const manifestSchema = z.object({
  format: z.literal(READABLE_FORMATS),
  snapshot_id: snapshotIdSchema,
  previous: snapshotIdSchema.nullable(),
  published_at: timeSchema,
  digest: sha256Schema,
  observed_from: timeSchema.nullable(),
  observed_to: timeSchema.nullable(),
  /** A shelf with fewer products seen in 90 days is thin. */
  thin_below: countSchema.default(25),
  /** How the prices of each country are stored; without an entry as those of the usual countries are. */
  countries: z
    .record(
      z.string().refine(isCountry, 'no country of ISO 3166'),
      z.object({
        currency: z.string().refine(isCurrency, 'no currency of ISO 4217'),
        decimals: z.int().min(0).max(MAX_DECIMALS),
      }),
    )
    .default({}),
  counts: z.record(z.string(), countSchema),
  files: z.array(
    z.object({
      path: z.string().refine(staysInside, 'leaves the snapshot folder'),
      bytes: countSchema,
      rows: countSchema,
      sha256: sha256Schema,
      /** Of a file that clusters load, by column: how many values and their sum (ingest/cluster/sums.ts). */
      sums: z.record(z.string(), z.string().regex(/^\d+ -?\d+$/)).optional(),
    }),
  ),
  report: z.unknown(),
})

export type Manifest = z.output<typeof manifestSchema>
export type ManifestFile = Manifest['files'][number]
/** Files of a snapshot. */
export type PublishedFiles = { snapshot_id: string; files: readonly ManifestFile[] }

/** The file next to a manifest with its SHA-256, in the format of `sha256sum -c`. */
export const MANIFEST_HASH = 'manifest.sha256'

export const snapshotFolder = (lake: string, id: string): string => join(lake, 'snapshots', id)

/** The SHA-256 of a text, in hexadecimal. */
export const sha256OfText = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex')

/** The content of `MANIFEST_HASH` for a manifest with this SHA-256. */
export const manifestHashText = (sha256: string): string => `${sha256}  manifest.json\n`

/** The ids of the snapshots in a lake, newest first, including damaged ones; empty if there is no lake. */
export const snapshotIds = async (lake: string): Promise<string[]> => {
  const names = await readdir(join(lake, 'snapshots')).catch((cause: unknown) => {
    if (codeOf(cause) === 'ENOENT') return []
    throw cause
  })
  const ids = names.filter((name) => snapshotIdSchema.safeParse(name).success)
  return ids.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
}

const formatSchema = z.object({ format: z.int() })

const unsupportedFormat = (lake: string, snapshot_id: string, format: number): EngineError => {
  const reason = `of lake format ${format}, not ${READABLE}`
  return new EngineError(
    'NOT_READY',
    `snapshot ${snapshot_id} of ${lake} is ${reason}: it was written by another version. ` +
      `Rebuild the lake from its feeds in an empty folder: ${commandLine('refresh', '--feeds DIR --lake EMPTY_DIR')}`,
    { file: 'manifest.json', snapshot_id, reason, format },
  )
}

/** How to publish a snapshot of an earlier format in the current one. */
export const upgradeLine = (lake: string): string =>
  `to serve it, run: ${commandLine('refresh', `upgrade --lake ${lake}`)}`

/** Throws NOT_READY if a snapshot is of a format that only a refresh can read. */
export const requireCurrentFormat = (
  lake: string,
  { snapshot_id, format }: Pick<Manifest, 'snapshot_id' | 'format'>,
): void => {
  if (format === LAKE_FORMAT) return
  throw new EngineError(
    'NOT_READY',
    `snapshot ${snapshot_id} of ${lake} is of lake format ${format}, not ${LAKE_FORMAT}; ${upgradeLine(lake)}`,
    { format },
  )
}

/** The first error in a manifest. */
const firstErrorOf = ({ issues: [first] }: z.ZodError): string => {
  if (!first?.path.length) return 'expected an object'
  return `${first.path.join('.')} ${first.code === 'custom' ? first.message : 'is missing or malformed'}`
}

/** Makes the refusal of a damaged file, by default of the manifest. */
export type Fail = (reason: string, file?: string) => EngineError

const failureIn =
  (lake: string, snapshot_id: string): Fail =>
  (reason, file = 'manifest.json') =>
    damagedLake(lake, `snapshot ${snapshot_id}: ${file} is ${reason}`, { file, snapshot_id, reason })

/** The bytes of a file of a snapshot; null if it is missing. */
const bytesOf = (path: string, fail: (reason: string) => EngineError): Promise<Buffer | null> =>
  readFile(path).catch((cause: unknown) => {
    if (codeOf(cause) === 'ENOENT') return null
    throwIfExhausted(cause)
    throw fail(`unreadable: ${codeOf(cause)}`)
  })

/** A link could lead outside the lake, to files that are modified. */
const refuseLink = async (folder: string, fail: Fail): Promise<void> => {
  const stats = await lstat(folder).catch(() => null)
  if (stats?.isSymbolicLink()) throw fail('a symbolic link; replace it with the snapshot itself', 'its folder')
}

/** Checks a manifest against the hash file next to it and against the pointer, if given. */
const checkHash = async (folder: string, sha256: string, pointer: Pointer | undefined, fail: Fail): Promise<void> => {
  const recorded = await bytesOf(join(folder, MANIFEST_HASH), (reason) => fail(reason, MANIFEST_HASH))
  // Lakes of earlier versions have no hashes. If only the pointer lacks one, it is damaged.
  if (recorded !== null && pointer?.manifest_sha256 === null)
    throw fail('truncated: it lacks the SHA-256 of the manifest', 'current')
  if (recorded !== null && recorded.toString() !== manifestHashText(sha256))
    throw fail(`not as published: its SHA-256 differs from ${MANIFEST_HASH}`)
  const published = pointer?.manifest_sha256 ?? sha256
  if (published !== sha256) throw fail('not as published: its SHA-256 differs from the one in the pointer current')
}

/** Whether all observations of a snapshot are from days before this one. */
export const isAllBefore = ({ observed_to }: Pick<Manifest, 'observed_to'>, day: string): boolean =>
  day > (observed_to ?? '')

/** A manifest, its bytes and their SHA-256. */
export type SealedManifest = { manifest: Manifest; sha256: string; bytes: Uint8Array }

/** The manifest of a snapshot in its bytes. Throws `fail(reason)` if they are something else. */
export const parseManifest = (lake: string, id: string, bytes: Uint8Array, fail: Fail): Manifest => {
  const json = readJson(new TextDecoder().decode(bytes))
  if (json === undefined) throw fail('not JSON')
  const format = formatSchema.safeParse(json).data?.format
  if (format !== undefined && !READABLE_FORMATS.some((readable) => readable === format))
    throw unsupportedFormat(lake, id, format)
  const { data: manifest, error } = manifestSchema.safeParse(json)
  if (!manifest) throw fail(`not a manifest of format ${READABLE}: ${firstErrorOf(error)}`)
  if (manifest.snapshot_id !== id) throw fail(`of another snapshot: ${manifest.snapshot_id}`)
  return manifest
}

/** Like `readManifest`, with the hash. If the pointer is given, the hash is checked against it. */
export const readSealedManifest = async (lake: string, id: string, pointer?: Pointer): Promise<SealedManifest> => {
  const fail = failureIn(lake, id)
  if (!snapshotIdSchema.safeParse(id).success) throw fail('unavailable: that is not a snapshot id')
  const folder = snapshotFolder(lake, id)
  await refuseLink(folder, fail)
  const bytes = await bytesOf(join(folder, 'manifest.json'), fail)
  if (bytes === null) throw fail('missing')
  const sha256 = sha256OfText(bytes)
  await checkHash(folder, sha256, pointer, fail)
  return { manifest: parseManifest(lake, id, bytes, fail), sha256, bytes }
}

/**
 * The manifest of a snapshot. Throws NOT_READY if it is missing, unreadable, not as published, not JSON, or of
 * another format or id.
 */
export const readManifest = async (lake: string, id: string): Promise<Manifest> =>
  (await readSealedManifest(lake, id)).manifest

/** The manifest of the published snapshot, checked against the pointer; null if there is none. Throws NOT_READY like both. */
export const readCurrentManifest = async (lake: string): Promise<Manifest | null> => {
  const pointer = await readPointer(lake)
  return pointer && (await readSealedManifest(lake, pointer.snapshot_id, pointer)).manifest
}
