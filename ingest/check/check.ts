import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OnProgress } from '../cli/progress.ts'
import { areSmall, Database, DEFAULT_MEMORY_LIMIT } from '../database.ts'
import { DEFAULT_MAX_QUARANTINE } from '../facts/refuse.ts'
import { type Discovery, type FeedFile, isEnough, matchFiles, readMapping } from '../feeds/discover.ts'
import { parseForeignMapping } from '../feeds/mapping.ts'
import { summarise } from './columns/summary.ts'
import type { FileGroup } from './propose/groups.ts'
import { type Proposal, proposeMapping } from './propose/propose.ts'
import { findInputs, type Inputs } from './read/inputs.ts'
import type { SampledFile } from './read/sample.ts'
import { sampleFile } from './read/sample-file.ts'
import { nextCommand, type Question, questionsFor } from './show/questions.ts'
import { runTrial, type Trial, type TrialFile } from './trial.ts'

/** The options of a check. */
export type CheckOptions = {
  /** Files, and folders of files. */
  paths: readonly string[]
  /** The folder that mappings are relative to; by default the one that all files are in. */
  feeds?: string | undefined
  /** Mappings to read the files with, in place of a proposed one. */
  mappings?: readonly string[] | undefined
  /** The retailer and the country of files that have no column of them. */
  platform?: string | undefined
  country?: string | undefined
  /** The share of a file's rows that a refresh may refuse, 0..1. Default 0.01. */
  max_quarantine?: number | undefined
  memory_limit?: string | undefined
  threads?: number | undefined
  /** Ends the work; nothing temporary stays. */
  signal?: AbortSignal | undefined
  onProgress?: OnProgress | undefined
}

/** How to read files, and what a refresh would read from them. */
export type CheckResult = Omit<Proposal, 'unread' | 'mapping'> &
  Trial & {
    /** The folder to give as --feeds: globs and file names are relative to it. */
    root: string
    /** The proposed mapping; null where mappings were given. */
    mapping: Proposal['mapping'] | null
    unread: { file: string; reason: string }[]
    unmatched_globs: Discovery['unmatched_globs']
    /** Columns that are not read, with the nearest canonical name. */
    unused: { file: string; column: string; nearest: string | null }[]
    /** What the files leave open, at most three questions. */
    questions: Question[]
    /** The command to run next; null if no file can be read. */
    next: string | null
  }

type CheckContext = { database: Database; folder: string; inputs: Inputs; options: CheckOptions }

/** What a trial is to read. */
type CheckPlan = Omit<CheckResult, keyof Trial | 'questions' | 'next' | 'unused'> & { feedFiles: FeedFile[] }

const NOT_ENOUGH = 'products alone are not enough: a refresh needs a file of prices or posts'
const PROPOSED = 'the proposed mapping'

/** A file with assumed values for what is undecided, so that its rows can be read. */
const withAssumedValues = (file: FeedFile, { stand_ins, stand_in_year }: FileGroup): FeedFile => {
  const { description } = file
  const constants = { ...description.constants }
  const columns = { ...description.columns }
  for (const { column, value } of stand_ins)
    if (typeof value === 'string') constants[column] = value
    else columns[column] = value
  const year = description.year ?? stand_in_year
  return { ...file, description: { ...description, constants, columns, ...(year === null ? {} : { year }) } }
}

/** Proposes a mapping for the files from samples of them. */
const propose = async ({ database, folder, inputs: { root, names }, options }: CheckContext): Promise<CheckPlan> => {
  const samples: SampledFile[] = []
  const unread: CheckResult['unread'] = []
  const seen: CheckResult['columns'] = []
  for (const name of names) {
    options.signal?.throwIfAborted()
    const sampling = await sampleFile(database, name, { root, folder, signal: options.signal })
    if ('sample' in sampling) samples.push(sampling.sample)
    else unread.push({ file: name, reason: sampling.reason })
    if ('columns' in sampling && sampling.columns?.length)
      seen.push({ files: [name], columns: summarise(sampling.columns) })
  }
  const failed = unread.map(({ file }) => file)
  const { unread: others, ...proposal } = proposeMapping(samples, failed, options)
  unread.push(...others.map((file) => ({ file, reason: 'it has no prices, products or posts' })))
  const feeds = parseForeignMapping(PROPOSED, JSON.stringify(proposal.mapping))
  const mapped = samples.map(({ path }) => path).filter((path) => !others.includes(path))
  const { files, unmatched_globs } = await matchFiles(root, mapped, [{ path: PROPOSED, feeds }])
  const groupOf = (name: string) => proposal.groups.find((group) => group.files.includes(name))!
  return {
    ...proposal,
    columns: [...proposal.columns, ...seen],
    root,
    unread: unread.sort((a, b) => (a.file < b.file ? -1 : 1)),
    unmatched_globs,
    feedFiles: files.map((file) => withAssumedValues(file, groupOf(file.name))),
  }
}

