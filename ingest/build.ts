import { filesBelow, snapshotIds } from '../engine/index.ts'
import { classify } from './catalogue/classify.ts'
import { identify } from './catalogue/identify.ts'
import { longTitleWarnings } from './catalogue/long-titles.ts'
import { TAXONOMY } from './catalogue/taxonomy.ts'
import { isSummed, sumFiles } from './cluster/sums.ts'
import { type Database, step } from './database.ts'
import { resolveEntities } from './entities/entities.ts'
import { readSizeHistory } from './entities/size-history.ts'
import { NO_CONFLICTS, withDecimals } from './facts/conflicts.ts'
import { merge } from './facts/merge.ts'
import { readOutcomes } from './facts/outcomes.ts'
import { listPriceQuestions, qualityProblems, readQuality } from './facts/quality.ts'
import { dropProblems, fileProblems } from './facts/refuse.ts'
import { findWithdrawals } from './facts/withdrawal.ts'
import { finish, type LakeSummary, summarize, writeTables } from './facts/write.ts'
import { keepQuarantine } from './feeds/quarantine.ts'
import { type FeedInput, read } from './feeds/read.ts'
import { matchListings } from './matches/matches.ts'
import type { LakeChange, RefreshSettings } from './options.ts'
import type { RefreshPaths } from './paths.ts'
import { publishIndexes } from './price-index/price-index.ts'
import { typeListings } from './reference/gpc-shelves.ts'
import { keepOfficialFigures } from './reference/official.ts'
import { type ReferenceInput, readReference } from './reference/reference.ts'
import { fileReport, type ReferenceReport, type RefreshReport } from './report.ts'
import { type DigestParts, digestOf } from './snapshot/digest.ts'
import { nextSnapshotId, publish } from './snapshot/publish.ts'
import { rollUpSocial } from './social/social.ts'

const CURRENT = step(import.meta.url, 'facts/current')

const since = (start: number): number => Math.round(performance.now() - start) / 1000

const countsOf = (parts: DigestParts): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const [name, { rows }] of Object.entries(parts)) {
    const table = name.split('/')[0]!
    counts[table] = (counts[table] ?? 0) + rows
  }
  return { observations: 0, ...counts }
}

/** What the steps of a build share. */
type BuildContext = { database: Database; paths: RefreshPaths; settings: RefreshSettings; change: LakeChange }

/** What is read before anything is merged. */
type Input = { reading: FeedInput; reference: ReferenceInput }

const readInput = async ({ database, paths, settings, change }: BuildContext): Promise<Input> => {
  const reading = await read(database, change.discovery.files, paths, settings)
  await database.run(TAXONOMY)
  const reference = await readReference(database, change.discovery.reference, settings.release)
  await findWithdrawals(database, change.withdrawals)
  return { reading, reference }
}

/** The report of the results so far, also for a refusal. */
const conclude = async (
  { database, paths, change }: BuildContext,
  { reading, reference }: Input,
  outcome: Pick<RefreshReport, 'status'> & Partial<RefreshReport>,
): Promise<RefreshReport> => {
  const outcomes = await readOutcomes(database)
  const files = [...reading.files.map((file) => fileReport(file, outcomes)), ...reference.files]
  const carriedRows = outcomes.filter(({ file }) => file === 0)
  const isQuarantined = files.some(({ quarantined }) => Object.keys(quarantined).length > 0)
  return {
    snapshot_id: null,
    previous: paths.previous?.snapshot_id ?? null,
    digest: null,
    reasons: [],
    files,
    not_read: change.discovery.not_read,
    unmatched_globs: change.discovery.unmatched_globs,
    quality: [],
    questions: [],
    conflicts: NO_CONFLICTS,
    // Carried days that the lake or a file has already are duplicates.
    carried: carriedRows.reduce((sum, { kind, rows }) => sum + (kind === 'carried' ? rows : -rows), 0),
    withdrawn: 0,
    replaced: 0,
    dropped_barcodes: {},
    entities: null,
    matches: null,
    reference: null,
    counts: {},
    quarantine: isQuarantined ? await keepQuarantine(database, paths, outcome.snapshot_id ?? null) : null,
    warnings: [],
    seconds: 0,
    ...outcome,
  }
}

/** Why the input may not be used at all. */
const inputProblems = async (context: BuildContext, input: Input): Promise<string[]> => {
  const { files, problems } = input.reading
  const outcomes = await readOutcomes(context.database)
  const reports = files.map((file) => fileReport(file, outcomes))
  return [...problems, ...fileProblems(reports, files, context.settings.max_quarantine), ...input.reference.faults]
}

/** The results of building the tables of the next snapshot. */
type Built = Pick<
  RefreshReport,
  | 'warnings'
  | 'counts'
  | 'entities'
  | 'matches'
  | 'dropped_barcodes'
  | 'quality'
  | 'questions'
  | 'conflicts'
  | 'withdrawn'
  | 'replaced'
