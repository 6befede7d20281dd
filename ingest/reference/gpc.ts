import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { z } from 'zod'
import { createGpc, EngineError, type Gpc, gpcLevels } from '../../engine/index.ts'
import { type Database, query } from '../database.ts'
import type { ReferenceFile, ReferenceFormat } from './files.ts'
import { entriesOfJson } from './gpc-json.ts'
import { collectRelease, type GpcEntry, type GpcRelease } from './gpc-release.ts'
import { entriesOfXlsx } from './gpc-xlsx.ts'
import { entriesOfXml } from './gpc-xml.ts'

const GPC = query(
  import.meta.url,
  'gpc',
  z.strictObject({
    gpc_id: z.int().nullable(),
    gpc_last: z.int().nullable(),
    release: z.string(),
    code: z.string(),
    level: z.enum(gpcLevels),
    title: z.string(),
    active: z.boolean(),
    segment_code: z.string().nullable(),
    family_code: z.string().nullable(),
    class_code: z.string().nullable(),
    segment: z.string().nullable(),
    family: z.string().nullable(),
    class: z.string().nullable(),
    attribute_count: z.int(),
  }),
)

const unzip = promisify(gunzip)

/** The label of a release, which is only in the name of its file: `GPC as of November 2025 v20251127 GB.json`. */
const labelOf = ({ name }: ReferenceFile, given: string | undefined): string => {
  const label = given ?? /v\d{8}(?!\d)/i.exec(name)?.[0].toLowerCase()
  if (label) return label
  const reason = `${name}: the name has no release label; rename the file, such as v20251127.json, or pass --release v20251127`
  throw new EngineError('INVALID_PARAMS', reason, { file: name })
}

type ReleaseReader = (bytes: Buffer) => Iterable<GpcEntry>

const readers: Readonly<Partial<Record<ReferenceFormat, ReleaseReader>>> = {
  json: (bytes) => entriesOfJson(bytes.toString('utf8')),
  xml: (bytes) => entriesOfXml(bytes.toString('utf8')),
  xlsx: entriesOfXlsx,
}

const malformed = (name: string, cause: unknown): never => {
  if (cause instanceof EngineError) throw cause
  throw new EngineError('INVALID_PARAMS', `${name} is not a GPC release: ${(cause as Error).message}`, { file: name })
}

/** Reads an official release. Throws INVALID_PARAMS if it has no label, another structure, or a malformed node. */
export const readRelease = async (file: ReferenceFile, given: string | undefined): Promise<GpcRelease> => {
  const { name, path, format } = file
  const release = labelOf(file, given)
  try {
    const bytes = await readFile(path)
    const read = readers[format]
    if (!read) throw new Error(`expected the JSON, XML or XLSX file of the release, got ${format}`)
    return collectRelease(name, release, read(/\.gz$/i.test(path) ? await unzip(bytes) : bytes))
  } catch (cause) {
    return malformed(name, cause)
  }
}

/** Fills `gpc_node` and `gpc_attribute` from these releases and the previous snapshot. The newest label counts. */
export const buildGpc = async (database: Database, releases: readonly GpcRelease[]): Promise<Gpc> => {
  for (const { nodes, attributes } of releases) {
    await database.append('gpc_row', nodes)
    await database.append('gpc_attribute_row', attributes)
  }
  return createGpc(await database.rows(GPC))
}
