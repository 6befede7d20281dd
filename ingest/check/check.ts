import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OnProgress } from '../cli/progress.ts'
import { Database, DEFAULT_MEMORY_LIMIT } from '../database.ts'
import { DEFAULT_MAX_QUARANTINE } from '../facts/refuse.ts'
import type { Column } from '../feeds/columns.ts'
import { type Discovery, type FeedFile, isEnough, matchFiles, readMapping } from '../feeds/discover.ts'
import { parseForeignMapping } from '../feeds/mapping.ts'
import { summarise } from './columns/summary.ts'
import type { AssumedColumnsByFile, FileGroup } from './propose/groups.ts'
import { type Proposal, proposeMapping } from './propose/propose.ts'
import { findInputs, type Inputs } from './read/inputs.ts'
import type { SampledFile } from './read/sample.ts'
import { sampleFile } from './read/sample-file.ts'
import { nextCommand } from './show/next-command.ts'
import { type Question, questionsFor } from './show/questions.ts'
import { runTrial, type Trial, type TrialFile } from './trial.ts'

/** The options of a check. */
export type CheckOptions = {
  /** Files, and folders of files. */
  paths: readonly string[]
  /** The folder that mappings are relative to; by default the one that all files are in. */
  feeds?: string | undefined
  /** Mappings to read the files with, in place of a proposed one. */
  mappings?: readonly string[] | undefined
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
    /** What the files leave open, at most three questions. */
    questions: Question[]
    /** The command to run next. */
    next: string
  }

type CheckContext = { database: Database; folder: string; inputs: Inputs; options: CheckOptions }

/** What a trial is to read. */
type CheckPlan = Omit<CheckResult, keyof Trial | 'questions' | 'next'> & {
  feedFiles: FeedFile[]
  assumedColumns: AssumedColumnsByFile
  problems: string[]
}

const NOT_ENOUGH = 'products alone are not enough: a refresh needs a file of prices or posts'

const sampleAll = async ({ database, folder, inputs, options }: CheckContext) => {
  const samples: SampledFile[] = []
  const unread: CheckResult['unread'] = []
  const seen: CheckResult['columns'] = []
  for (const name of inputs.names) {
    options.signal?.throwIfAborted()
    const sampling = await sampleFile(database, name, { root: inputs.root, folder, signal: options.signal })
    if ('sample' in sampling) samples.push(sampling.sample)
    else {
      unread.push({ file: name, reason: sampling.reason })
      if (sampling.columns?.length) seen.push({ files: [name], columns: summarise(sampling.columns, new Map()) })
    }
  }
  return { samples, unread, seen }
}

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

const TIMES = ['observed_at', 'collected_at'] as const

const assumedColumnsOf = ({ stand_ins, stand_in_year }: FileGroup): ReadonlyMap<Column, boolean> =>
  new Map([
    ...(stand_in_year === null ? [] : TIMES.map((column) => [column, false] as const)),
    ...stand_ins.map(({ column, isSuggested }) => [column, isSuggested] as const),
  ])

/** Proposes a mapping for the files from samples of them. */
const propose = async (context: CheckContext): Promise<CheckPlan> => {
  const { root } = context.inputs
  const { samples, unread, seen } = await sampleAll(context)
  const {
    unread: others,
    mapping,
    ...proposal
  } = proposeMapping(
    samples,
    unread.map(({ file }) => file),
  )
  unread.push(...others.map((file) => ({ file, reason: 'it has no prices, products or posts' })))
  const feeds = parseForeignMapping('the proposed mapping', JSON.stringify(mapping))
  const names = samples.map(({ path }) => path).filter((path) => !others.includes(path))
  const { files, unmatched_globs } = await matchFiles(root, names, [{ path: 'the proposed mapping', feeds }])
  const groups = new Map(proposal.groups.flatMap((group) => group.files.map((name) => [name, group] as const)))
  return {
    ...proposal,
    columns: [...proposal.columns, ...seen],
    root,
    mapping,
    unread: unread.sort((a, b) => (a.file < b.file ? -1 : 1)),
    unmatched_globs,
    feedFiles: files.map((file) => withAssumedValues(file, groups.get(file.name)!)),
    assumedColumns: new Map([...groups].map(([name, group]) => [name, assumedColumnsOf(group)])),
    problems: [],
  }
}

/** Plans a trial with given mappings. */
const planWithMappings = async ({ inputs }: CheckContext, paths: readonly string[]): Promise<CheckPlan> => {
  const { root, names } = inputs
  const mappings = []
  for (const path of paths) mappings.push(await readMapping(root, path))
  const { files, not_read, unmatched_globs } = await matchFiles(root, names, mappings)
  return {
    root,
    mapping: null,
    decisions: [],
    columns: [],
    skeleton: null,
    notes: [],
    unused: [],
    groups: [],
    unread: not_read.map(({ file, reason }) => ({ file, reason })),
    unmatched_globs,
    feedFiles: files,
    assumedColumns: new Map(),
    problems: [],
  }
}

/**
 * The columns of a file that are not read, each with the column that it probably means, unless that has another source.
 */
const unusedOf = ({ file, feed, unused_columns }: TrialFile, groups: readonly FileGroup[]): Proposal['unused'] => {
  const group = groups.find((entry) => entry.feed === feed && entry.files.includes(file))
  const read = new Set<string>(group?.columns.map(({ column }) => column))
  return unused_columns.map(({ column, nearest }) => ({
    file,
    column,
    nearest: nearest !== null && read.has(nearest) ? null : nearest,
  }))
}

const checkIn = async (context: CheckContext): Promise<CheckResult> => {
  const { database, folder, options } = context
  const { mappings = [], max_quarantine = DEFAULT_MAX_QUARANTINE, signal, onProgress } = options
  const { feedFiles, assumedColumns, problems, ...plan } = await (mappings.length > 0
    ? planWithMappings(context, mappings)
    : propose(context))
  const paths = join(folder, 'trial')
  await mkdir(paths)
  const trial = await runTrial(database, feedFiles, assumedColumns, {
    folder: paths,
    max_quarantine,
    signal,
    onProgress,
  })
  const unused = trial.files.flatMap((file) => unusedOf(file, plan.groups))
  const isShort = feedFiles.length > 0 && !feedFiles.some(({ feed }) => isEnough(feed))
  const questions = await questionsFor(plan.groups, plan.root)
  const next = nextCommand(plan.root, mappings[0] ?? 'mapping.json')
  return {
    ...plan,
    ...trial,
    questions,
    next,
    unused,
    problems: [...problems, ...(isShort ? [NOT_ENOUGH] : []), ...trial.problems],
  }
}

/**
 * Finds out how to read files: proposes a mapping from samples, or takes the given ones, and reads the whole files with
 * it as a refresh would. Needs no lake. INVALID_PARAMS for files that do not exist and malformed mappings.
 */
export const check = async (options: CheckOptions): Promise<CheckResult> => {
  const { paths, feeds, memory_limit = DEFAULT_MEMORY_LIMIT, threads, signal } = options
  const inputs = await findInputs(paths, feeds)
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
