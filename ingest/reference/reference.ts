import { EngineError, type Gpc } from '../../engine/index.ts'
import type { Database, Value } from '../database.ts'
import type { FileReport } from '../report.ts'
import { type BrowseNode, type BrowseRow, gatherNodes, nodeKey } from './browse.ts'
import { conflicts, type Mapping, readMapping, type TracedMapping, unknownCodes } from './crosswalk.ts'
import { type Match, matchNodes, type Stop } from './crosswalk-inherit.ts'
import { buildGpc, readRelease } from './gpc.ts'
import { lexiconFaults, type Phrase, readPhrase, type TracedPhrase } from './lexicon.ts'
import type { ReferenceFeed, ReferenceFile } from './reference-file.ts'
import { readTable } from './reference-table.ts'

/** The reference of a refresh; with `faults` it may not be published. */
export type Reference = {
  gpc: Gpc
  phrases: readonly Phrase[]
  files: FileReport[]
  faults: string[]
  /** Browse nodes by how they are matched: `self`, `inherited`, or why not. */
  browse_nodes: Record<string, number>
}

/** The reference tables of a snapshot, a file each. */
export const REFERENCE_TABLES = ['gpc_nodes', 'gpc_attributes', 'gpc_shelves', 'browse_nodes', 'crosswalk', 'lexicon']

/** What a refresh tells of its reference. */
export type ReferenceReport = {
  gpc_release: string | null
  /** Browse nodes by how they are matched: `self`, `inherited`, or why not. */
  browse_nodes: Record<string, number>
  /** Listings by what tells their type; of those whose retailer does, whether the other ways agree. */
  product_types: Record<string, number | Record<'same' | 'broader' | 'other', number>>
}

/** Faults that a report names; the others are counted. */
const MOST_FAULTS = 50

const report = ({ feed, name }: ReferenceFile, rows: number, duplicates: number, start: number): FileReport => ({
  feed,
  file: name,
  rows_read: rows,
  kept: rows - duplicates,
  duplicates: { same_key: duplicates, same_day: 0 },
  quarantined: {},
  dropped_values: [],
  ignored_columns: [],
  seconds: Math.round(performance.now() - start) / 1000,
})

const buildReleases = async (database: Database, files: readonly ReferenceFile[], label: string | undefined) => {
  if (label !== undefined && files.length !== 1)
    throw new EngineError('INVALID_PARAMS', `--release names one release, and the feeds hold ${files.length}`)
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

const versionOf = (remarks: readonly string[]): string | undefined =>
  remarks.flatMap((remark) => /^mapping_set_version:\s*"?([^"\s]+)"?$/.exec(remark)?.[1] ?? [])[0]

const buildCrosswalk = async (database: Database, files: readonly ReferenceFile[], gpc: Gpc) => {
  const reports: FileReport[] = []
  const faults: string[] = []
  const mappings: TracedMapping[] = []
  const versions = new Set<string>()
  for (const file of files) {
    const start = performance.now()
    const { remarks, rows } = await readTable(database, file)
    const version = versionOf(remarks)
    if (version) versions.add(version)
    else faults.push(`${file.name}: no line says # mapping_set_version: map-YYYYMMDD.N`)
    for (const row of rows) {
      const mapping = readMapping(file.name, row)
      if (typeof mapping === 'string') faults.push(mapping)
      else mappings.push(mapping)
    }
    reports.push(report(file, rows.length, 0, start))
  }
  if (versions.size > 1) faults.push(`the crosswalk has several versions: ${[...versions].join(', ')}`)
  faults.push(...conflicts(mappings), ...unknownCodes(mappings, gpc))
  const [version = null] = versions
  await database.append(
    'crosswalk',
    mappings.map((row): Value[] => [
      ...[row.marketplace, row.browse_id, row.predicate, row.gpc_code, row.is_not, row.assurance_state, version],
    ]),
  )
  if (files.length === 0) await database.run('reference/crosswalk-kept')
  return { reports, faults }
}