/** Plans a trial with given mappings. */
const planWithMappings = async ({ root, names }: Inputs, paths: readonly string[]): Promise<CheckPlan> => {
  const mappings = []
  for (const path of paths) mappings.push(await readMapping(root, path))
  const { files, not_read, unmatched_globs } = await matchFiles(root, names, mappings)
  const unread = not_read.map(({ file, reason }) => ({ file, reason }))
  const nothing = { decisions: [], columns: [], skeleton: null, notes: [], groups: [] }
  return { ...nothing, root, mapping: null, unread, unmatched_globs, feedFiles: files }
}

/** The columns of a file that are not read, each with the column that it probably means, unless that has another source. */
const unusedOf = ({ file, feed, unused_columns }: TrialFile, groups: readonly FileGroup[]): CheckResult['unused'] => {
  const group = groups.find((entry) => entry.feed === feed && entry.files.includes(file))
  const read = new Set<string | null>(group?.columns.map(({ column }) => column))
  return unused_columns.map(({ column, nearest }) => ({ file, column, nearest: read.has(nearest) ? null : nearest }))
}

const checkIn = async (context: CheckContext): Promise<CheckResult> => {
  const { database, inputs, options } = context
  const { mappings = [], max_quarantine = DEFAULT_MAX_QUARANTINE, signal, onProgress } = options
  const { feedFiles, ...plan } = await (mappings.length > 0 ? planWithMappings(inputs, mappings) : propose(context))
  const folder = join(context.folder, 'trial')
  await mkdir(folder)
  const trial = await runTrial(database, feedFiles, plan.groups, { folder, max_quarantine, signal, onProgress })
  const isMapped = plan.mapping === null || Object.keys(plan.mapping).length > 0
  const command = isMapped ? '' : 'check '
  const isShort = feedFiles.length > 0 && !feedFiles.some(({ feed }) => isEnough(feed))
  return {
    ...plan,
    ...trial,
    questions: await questionsFor(plan.groups, plan.root),
    // A mapping that is still to be completed is checked first.
    next: isMapped || plan.skeleton ? nextCommand(plan.root, mappings[0] ?? 'mapping.json', command) : null,
    unused: trial.files.flatMap((file) => unusedOf(file, plan.groups)),
    problems: [...(isShort ? [NOT_ENOUGH] : []), ...trial.problems],
  }
}

/** The threads of a check: one for little input, as of a refresh. */
const threadsFor = async ({ root, names }: Inputs): Promise<number | undefined> => {
  const files = await Promise.all(names.map((name) => stat(join(root, name))))
  return areSmall(files.map(({ size }) => ({ bytes: size }))) ? 1 : undefined
}

/**
 * Finds out how to read files: proposes a mapping from samples, or takes the given ones, and reads the whole files with
 * it as a refresh would. Needs no lake. INVALID_PARAMS for files that do not exist and malformed mappings.
 */
export const check = async (options: CheckOptions): Promise<CheckResult> => {
  const { paths, feeds, memory_limit = DEFAULT_MEMORY_LIMIT, signal } = options
  const inputs = await findInputs(paths, feeds)
  const threads = options.threads ?? (await threadsFor(inputs))
  const folder = await mkdtemp(join(tmpdir(), 'shelfmark-check-'))
  let database: Database | undefined
  const interrupt = () => database?.interrupt()
  try {
    database = await Database.open({ spill: join(folder, 'spill'), memory_limit, threads })
    signal?.addEventListener('abort', interrupt, { once: true })
    return await checkIn({ database, folder, inputs, options })
  } catch (cause) {
    throw signal?.aborted ? signal.reason : cause
  } finally {
    signal?.removeEventListener('abort', interrupt)
    database?.close()
    await rm(folder, { recursive: true, force: true })
  }
}
