import { z } from 'zod'
import type { Gpc } from '../../engine/index.ts'
import { type Database, query } from '../database.ts'
import type { FileReport } from '../report.ts'
import { type DigestParts, partRow, partsOf } from '../snapshot/digest.ts'
import { mappingRow } from './crosswalk.ts'
import type { ReferenceFeed, ReferenceFile } from './files.ts'
import { type LexiconPhrase, phraseRow } from './lexicon.ts'
import { matchBrowseNodes } from './match.ts'
import { readCrosswalk, readLexicon, readReleases } from './read.ts'

/** The reference data of a refresh; with `faults` it may not be published. */
export type ReferenceInput = {
  gpc: Gpc
  phrases: readonly LexiconPhrase[]
  files: FileReport[]
  faults: string[]
  /** Browse nodes by how they are matched: `self`, `inherited`, or why not. */
  browse_nodes: Record<string, number>
}

const TABLES = query(
  import.meta.url,
  'input#tables',
  z.strictObject({ crosswalk: z.array(mappingRow), lexicon: z.array(phraseRow) }),
)

const FINAL = query(import.meta.url, 'output#final', partRow)

/** The maximum number of faults in a report; further ones are counted. */
const MAX_FAULTS = 50

/**
 * Reads the reference feeds into tables; the lake's data of other feeds stays. `faults` lists the lines of a crosswalk
 * or lexicon that conflict with each other or with the release. Throws INVALID_PARAMS for a file with another
 * structure.
 */
export const readReference = async (
  database: Database,
  files: readonly ReferenceFile[],
  label: string | undefined,
): Promise<ReferenceInput> => {
  const filesOf = (feed: ReferenceFeed) => files.filter((file) => file.feed === feed)
  const kept = await database.row(TABLES)
  const { gpc, reports } = await readReleases(database, filesOf('gpc_release'), label)
  const crosswalk = await readCrosswalk(database, filesOf('browse_node_gpc_map'), gpc, kept.crosswalk)
  const lexicon = await readLexicon(database, filesOf('lexicon'), gpc, kept.lexicon)
  const dependent = files.find(({ feed }) => feed !== 'gpc_release')
  const faults = [...crosswalk.faults, ...lexicon.faults]
  if (dependent && gpc.release === null)
    faults.unshift(`${dependent.name} needs a GPC release; add its file to gpc_release/`)
  const more = faults.length - MAX_FAULTS
  return {
    gpc,
    phrases: lexicon.phrases,
    files: [...reports, ...crosswalk.reports, ...lexicon.reports],
    faults: more > 0 ? [...faults.slice(0, MAX_FAULTS), `and ${more} more`] : faults,
    browse_nodes: await matchBrowseNodes(database, crosswalk.mappings, gpc),
  }
}

/** Completes the reference tables of the snapshot. Returns their parts of its digest. */
export const finishReference = async (database: Database): Promise<DigestParts> => partsOf(await database.rows(FINAL))
