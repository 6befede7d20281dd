import { readFile } from 'node:fs/promises'
import type { Engine } from '../../../query/engine.ts'
import { describeSql } from '../../standalone/describe.ts'
import { requireTarget, writeDatabase, writeParquet } from '../../standalone/files.ts'
import { snapshotFiles } from '../../standalone/read-rows.ts'
import { scriptOf } from '../../standalone/script.ts'
import { SqlInterrupted, SqlSession } from '../../standalone/session.ts'
import type { QueryCommand } from '../command.ts'
import { helpText } from '../help.ts'
import { openEngine } from '../open.ts'
import { type Settings, usageError } from '../options.ts'
import { INTERRUPTED } from '../refusal.ts'
import { styleOf, type Terminal } from '../terminal.ts'
import { readSqlCommand, type SqlCommand, type SqlSource } from './command.ts'
import { sqlHelp } from './help.ts'
import { writeDescription, writers } from './output.ts'

/** Opens the lake, runs some work and closes it. */
const withEngine = async <T>(
  { lake, as_of }: { lake: string; as_of?: Date | undefined },
  { stderr }: Terminal,
  work: (engine: Engine) => Promise<T>,
): Promise<T> => {
  const engine = await openEngine(lake, as_of, stderr)
  try {
    return await work(engine)
  } finally {
    engine.close()
  }
}

const printScript = (command: QueryCommand, terminal: Terminal): Promise<void> =>
  withEngine(command, terminal, async (engine) => {
    const plan = await engine.plan(command.query, command.params)
    const files = snapshotFiles(engine, command.lake)
    await terminal.stdout.write(scriptOf(command.query, plan, { ...(await engine.execution(plan)), files }))
  })

const readSource = async (source: SqlSource): Promise<string> => {
  if ('text' in source) return source.text
  return readFile(source.file, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    const reason = code === 'ENOENT' ? 'does not exist' : `cannot be read: ${code}`
    throw usageError(`${source.file} ${reason}`)
  })
}

type Run = Pick<Extract<SqlCommand, { kind: 'run' }>, 'lake' | 'output'>

const runStatements = async (
  sql: string,
  { lake, output }: Run,
  terminal: Terminal,
  write = writers,
): Promise<void> => {
  const { stdout, stderr } = terminal
  await withEngine({ lake }, terminal, async (engine) => {
    if ('parquet' in output) requireTarget('parquet', output.parquet, lake)
    const session = await SqlSession.open(snapshotFiles(engine, lake))
    const interrupted = new AbortController()
    const release = terminal.onInterrupt?.(() => interrupted.abort())
    try {
      await session.run(sql, interrupted.signal, async (result) => {
        if ('format' in output) return result ? write[output.format](result, stdout, interrupted.signal) : undefined
        const rows = await writeParquet(output.parquet, result, interrupted.signal)
        stderr.write(`${output.parquet}: ${rows} rows\n`)
      })
    } finally {
      release?.()
      session.close()
    }
  })
}

type DatabaseCommand = Extract<SqlCommand, { kind: 'database' }>

const makeDatabase = ({ lake, file, overwrite }: DatabaseCommand, terminal: Terminal): Promise<void> =>
  withEngine({ lake }, terminal, async (engine) => {
    requireTarget('into', file, lake)
    const names = await writeDatabase(file, snapshotFiles(engine, lake), overwrite)
    const { snapshot_id } = engine.manifest
    await terminal.stdout.write(`${file}: ${names.length} views and macros over snapshot ${snapshot_id} of ${lake}\n`)
  })

/** Runs `shelfmark sql`. Returns the exit code, 0 or 130 if it was interrupted; throws refusals. */
export const runSql = async (argv: readonly string[], terminal: Terminal, settings: Settings): Promise<number> => {
  const { stdout } = terminal
  const command = readSqlCommand(argv, settings, stdout.isTerminal)
  try {
    if (command.kind === 'script') await printScript(command.queryCommand, terminal)
    else if (command.kind === 'run') await runStatements(await readSource(command.source), command, terminal)
    else if (command.kind === 'describe')
      await runStatements(describeSql(command.table), command, terminal, { ...writers, page: writeDescription })
    else if (command.kind === 'database') await makeDatabase(command, terminal)
    else {
      const style = styleOf(stdout)
      const text = command.kind === 'help' ? helpText(command, stdout.columns, style) : sqlHelp(stdout.columns, style)
      await stdout.write(`${text.join('\n')}\n`)
    }
    return 0
  } catch (cause) {
    if (cause instanceof SqlInterrupted) return INTERRUPTED
    throw cause
  }
}
