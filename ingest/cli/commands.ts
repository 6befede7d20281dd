import {
  type AwsEnvironment,
  currentSnapshotId,
  EngineError,
  LAKE_FORMAT,
  readManifest,
  upgradeLine,
} from '../../engine/index.ts'
import { check } from '../check/check.ts'
import { saveMapping } from '../check/show/answer.ts'
import { renderCheck } from '../check/show/render.ts'
import { loadCluster } from '../cluster/load.ts'
import type { Quality } from '../facts/quality.ts'
import { writeIceberg } from '../iceberg/iceberg.ts'
import { impactOf } from '../impact/impact.ts'
import type { BuildOptions } from '../options.ts'
import { refresh, upgrade, withdraw } from '../refresh.ts'
import type { RefreshReport } from '../report.ts'
import { pull } from '../snapshot/pull.ts'
import { push } from '../snapshot/push.ts'
import { isLake, renderRepairs, repairLake } from '../snapshot/repair.ts'
import {
  listSnapshots,
  noSnapshot,
  prune,
  renderSnapshots,
  renderVerifications,
  rollback,
  verifyLake,
} from '../snapshot/snapshots.ts'
import { transfer } from '../snapshot/transfer.ts'
import {
  addressOf,
  buildOptions,
  checkOptions,
  folderOf,
  impactOptions,
  invalidArgument,
  loadOptions,
  type OptionValues,
  positiveInteger,
  refreshOptions,
  storeOf,
  withdrawalOptions,
} from './arguments.ts'
import { createProgressLine } from './progress.ts'
import { renderRemoval, renderReport } from './render.ts'
import { renderImpact } from './render-impact.ts'
import { renderQuality } from './render-quality.ts'
import { renderIceberg, renderLoad, renderPull, renderPush, renderTransfer } from './render-transfer.ts'

/** The result of a command, as JSON and as text, and whether it was refused. */
export type CommandResult = { result: unknown; text: string; isRefused?: boolean }

/** A command: its options, the lake, the arguments after its name, and the environment, which has the keys of stores. */
type CommandHandler = (
  values: OptionValues,
  lake: string,
  names: string[],
  environment: AwsEnvironment,
) => Promise<CommandResult>

/** A signal that SIGINT and SIGTERM abort, and what ends that. */
const abortOnSignal = (): { signal: AbortSignal; stop: () => void } => {
  const controller = new AbortController()
  const abort = (name: NodeJS.Signals) =>
    controller.abort(new EngineError('NOT_READY', `cancelled by ${name}; nothing is published`))
  process.once('SIGINT', abort).once('SIGTERM', abort)
  return { signal: controller.signal, stop: () => void process.off('SIGINT', abort).off('SIGTERM', abort) }
}

type ProgressOptions = Pick<BuildOptions, 'signal' | 'onProgress'>

/** Runs work with a progress line on a terminal; a signal aborts it. */
const withProgress = <T>(run: (progress: ProgressOptions) => Promise<T>): Promise<T> => {
  const line = process.stderr.isTTY ? createProgressLine(process.stderr) : undefined
  const { signal, stop } = abortOnSignal()
  return run({ signal, onProgress: line }).finally(() => {
    stop()
    if (line) process.stderr.write('\r\u001b[K')
  })
}

/** Runs a build, and renders its report. */
const report = async (
  lake: string,
  build: (progress: ProgressOptions) => Promise<RefreshReport>,
): Promise<CommandResult> => {
  const made = await withProgress(build)
  return { result: made, text: renderReport(made, lake), isRefused: made.status === 'refused' }
}

const QUALITY: CommandHandler = async (_, lake) => {
  const id = await currentSnapshotId(lake)
  if (id === null) throw noSnapshot(lake)
  const { report: stored } = await readManifest(lake, id)
  const quality = (stored as { quality?: Quality[] }).quality ?? []
  const text = quality.length > 0 ? renderQuality(quality).join('\n') : `snapshot ${id} has no new price observations`
  return { result: { snapshot_id: id, quality }, text }
}

