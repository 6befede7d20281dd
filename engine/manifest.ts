import { createHash } from 'node:crypto'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { EngineError } from './errors.ts'
import { codeOf, notSound, refuseScarcity } from './lake-error.ts'
import { type Pointer, readPointer } from './pointer.ts'
import { commandLine } from './program.ts'

const snapshotIdSchema = z.string().regex(/^\d{6,}-[0-9a-f]{8}$/)
const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/)
const timeSchema = z.iso.datetime({ offset: true })
const wholeSchema = z.int().min(0)

/** Whether a path of a manifest stays inside the folder of its snapshot. */
export const staysInside = (path: string): boolean =>
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

/** The file beside a manifest that holds its SHA-256, in the form that `sha256sum -c` reads. */
export const MANIFEST_HASH = 'manifest.sha256'

export const snapshotFolder = (lake: string, id: string): string => join(lake, 'snapshots', id)

/** The SHA-256 of a text, in hexadecimal. */
export const sha256OfText = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex')

/** What `MANIFEST_HASH` holds for a manifest of this SHA-256. */
export const manifestHashText = (sha256: string): string => `${sha256}  manifest.json\n`

/** The ids of the snapshots in a lake, newest first, sound or not; none where there is no lake. */
export const snapshotIds = async (lake: string): Promise<string[]> => {
  const names = await readdir(join(lake, 'snapshots')).catch((cause: unknown) => {
    if (codeOf(cause) === 'ENOENT') return []
    throw cause
  })
  const ids = names.filter((name) => snapshotIdSchema.safeParse(name).success)
  return ids.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
}

const parseJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
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
      `Rebuild the lake from its feeds in an empty folder: ${commandLine('refresh', '--feeds DIR --lake EMPTY_DIR')}`,
    { file: 'manifest.json', snapshot_id, reason, format },
  )
}

/** What is wrong with a manifest, at the first member that is. */
const faultOf = ({ issues: [first] }: z.ZodError): string => {
  if (!first?.path.length) return 'it is no object'
  return `${first.path.join('.')} ${first.code === 'custom' ? first.message : 'is missing or of another form'}`
}

type Fail = (reason: string, file?: string) => EngineError

const failureIn =
  (lake: string, snapshot_id: string): Fail =>
  (reason, file = 'manifest.json') =>
    notSound(lake, `snapshot ${snapshot_id}: ${file} is ${reason}`, { file, snapshot_id, reason })

/** The bytes of a file of a snapshot; null where it is missing. */
const bytesOf = (path: string, fail: (reason: string) => EngineError): Promise<Buffer | null> =>
  readFile(path).catch((cause: unknown) => {
    if (codeOf(cause) === 'ENOENT') return null
    refuseScarcity(cause)
    throw fail(`unreadable: ${codeOf(cause)}`)
  })

/** A link could lead anywhere, to files that others change. */
const refuseLink = async (folder: string, fail: Fail): Promise<void> => {
  const found = await lstat(folder).catch(() => null)
  if (found?.isSymbolicLink()) throw fail('a symbolic link; put the snapshot itself there', 'its folder')
}

/** Whether a manifest is the one that was published: the hash beside it says so, and the pointer where it is given. */
const checkHash = async (folder: string, sha256: string, pointer: Pointer | undefined, fail: Fail): Promise<void> => {
  const beside = await bytesOf(join(folder, MANIFEST_HASH), (reason) => fail(reason, MANIFEST_HASH))
  // Lakes of earlier versions have neither; of others a hash that is missing is damage.
  if (beside !== null && pointer?.manifest_sha256 === null)
    throw fail('cut short: it lacks the SHA-256 of the manifest', 'current')
  if (beside !== null && beside.toString() !== manifestHashText(sha256))
    throw fail(`another than published: its SHA-256 is not that of ${MANIFEST_HASH}`)
  const published = pointer?.manifest_sha256 ?? sha256
  if (published !== sha256) throw fail('another than published: its SHA-256 is not that of the pointer current')
}

/** Whether all observations of a snapshot are of days before this one. */
export const isAllBefore = ({ observed_to }: Pick<Manifest, 'observed_to'>, day: string): boolean =>
  day > (observed_to ?? '')

/** A manifest with the SHA-256 of its bytes. */
export type SealedManifest = { manifest: Manifest; sha256: string }

/** As `readManifest`, with the hash; of the published snapshot where its pointer is given, which then vouches for it. */
export const readSealedManifest = async (lake: string, id: string, pointer?: Pointer): Promise<SealedManifest> => {
  const fail = failureIn(lake, id)
  if (!snapshotIdSchema.safeParse(id).success) throw fail('out of reach: that is no snapshot id')
  const folder = snapshotFolder(lake, id)
  await refuseLink(folder, fail)
  const bytes = await bytesOf(join(folder, 'manifest.json'), fail)
  if (bytes === null) throw fail('missing')
  const sha256 = sha256OfText(bytes)
  await checkHash(folder, sha256, pointer, fail)
  const json = parseJson(bytes)
  if (json === undefined) throw fail('not JSON')
  const format = formatSchema.safeParse(json).data?.format
  if (format !== undefined && format !== LAKE_FORMAT) throw ofAnotherFormat(lake, id, format)
  const { data: manifest, error } = manifestSchema.safeParse(json)
  if (!manifest) throw fail(`not a manifest of format ${LAKE_FORMAT}: ${faultOf(error)}`)
  if (manifest.snapshot_id !== id) throw fail(`that of another snapshot: ${manifest.snapshot_id}`)
  return { manifest, sha256 }
}

/**
 * The manifest of a snapshot. NOT_READY where it is missing, unreadable, not the one that was published, no JSON, of
 * another format or id.
 */
export const readManifest = async (lake: string, id: string): Promise<Manifest> =>
  (await readSealedManifest(lake, id)).manifest

/** The manifest of the published snapshot, which the pointer vouches for; null where there is none. NOT_READY as both. */
export const readCurrentManifest = async (lake: string): Promise<Manifest | null> => {
  const pointer = await readPointer(lake)
  return pointer && (await readSealedManifest(lake, pointer.snapshot_id, pointer)).manifest
}