> & {
  reference: ReferenceReport
  digest: string
  parts: DigestParts
  rows: Record<string, number>
  summary: LakeSummary
}

const buildTables = async (
  { database, paths, settings }: BuildContext,
  { reading, reference }: Input,
): Promise<Built> => {
  settings.onProgress?.({ step: 'identifying', done: 0, total: 0, rows: 0 })
  await identify(database, reading.files)
  const { dropped_barcodes, categories } = await classify(database)
  const warnings = await longTitleWarnings(database)
  const { gpc, browse_nodes } = reference
  const product_types = await typeListings(database, reference, categories)
  const merged = await merge(database, paths, reading.arrivals, settings.onProgress)
  await database.run(CURRENT)
  const entities = await resolveEntities(database)
  await readSizeHistory(database)
  const matches = await matchListings(database)
  await rollUpSocial(database, paths, reading.files, merged)
  await keepOfficialFigures(database, paths, reading.files, merged)
  const parts = { ...merged.parts, ...(await finish(database)) }
  const counts: Record<string, number> = { ...countsOf(parts), unique_products: entities.unique_products }
  const quality = counts.observations === 0 ? [] : await readQuality(database)
  const { rows, withdrawn, replaced } = merged
  const summary = await summarize(database, settings.thin_below)
  return {
    digest: digestOf(parts),
    ...{ parts, rows, summary, withdrawn, replaced, counts, entities, matches, dropped_barcodes, quality, warnings },
    questions: listPriceQuestions(quality),
    conflicts: withDecimals(summary.conflicts, reading.countries),
    reference: { gpc_release: gpc.release, browse_nodes, product_types },
  }
}

const outputProblems = ({ paths, settings }: BuildContext, { counts, quality, summary }: Built): string[] => {
  const { previous } = paths
  if (counts.observations === 0 && !counts.social_sightings)
    return ['no row is kept: the lake would have neither an observation nor a post']
  const shelves = { before: summary.shelves_before, after: summary.shelves_after }
  const observations = { before: previous?.counts.observations ?? 0, after: counts.observations ?? 0 }
  return [
    ...dropProblems(shelves, observations, settings.max_drop),
    ...qualityProblems(quality, { ...settings, newest: summary.observed_to, hasPrevious: previous !== null }),
  ]
}

const publishTables = async (context: BuildContext, input: Input, built: Built, made: Partial<RefreshReport>) => {
  const { database, paths, settings } = context
  const { lake, snapshot: staged } = paths
  const { keep, thin_below } = settings
  settings.onProgress?.({ step: 'publishing', done: 0, total: 0, rows: 0 })
  const { digest, parts, counts } = built
  const { observed_from, observed_to } = built.summary
  const held = built.summary.countries ?? []
  const snapshot_id = nextSnapshotId((await snapshotIds(lake))[0] ?? null, digest)
  const written = await writeTables(database, paths, { parts, snapshot_id, countries: held })
  const indexes = await publishIndexes(database, paths, settings)
  const rows = { ...built.rows, ...written, ...indexes.rows }
  const files = (await filesBelow(staged)).map((path) => ({ path, isNew: path in rows }))
  const sums = await sumFiles(database, staged, files, paths.previous)
  const report = await conclude(context, input, { ...made, status: 'published', snapshot_id })
  const { countries: scales } = input.reading
  const countries = Object.fromEntries(held.map((country) => [country, scales.get(country)!]))
  const contents = { snapshot_id, digest, countries, thin_below, counts, rows, sums, observed_from, observed_to }
  const { warnings } = await publish({ lake, staged, keep, ...contents, report: { ...report, parts } })
  return { ...report, warnings: [...report.warnings, ...indexes.warnings, ...warnings] }
}

/**
 * Builds the next snapshot of a lake from its previous one and a change, and publishes it unless nothing changes, a
 * limit is exceeded or it is a dry run.
 */
export const buildSnapshot = async (
  database: Database,
  paths: RefreshPaths,
  settings: RefreshSettings,
  change: LakeChange,
): Promise<RefreshReport> => {
  const start = performance.now()
  const context = { database, paths, settings, change }
  const input = await readInput(context)
  const unusable = await inputProblems(context, input)
  if (unusable.length > 0)
    return conclude(context, input, { status: 'refused', reasons: unusable, seconds: since(start) })
  const built = await buildTables(context, input)
  const { parts: _, rows: __, summary: ___, ...made } = built
  const reasons = outputProblems(context, built)
  const report = (status: RefreshReport['status']) =>
    conclude(context, input, { ...made, status, reasons, seconds: since(start) })
  if (reasons.length > 0) return report('refused')
  const { previous } = paths
  const isUnchanged =
    built.digest === previous?.digest && settings.thin_below === previous.thin_below && isSummed(previous)
  if (isUnchanged && !settings.reissue_indexes) return report('unchanged')
  if (settings.dry_run) return report('dry_run')
  return publishTables(context, input, built, { ...made, seconds: since(start) })
}
