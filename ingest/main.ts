#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { EngineError } from '../engine/index.ts'
import { createProgressLine } from './progress.ts'
import { type RefreshOptions, refresh } from './refresh.ts'
import { renderReport } from './render.ts'
import {
  listSnapshots,
  prune,
  renderSnapshots,
  renderVerifications,
  rollback,
  type SnapshotRow,
  verifyLake,
} from './snapshot/snapshots.ts'

const HELP = `Turns feeds into the next snapshot of a lake, or looks after the snapshots a lake holds.

npm run -s refresh -- --feeds DIR [options]
npm run -s refresh -- snapshots | verify | rollback [ID] | prune [options]

  --feeds DIR           a sub-folder a feed (data/README.md)
  --mapping FILE        describes a folder of other people's files (data/mappings)
  --lake DIR            the lake (SHELFMARK_LAKE, or data/lake)
  --max-quarantine N    the share of a file's rows that may be refused (0.01)
  --release LABEL       the label of a GPC release whose file does not tell it, such as v20251127
  --thin-below N        products seen in 90 days below which a shelf is thin (25)
  --max-drop N          the share of serving shelves or observations that may be lost; 1 allows any loss (0.5)
  --memory-limit SIZE   DuckDB's memory (2GiB)
  --threads N           threads (all)
  --keep N              snapshots that stay in the lake (3)
  --dry-run             everything but publishing
  --all                 verify: every snapshot, not only the current one
  --json                the result as JSON
  --help                this text

Exit codes: 0 done, 1 refused or not sound, 2 wrong usage, 3 internal failure.
`

const TEXT = { type: 'string' } as const
const FLAG = { type: 'boolean' } as const

const readArguments = (args: string[]) =>
  parseArgs({
    args,
    allowPositionals: true,
    options: {
      feeds: TEXT,
      mapping: TEXT,
      lake: TEXT,
      'max-quarantine': TEXT,
      release: TEXT,
      'thin-below': TEXT,
      'max-drop': TEXT,
      'memory-limit': TEXT,
      threads: TEXT,
      keep: TEXT,
      'dry-run': FLAG,
      all: FLAG,
      json: FLAG,
      help: FLAG,
    },
  })

type Values = ReturnType<typeof readArguments>['values']
type Answer = { result: unknown; text: string; isRefused?: boolean }

const misused = (message: string): EngineError => new EngineError('INVALID_PARAMS', message)

const share = (name: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  const value = Number(text)
  if (text.trim() === '' || !(value >= 0 && value <= 1)) throw misused(`--${name} is a share from 0 to 1, not ${text}`)
  return value
}

const whole = (name: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,8}$/.test(text)) throw misused(`--${name} is a whole number from 1, not ${text}`)
  return Number(text)
}

const memory = (text: string | undefined): string | undefined => {
  if (text === undefined || /^\d+(?:\.\d+)?\s*[KMGT]i?B$/i.test(text)) return text
  throw misused(`--memory-limit is a size such as 2GiB, not ${text}`)
}

const label = (text: string | undefined): string | undefined => {
  if (text === undefined || /^v\d{8}$/.test(text)) return text
  throw misused(`--release is a label such as v20251127, not ${text}`)
}

const refreshOptions = (values: Values, lake: string): RefreshOptions => {
  if (values.feeds === undefined) throw misused('--feeds is missing: name the folder of feeds')
  return {
    feeds: values.feeds,
    lake,
    mapping: values.mapping,
    max_quarantine: share('max-quarantine', values['max-quarantine']),
    release: label(values.release),
    thin_below: whole('thin-below', values['thin-below']),
    max_drop: share('max-drop', values['max-drop']),
    memory_limit: memory(values['memory-limit']),
    threads: whole('threads', values.threads),
    keep: whole('keep', values.keep),
    dry_run: values['dry-run'],
  }
}

const interrupted = (): AbortSignal => {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () =>
      controller.abort(new EngineError('NOT_READY', `ended by ${signal}; nothing is published`)),
    )
  return controller.signal
}

const answerRefresh = async (values: Values, lake: string): Promise<Answer> => {
  const options = refreshOptions(values, lake)
  const line = process.stderr.isTTY ? createProgressLine(process.stderr) : undefined
  const report = await refresh({ ...options, signal: interrupted(), onProgress: line }).finally(() => {
    if (line) process.stderr.write('\r\u001b[K')
  })
  return { result: report, text: renderReport(report, lake), isRefused: report.status === 'refused' }
}

const commands: Readonly<Record<string, (values: Values, lake: string, ids: string[]) => Promise<Answer>>> = {
  snapshots: async (_, lake) => {
    const rows: SnapshotRow[] = await listSnapshots(lake)
    return { result: rows, text: renderSnapshots(rows) }
  },
  verify: async (values, lake) => {
    const checked = await verifyLake(lake, { every: values.all ?? false })
    const isRefused = checked.some(({ problems }) => problems.length > 0)
    return { result: checked, text: renderVerifications(checked), isRefused }
  },
  rollback: async (_, lake, [id]) => {
    const moved = await rollback(lake, id)
    return { result: moved, text: `${lake} serves ${moved.to}, no longer ${moved.from ?? 'nothing'}` }
  },
  prune: async (values, lake) => {
    const removed = await prune(lake, whole('keep', values.keep) ?? 3)
    return { result: removed, text: removed.length > 0 ? `removed ${removed.join(', ')}` : 'nothing to remove' }
  },
}

const answer = async (args: string[]): Promise<Answer & { json: boolean }> => {
  const { values, positionals } = readArguments(args)
  if (values.help) return { result: HELP, text: HELP.trimEnd(), json: false }
  const lake = values.lake ?? process.env.SHELFMARK_LAKE ?? 'data/lake'
  const [name, ...rest] = positionals
  const json = values.json ?? false
  if (name === undefined) return { ...(await answerRefresh(values, lake)), json }
  const command = commands[name]
  if (!command) throw misused(`there is no command ${name}; the commands are ${Object.keys(commands).join(', ')}`)
  if (rest.length > (name === 'rollback' ? 1 : 0)) throw misused(`${rest.at(-1)} is one argument too many`)
  return { ...(await command(values, lake, rest)), json }
}

const fail = (cause: unknown): number => {
  if (cause instanceof EngineError) {
    console.error(cause.message)
    return cause.code === 'INVALID_PARAMS' ? 2 : 1
  }
  const isUsage = cause instanceof Error && 'code' in cause && String(cause.code).startsWith('ERR_PARSE_ARGS')
  console.error(isUsage ? `${cause.message}\nSee --help.` : cause)
  return isUsage ? 2 : 3
}

const main = async (args: string[]): Promise<number> => {
  try {
    const { result, text, isRefused, json } = await answer(args)
    console.log(json ? JSON.stringify(result, null, 2) : text)
    return isRefused ? 1 : 0
  } catch (cause) {
    return fail(cause)
  }
}

process.exitCode = await main(process.argv.slice(2))