const CHECK: CommandHandler = async (values, _, paths) => {
  const checked = await withProgress((progress) => check({ ...checkOptions(values, paths), ...progress }))
  const isRefused = checked.files.every(({ kept }) => kept === 0)
  const text = renderCheck(checked, process.stdout.columns)
  const isTerminal =
    Boolean(process.stdin.isTTY && process.stdout.isTTY) && !values.json && values.mapping === undefined
  if (!isTerminal && !values.yes) return { result: checked, text, isRefused }
  if (isTerminal && !values.yes) process.stdout.write(`${text}\n\n`)
  const saved = await saveMapping(checked, { isYes: values.yes ?? false })
  if (saved === null) return { result: checked, text: values.yes ? text : '', isRefused }
  const conclusion = [...saved.guesses, `saved as ${saved.file}`, saved.next].join('\n')
  const output = values.yes ? `${text.slice(0, text.lastIndexOf('\n'))}\n${conclusion}` : conclusion
  return { result: { ...checked, ...saved, mapping: saved.mapping }, text: output, isRefused }
}

/** Copies between a lake and a backup of it, which is a lake too. */
const copyBetween = async (
  from: string,
  to: string,
  values: OptionValues,
  id: string | undefined,
): Promise<CommandResult> => {
  const { all } = values
  if (all && id !== undefined) throw invalidArgument(`--all copies every snapshot; leave out ${id}`)
  const made = await withProgress(({ signal, onProgress }) =>
    transfer(from, to, {
      snapshot_id: id,
      every: all,
      signal,
      onProgress: (progress) => onProgress?.({ step: 'copying', rows: 0, ...progress }),
    }),
  )
  return { result: made, text: renderTransfer(made), isRefused: made.refused.length > 0 }
}

const repair = async ({ from, all }: OptionValues, lake: string, environment: AwsEnvironment) => {
  const repairs = await withProgress(async ({ signal }) => {
    const source =
      from === undefined
        ? null
        : (await isLake(from))
          ? { backup: from }
          : { store: storeOf('from', from, environment, signal) }
    return repairLake(lake, source, all)
  })
  const isRefused = repairs.some(({ problems }) => problems.length > 0)
  return { result: repairs, text: renderRepairs(repairs), isRefused }
}

const PUSH: CommandHandler = async (values, lake, [snapshot_id], environment) => {
  const made = await withProgress(({ signal, onProgress }) =>
    push(lake, storeOf('to', values.to, environment, signal), {
      snapshot_id,
      signal,
      onProgress: (progress) => onProgress?.({ step: 'sending', rows: 0, ...progress }),
    }),
  )
  return { result: made, text: renderPush(made) }
}

const PULL: CommandHandler = async (values, lake, _, environment) => {
  const made = await withProgress(({ signal, onProgress }) =>
    pull(storeOf('from', values.from, environment, signal), lake, {
      keep: positiveInteger('keep', values.keep),
      without_facts: values['without-facts'],
      signal,
      onProgress: (progress) => onProgress?.({ step: 'fetching', rows: 0, ...progress }),
    }),
  )
  return { result: made, text: renderPull(made) }
}

const LOAD: CommandHandler = async (values, lake, _, environment) => {
  const { address, cluster } = loadOptions(values)
  const made = await withProgress(({ signal, onProgress }) => {
    const from = values.from === undefined ? lake : storeOf('from', values.from, environment, signal)
    return loadCluster(from, address, { cluster, signal, onProgress })
  })
  return { result: made, text: renderLoad(made) }
}

/** A command, the options that it takes besides `--lake` and `--json`, and how many arguments after its name. */
type Command = { run: CommandHandler; options: readonly (keyof OptionValues)[]; names?: number }

const BUILD = ['thin-below', 'memory-limit', 'threads', 'keep', 'dry-run'] as const
const READING = ['feeds', 'mapping', 'max-quarantine'] as const