const buildLexicon = async (database: Database, files: readonly ReferenceFile[], gpc: Gpc) => {
  const reports: FileReport[] = []
  const faults: string[] = []
  const phrases: TracedPhrase[] = []
  for (const file of files) {
    const start = performance.now()
    const { rows } = await readTable(database, file)
    for (const row of rows) {
      const phrase = readPhrase(file.name, row)
      if (typeof phrase === 'string') faults.push(phrase)
      else phrases.push(phrase)
    }
    reports.push(report(file, rows.length, 0, start))
  }
  if (files.length === 0)
    for (const phrase of await database.rows<Phrase>('reference/lexicon-kept'))
      phrases.push({ ...phrase, place: 'the lexicon of the snapshot before' })
  faults.push(...lexiconFaults(phrases, gpc))
  await database.append(
    'lexicon',
    phrases.map((row): Value[] => [
      ...[row.phrase, row.phrase_key, row.outcome, row.gpc_code, row.candidate_codes, row.reason, row.note],
    ]),
  )
  return { reports, faults, phrases }
}

const pathName = (node: BrowseNode, nodes: ReadonlyMap<string, BrowseNode>): string =>
  node.path_ids.flatMap((id) => nodes.get(nodeKey(node.marketplace, id))?.name ?? []).join(' > ')

const matchRow = (key: string, match: Match, nodes: ReadonlyMap<string, BrowseNode>): Value[] => {
  const node = nodes.get(key)
  const [marketplace = '', browse_id = ''] = key.split(':')
  const { gpc_code, match_precision, match_source, inherited_from, assurance_state, stop } = match
  return [
    ...[marketplace, browse_id, node?.name ?? null, node ? pathName(node, nodes) : null],
    ...[node?.parent_ids ?? [], node?.path_ids ?? []],
    ...[gpc_code, match_precision, match_source, inherited_from, assurance_state, stop],
  ]
}

const matchBrowseNodes = async (database: Database, gpc: Gpc): Promise<Record<string, number>> => {
  await database.run('reference/browse-duplicates')
  const nodes = gatherNodes(await database.rows<BrowseRow>('reference/browse-rows'))
  const matches = matchNodes(nodes, await database.rows<Mapping>('reference/crosswalk-rows'), gpc)
  await database.append(
    'browse_match',
    [...matches].map(([key, match]) => matchRow(key, match, nodes)),
  )
  const counts: Record<string, number> = {}
  for (const { match_source, stop } of matches.values()) {
    const name: Stop | 'self' | 'inherited' | 'unmapped' = match_source ?? stop ?? 'unmapped'
    counts[name] = (counts[name] ?? 0) + 1
  }
  return Object.fromEntries(Object.entries(counts).sort())
}

/**
 * Reads the reference feeds into tables: what is not fed stays as the lake has it. A crosswalk or lexicon that
 * contradicts itself or the release is told in `faults`, line by line. Throws INVALID_PARAMS for a file of another form.
 */
export const readReference = async (
  database: Database,
  isNew: boolean,
  found: readonly ReferenceFile[],
  label: string | undefined,
): Promise<Reference> => {
  const of = (feed: ReferenceFeed) => found.filter((file) => file.feed === feed)
  await database.run(isNew ? 'reference/reference-nothing' : 'reference/reference-previous')
  await database.run('reference/reference-tables')
  const { gpc, reports } = await buildReleases(database, of('gpc_release'), label)
  const crosswalk = await buildCrosswalk(database, of('browse_node_gpc_map'), gpc)
  const lexicon = await buildLexicon(database, of('lexicon'), gpc)
  const needy = found.find(({ feed }) => feed !== 'gpc_release')
  const faults = [...crosswalk.faults, ...lexicon.faults]
  if (needy && gpc.release === null) faults.unshift(`${needy.name} needs a GPC release: put one into gpc_release`)
  const more = faults.length - MOST_FAULTS
  return {
    gpc,
    phrases: lexicon.phrases,
    files: [...reports, ...crosswalk.reports, ...lexicon.reports],
    faults: more > 0 ? [...faults.slice(0, MOST_FAULTS), `and ${more} more`] : faults,
    browse_nodes: await matchBrowseNodes(database, gpc),
  }
}

/** Tells how browse nodes and listings came by their types. */
export const referenceReport = async (
  database: Database,
  { gpc, browse_nodes }: Reference,
): Promise<ReferenceReport> => ({
  gpc_release: gpc.release,
  browse_nodes,
  product_types: await database.row<ReferenceReport['product_types']>('reference/gpc-report'),
})
