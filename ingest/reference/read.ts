import { EngineError, type Gpc } from '../../engine/index.ts'
import type { Database, Value } from '../database.ts'
import { NO_LINES } from '../feeds/read-text.ts'
import type { FileReport } from '../report.ts'
import {
  type CrosswalkLine,
  type CrosswalkMapping,
  conflicts,
  readMapping,
  unknownCodes,
  versionIn,
} from './crosswalk.ts'
import { type DelimitedLine, readDelimited } from './delimited.ts'
import type { ReferenceFile } from './files.ts'
import { buildGpc, readRelease } from './gpc.ts'
import { type LexiconLine, type LexiconPhrase, lexiconFaults, readPhrase } from './lexicon.ts'

/** The crosswalk and lexicon of the previous snapshot, which stay unless a feed replaces them. */
export type PreviousReference = {
  crosswalk: readonly (CrosswalkMapping & { mapping_set_version: string | null })[]
  lexicon: readonly LexiconPhrase[]
}

const report = ({ feed, name }: ReferenceFile, rows: number, duplicates: number, start: number): FileReport => ({
  feed,
  file: name,
  ...NO_LINES,
  rows_read: rows,
  empty_cells: 0,
  kept: rows - duplicates,
  duplicates: { same_key: duplicates, same_day: 0 },
  quarantined: {},
  dropped_values: [],
  unused_columns: [],
  seconds: Math.round(performance.now() - start) / 1000,
})

/** Reads the releases into `gpc_node` and `gpc_attribute`. `label` is that of the only one. */
export const readReleases = async (database: Database, files: readonly ReferenceFile[], label: string | undefined) => {
  if (label !== undefined && files.length !== 1)
    throw new EngineError('INVALID_PARAMS', `--release applies to one GPC release, but the feeds have ${files.length}`)
  const reports: FileReport[] = []
  const releases = []
  for (const file of files) {
    const start = performance.now()
    const release = await readRelease(file, label)
    releases.push(release)
    reports.push(report(file, release.rows, release.duplicates, start))
  }
  return { gpc: await buildGpc(database, releases), reports }
}

/** Reads the lines of delimited files; `faults` describes invalid ones. */
const readLines = async <T extends object>(
  database: Database,
  files: readonly ReferenceFile[],
  read: (file: string, line: DelimitedLine) => T | string,
) => {
  const reports: FileReport[] = []
  const faults: string[] = []
  const entries: T[] = []
  const remarks = new Map<string, readonly string[]>()
  for (const file of files) {
    const start = performance.now()
    const table = await readDelimited(database, file)
    remarks.set(file.name, table.remarks)
    for (const line of table.lines) {
      const entry = read(file.name, line)
      if (typeof entry === 'string') faults.push(entry)
      else entries.push(entry)
    }
    reports.push(report(file, table.lines.length, 0, start))
  }
  return { entries, faults, reports, remarks }
}

const mappingValues = (mapping: CrosswalkMapping, version: string | null): Value[] => {
  const { marketplace, browse_id, predicate, gpc_code, is_not, assurance_state } = mapping
  return [marketplace, browse_id, predicate, gpc_code, is_not, assurance_state, version]
}

/** Fills `crosswalk` from its feed, or else from the previous snapshot. */
export const readCrosswalk = async (
  database: Database,
  files: readonly ReferenceFile[],
  gpc: Gpc,
  kept: PreviousReference['crosswalk'],
) => {
  const { entries, faults, reports, remarks } = await readLines<CrosswalkLine>(database, files, readMapping)
  const versions = new Set<string>()
  for (const [file, lines] of remarks) {
    const version = versionIn(lines)
    if (version) versions.add(version)
    else faults.push(`${file}: mapping_set_version is missing; add a line # mapping_set_version: map-YYYYMMDD.N`)
  }
  if (versions.size > 1) faults.push(`the files of the crosswalk have different versions: ${[...versions].join(', ')}`)
  faults.push(...conflicts(entries), ...unknownCodes(entries, gpc))
  const [version = null] = versions
  const rows =
    files.length > 0
      ? entries.map((mapping) => mappingValues(mapping, version))
      : kept.map((mapping) => mappingValues(mapping, mapping.mapping_set_version))
  await database.append('crosswalk', rows)
  const mappings: readonly CrosswalkMapping[] = files.length > 0 ? entries : kept
  return { mappings, faults, reports }
}

/** Fills `lexicon` from its feed, or else from the previous snapshot. */
export const readLexicon = async (
  database: Database,
  files: readonly ReferenceFile[],
  gpc: Gpc,
  kept: PreviousReference['lexicon'],
) => {
  const { entries, faults, reports } = await readLines<LexiconLine>(database, files, readPhrase)
  const phrases =
    files.length > 0 ? entries : kept.map((phrase) => ({ ...phrase, place: 'the lexicon of the previous snapshot' }))
  faults.push(...lexiconFaults(phrases, gpc))
  await database.append(
    'lexicon',
    phrases.map((row): Value[] => [
      ...[row.phrase, row.phrase_key, row.outcome, row.gpc_code, row.candidate_codes, row.reason, row.note],
    ]),
  )
  return { phrases, faults, reports }
}