export const COMMANDS: Readonly<Record<string, Command>> = {
  check: {
    run: CHECK,
    options: [...READING, 'platform', 'country', 'memory-limit', 'threads', 'yes'],
    names: Number.POSITIVE_INFINITY,
  },
  quality: { run: QUALITY, options: [] },
  impact: {
    run: async (values, lake, [before, after]) => {
      const options = { ...impactOptions(values), before, after }
      const impact = await withProgress((progress) => impactOf(lake, { ...options, ...progress }))
      return { result: impact, text: renderImpact(impact) }
    },
    options: ['as-of', 'country'],
    names: 2,
  },
  withdraw: {
    run: (values, lake) => {
      const { options, withdrawal } = withdrawalOptions(values, lake)
      return report(lake, (more) => withdraw({ ...options, ...more }, withdrawal))
    },
    options: [...BUILD, 'platform', 'country', 'from', 'to'],
  },
  upgrade: {
    run: (values, lake) => report(lake, (more) => upgrade({ ...buildOptions(values, lake), ...more })),
    options: BUILD,
  },
  snapshots: {
    run: async (_, lake) => {
      const rows = await listSnapshots(lake)
      return { result: rows, text: renderSnapshots(rows) }
    },
    options: [],
  },
  verify: {
    run: async (values, lake, _, environment) => {
      if (values.repair) return repair(values, lake, environment)
      const checked = await verifyLake(lake, { every: values.all ?? false })
      const isRefused = checked.some(({ problems }) => problems.length > 0)
      return { result: checked, text: renderVerifications(checked), isRefused }
    },
    options: ['all', 'repair', 'from'],
  },
  rollback: {
    run: async (_, lake, [id]) => {
      const moved = await rollback(lake, id)
      const format = moved.format === LAKE_FORMAT ? '' : `\nIt is of lake format ${moved.format}: ${upgradeLine(lake)}`
      return { result: moved, text: `${lake} serves ${moved.to} (previous: ${moved.from ?? 'nothing'})${format}` }
    },
    options: [],
    names: 1,
  },
  prune: {
    run: async (values, lake) => {
      const removal = await prune(lake, positiveInteger('keep', values.keep) ?? 3)
      return { result: removal, text: renderRemoval(removal) }
    },
    options: ['keep'],
  },
  backup: {
    run: (values, lake, [id]) => copyBetween(lake, folderOf('to', values.to), values, id),
    options: ['to', 'all'],
    names: 1,
  },
  restore: {
    run: (values, lake, [id]) => copyBetween(folderOf('from', values.from), lake, values, id),
    options: ['from', 'all'],
    names: 1,
  },
  push: { run: PUSH, options: ['to'], names: 1 },
  pull: { run: PULL, options: ['from', 'keep', 'without-facts'] },
  load: { run: LOAD, options: ['from', 'to', 'cluster'] },
  iceberg: {
    run: async (values, lake) => {
      const written = await writeIceberg(lake, { address: addressOf(values.at) })
      return { result: written, text: renderIceberg(written) }
    },
    options: ['at'],
  },
}

const REFRESH: Command = {
  run: (values, lake) => {
    const options = refreshOptions(values, lake)
    return report(lake, (more) => refresh({ ...options, ...more }))
  },
  options: [...READING, ...BUILD, 'accept', 'as-of', 'reissue-indexes', 'release', 'max-drop'],
}

/** Refuses options that a command would not use. */
const checkTaken = (values: OptionValues, name: string | undefined, { options }: Command): void => {
  const taken: readonly string[] = [...options, 'lake', 'json']
  const other = Object.keys(values).find((option) => !taken.includes(option))
  if (other === undefined) return
  const all = taken.map((option) => `--${option}`).join(', ')
  throw invalidArgument(`--${other} is not an option of ${name ?? 'a refresh'}; its options are ${all}`)
}

/** Runs a refresh, or the command that the first argument names. */
export const runCommand = async (
  values: OptionValues,
  lake: string,
  positionals: readonly string[],
  environment: AwsEnvironment = {},
): Promise<CommandResult> => {
  const [name, ...names] = positionals
  const command = name === undefined ? REFRESH : COMMANDS[name]
  if (!command) throw invalidArgument(`unknown command ${name}; the commands are ${Object.keys(COMMANDS).join(', ')}`)
  if (names.length > (command.names ?? 0)) throw invalidArgument(`unexpected argument "${names.at(-1)}"`)
  checkTaken(values, name, command)
  return command.run(values, lake, names, environment)
}
