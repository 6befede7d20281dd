import { join } from 'node:path'
import { test } from 'vitest'
import { runCli, type Sink } from '../../engine/show/cli.ts'
import { parseArguments } from '../../ingest/cli/arguments.ts'
import { runCommand } from '../../ingest/cli/commands.ts'
import { failureOf } from '../../ingest/cli/failure.ts'
import { temporaryFolder, writeFeeds } from '../support/given.ts'
import { expectMessages, type Line } from './expect-messages.ts'
import { givenLake } from './lake.ts'

const commandLines: readonly (readonly string[])[] = [
  ['analist'],
  ['analyst', 'inflaton'],
  ['analyst', 'inflation', '--categry', 'coffee'],
  ['analyst', 'inflation', '--xyzzy', '1'],
  ['analyst', 'inflation', '--category', 'ground', 'coffee'],
  ['analyst', 'inflation', '--category', 'tea', '--category', 'coffee'],
  ['analyst', 'inflation', '--category='],
  ['analyst', 'inflation', '--category', 'coffee', '--as-of', 'yesterday'],
  ['analyst', 'inflation', '--category', 'coffee', '--json', '--csv'],
  ['analyst', 'inflation', '--category', 'coffee', '--explain', '--csv'],
  ['analyst', 'inflation', '--category', 'coffee', '--explain=maybe'],
  ['analyst', 'inflation', '--category', 'coffee', '--lake', 'FOLDER'],
  ['sql', 'SELECT 1', 'SELECT 2'],
  ['sql', 'SELECT 1', '--csv', '--json'],
  ['sql', 'analyst', 'inflation', '--category', 'coffee', '--csv'],
  ['sql', '--into', 'lake.duckdb', 'SELECT 1'],
]

const refusalsOfCommands = async (folder: string): Promise<Line[]> => {
  const lines: Line[] = []
  for (const words of commandLines) {
    let said = ''
    const sink: Sink = {
      write: (chunk) => {
        said += chunk
      },
      isTerminal: false,
      hasColours: false,
      columns: 80,
    }
    const argv = words.map((word) => word.replace('FOLDER', folder))
    const exitCode = await runCli(argv, { stdout: { ...sink, write: () => undefined }, stderr: sink })
    const { code, message } = (JSON.parse(said) as { error: { code: string; message: string } }).error
    lines.push([words.join(' '), `${exitCode} ${code}`, message])
  }
  return lines
}

const refreshLines: readonly (readonly string[])[] = [
  ['refersh'],
  ['quality', 'twice'],
  ['quality', '--country', 'ca'],
  ['--feeds', 'EMPTY', '--yes'],
  ['check', 'EMPTY', '--country', 'canada'],
  ['check', 'EMPTY', '--platform', '???'],
  ['check', 'EMPTY', '--platform', 'acme', '--mapping', 'mapping.json'],
  ['--feeds', 'EMPTY', '--threads', '0'],
  ['--feeds', 'EMPTY', '--max-drop', '2'],
  ['--feeds', 'EMPTY', '--memory-limit', 'lots'],
  ['--feeds', 'EMPTY', '--as-of', 'yesterday'],
  ['prune', '--keep', '0'],
  ['withdraw'],
  ['withdraw', '--platform', 'nobody'],
  ['rollback', '000009-00000000'],
  ['backup'],
  ['restore'],
  ['backup', '--to', 'LAKE'],
  ['push'],
  ['pull'],
  ['push', '--to', 's3://bucket/lakes'],
  ['push', '--to', 'ftp://example.com'],
  ['pull', '--from', 's3://NO'],
  ['load'],
  ['load', '--to', 's3://bucket/lakes'],
  ['load', '--to', 'clickhouse://loader:p@ss@db:8123'],
  ['load', '--to', 'clickhouse://loader:secret@db:8123,db'],
  ['load', '--to', 'clickhouse://loader:50%@db'],
  ['load', '--to', 'clickhouse://loader:secret@db', '--memory-limit', '2GiB'],
  ['load', '--to', 'clickhouse://loader:secret@db', '--from', 's3://bucket/lakes'],
  ['load', '--to', 'clickhouse://loader:secret@db', '--from', 'EMPTY', '--lake', 'LAKE'],
  ['load', '--to', 'clickhouse://loader:secret@127.0.0.1:2'],
  ['iceberg', '--at', 'bucket/lake'],
  ['backup', '--to', 'NOTHING/copy', '--all', '000001-00000000'],
  ['--feeds', 'NOTHING'],
  ['--feeds', 'EMPTY'],
  ['--feeds', 'WRONG'],
  ['--feeds', 'EMPTY', '--mapping', 'NOTHING'],
]

const refusalsOfRefreshes = async (folders: Record<string, string>): Promise<Line[]> => {
  const lines: Line[] = []
  for (const words of refreshLines) {
    const args = words.map((word) => word.replace(/[A-Z]{4,}/, (name) => folders[name] ?? name))
    try {
      const { values, positionals } = parseArguments(args)
      const { result } = await runCommand(values, folders.LAKE ?? '', positionals)
      const { status, reasons } = result as { status: string; reasons: string[] }
      for (const reason of reasons) lines.push([words.join(' '), status, reason])
    } catch (error) {
      const { output, code } = failureOf(error)
      lines.push([words.join(' '), `exit ${code}`, String(output)])
    }
  }
  return lines
}

test('refusals of the command lines', async () => {
  const { lake } = await givenLake()
  const folders = {
    LAKE: lake,
    EMPTY: await temporaryFolder(),
    NOTHING: join(await temporaryFolder(), 'nothing'),
    WRONG: await writeFeeds({
      observations: [],
      files: { 'price_observations/empty.csv': '', 'price_observations/other.csv': 'a,b\n1,2\n' },
    }),
  }
  const areas = {
    'shelfmark: exit code and code': await refusalsOfCommands(folders.EMPTY),
    'shelfmark-refresh: exit code, or the status of a refresh': await refusalsOfRefreshes(folders),
  }
  await expectMessages('commands', areas, folders)
})
