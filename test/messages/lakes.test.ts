import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'vitest'
import { readConfig } from '../../api/ops/config.ts'
import { openFileJournal } from '../../api/payment/file-journal.ts'
import { readSettledPayments } from '../../api/payment/journals.ts'
import {
  EngineError,
  readCurrentManifest,
  sha256OfText,
  snapshotFolder,
  snapshotIds,
  takeLease,
  verifySnapshot,
} from '../../engine/index.ts'
import { parseArguments } from '../../ingest/cli/arguments.ts'
import { runCommand } from '../../ingest/cli/commands.ts'
import { failureOf } from '../../ingest/cli/failure.ts'
import { withLock } from '../../ingest/snapshot/lock.ts'
import { refreshed, temporaryFolder } from '../support/given.ts'
import { lakeMadeOnce } from '../support/made-once.ts'
import { feedRow, priced } from '../support/rows.ts'
import { expectMessages, type Line, named } from './expect-messages.ts'

type Snapshot = { lake: string; id: string; older: string; folder: string }
type Prepare = (snapshot: Snapshot) => unknown

/** A new lake of two snapshots, of which the newer is current. */
const givenSnapshot = async (): Promise<Snapshot> => {
  const { lake } = await lakeMadeOnce('two snapshots', async (folder) => {
    for (const price of [100, 200]) await refreshed(folder, { observations: priced('one', price).map(feedRow) })
    return { lake: folder }
  })
  const [id = '', older = ''] = await snapshotIds(lake)
  return { lake, id, older, folder: snapshotFolder(lake, id) }
}

/** Changes the manifest, with the hashes that are beside it and in the pointer. */
const changeManifest = async ({ lake, id, folder }: Snapshot, change: object | string): Promise<void> => {
  const file = join(folder, 'manifest.json')
  const text =
    typeof change === 'string' ? change : JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), ...change })
  const sha256 = sha256OfText(text)
  await writeFile(file, text)
  await writeFile(join(folder, 'manifest.sha256'), `${sha256}  manifest.json\n`)
  await writeFile(join(lake, 'current'), `${id} ${sha256}\n`)
}

const PART = 'listings/country=us/part-0.parquet'

/** What is done to a lake before it is opened. */
const damages: readonly (readonly [what: string, damage: Prepare])[] = [
  ['a pointer without a hash', ({ lake, id }) => writeFile(join(lake, 'current'), `${id}\n`)],
  ['no manifest', ({ folder }) => rm(join(folder, 'manifest.json'))],
  ['a changed manifest', ({ folder }) => writeFile(join(folder, 'manifest.json'), '{}')],
  ['a manifest that is not JSON', (snapshot) => changeManifest(snapshot, '{')],
  ['a manifest of another version', (snapshot) => changeManifest(snapshot, { format: 2 })],
  ['a manifest without a member', (snapshot) => changeManifest(snapshot, { counts: undefined })],
  ['a manifest of another snapshot', (snapshot) => changeManifest(snapshot, { snapshot_id: '000009-00000000' })],
  [
    'a snapshot that is a link',
    async ({ folder }) => {
      await rm(folder, { recursive: true })
      await symlink('/', folder)
    },
  ],
  ['a file that is missing', ({ folder }) => rm(join(folder, PART))],
  ['a file of another size', ({ folder }) => writeFile(join(folder, PART), 'PAR1')],
]

/** What is wrong with the current snapshot of a lake, as everything that opens it reports. */
const refusalOf = async (lake: string): Promise<string> => {
  try {
    const manifest = await readCurrentManifest(lake)
    if (manifest) await verifySnapshot(lake, manifest)
    return 'nothing is wrong'
  } catch (error) {
    if (error instanceof EngineError) return error.message
    throw error
  }
}

/** The exit code of a command of `shelfmark-refresh`, and what it prints. */
const outcomeOf = async (lake: string, words: readonly string[]): Promise<[code: string, text: string]> => {
  try {
    const { values, positionals } = parseArguments([...words])
    const { text, isRefused } = await runCommand(values, lake, positionals)
    return [`exit ${isRefused ? 1 : 0}`, text]
  } catch (error) {
    const { output, code } = failureOf(error)
    return [`exit ${code}`, String(output)]
  }
}

const empty: Prepare = ({ lake }) => rm(lake, { recursive: true })
const nothing: Prepare = () => {}

const commands: readonly (readonly [words: string, what: string, prepare: Prepare])[] = [
  ['quality', 'of a lake without a snapshot', empty],
  ['snapshots', 'of a lake without a snapshot', empty],
  ['backup --to COPY', 'of a lake without a snapshot', empty],
  ['backup --to s3://bucket', '', nothing],
  ['backup --to COPY', 'where other files are', ({ lake }) => mkdir(`${lake}-copy/photos`, { recursive: true })],
  [
    'backup --to COPY',
    'where another lake is',
    ({ lake }) => mkdir(`${lake}-copy/snapshots/000002-00000000`, { recursive: true }),
  ],
  ['backup --to COPY', '', nothing],
  ['backup --to COPY --all', 'of a damaged snapshot', ({ folder }) => writeFile(join(folder, PART), 'PAR1')],
  ['push --to COPY', 'of a lake without a snapshot', empty],
  ['push --to COPY', '', nothing],
  ['push --to COPY', 'of a damaged snapshot', ({ folder }) => writeFile(join(folder, PART), 'PAR1')],
  ['push --to COPY', 'where a lake is', ({ lake }) => mkdir(`${lake}-copy/snapshots`, { recursive: true })],
  [
    'push --to COPY',
    'where a newer snapshot is',
    ({ lake }) => writeInFolder(`${lake}-copy`, 'current', `000003-00000000 ${'0'.repeat(64)}\n`),
  ],
  [
    'push --to COPY',
    'where another lake was pushed',
    ({ lake }) => writeInFolder(`${lake}-copy`, 'current', `000002-00000000 ${'0'.repeat(64)}\n`),
  ],
  ['iceberg', 'of a lake without a snapshot', empty],
  ['iceberg', 'of a lake of format 3', (snapshot) => changeManifest(snapshot, { format: 3 })],
  ['pull --from COPY', 'of a store without a snapshot', nothing],
  ['pull --from COPY', 'of a damaged pointer', ({ lake }) => writeInFolder(`${lake}-copy`, 'current', '000001-')],
  [
    'pull --from COPY',
    'of a missing manifest',
    ({ lake }) => writeInFolder(`${lake}-copy`, 'current', `000002-00000000 ${'0'.repeat(64)}\n`),
  ],
  ['verify --all', '', nothing],
  [
    'verify',
    'of damaged files',
    async ({ folder }) => {
      await writeFile(join(folder, PART), 'PAR1')
      await rm(join(folder, 'brands.parquet'))
      await writeFile(join(folder, 'extra'), '')
    },
  ],
  ['verify', 'of a manifest of another version', (snapshot) => changeManifest(snapshot, { format: 2 })],
  ['verify', 'of a pointer that names nothing', ({ lake }) => writeFile(join(lake, 'current'), 'nothing')],
  ['snapshots', 'without a manifest', ({ folder }) => rm(join(folder, 'manifest.json'))],
  ['rollback', '', nothing],
  ['rollback', 'to a damaged snapshot', ({ lake, older }) => rm(join(snapshotFolder(lake, older), PART))],
  ['rollback', 'of the only snapshot', ({ lake, older }) => rm(snapshotFolder(lake, older), { recursive: true })],
  ['prune --keep 2', '', nothing],
  ['prune --keep 1', '', nothing],
  ['prune --keep 1', 'of a snapshot that is open', ({ lake, older }) => takeLease(lake, older)],
  ['backup --to FILE/copy', 'in a file', ({ lake }) => writeFile(`${lake}-file`, '')],
]

/** What the commands on a lake print. Snapshots have fixed times, and sizes that do not differ. */
const outcomesOfCommands = async (): Promise<Line[]> => {
  const lines: Line[] = []
  for (const [words, what, prepare] of commands) {
    const snapshot = await givenSnapshot()
    const { lake } = snapshot
    await prepare(snapshot)
    const names = { LAKE: lake, COPY: `${lake}-copy`, FILE: `${lake}-file` }
    const [code, text] = await outcomeOf(
      lake,
      words.split(' ').map((word) => word.replace(/COPY|FILE/, (name) => names[name as 'COPY'])),
    )
    lines.push([[words, what].filter(Boolean).join(' '), code, named(text, names)])
  }
  return lines
}

/** What is done to the journal of payments before it is opened. */
const journals: readonly (readonly [what: string, prepare: (file: string) => unknown])[] = [
  ['a line that is not JSON', (file) => writeFile(file, '{"at":1,"released":"a"}\nnonsense\n{}\n')],
  ['a corrupt file of spent payments', (file) => writeInFolder(`${file}.spent`, '1-1', 'nonsense')],
  ['a journal that is open', (file) => openFileJournal(file)],
  ['a lock file that is a folder', (file) => mkdir(`${file}.lock`)],
]

const writeInFolder = async (folder: string, name: string, text: string): Promise<void> => {
  await mkdir(folder)
  await writeFile(join(folder, name), text)
}

const refusalsOfJournals = async (): Promise<Line[]> => {
  const lines: Line[] = []
  const attempt = async (what: string, prepare: (file: string) => unknown, open: (file: string) => unknown) => {
    const file = join(await temporaryFolder(), 'payments.jsonl')
    await prepare(file)
    try {
      await open(file)
      lines.push([what, 'opened', ''])
    } catch (error) {
      const { name, message } = error as Error
      lines.push([what, name, named(message, { JOURNAL: file })])
    }
  }
  for (const [what, prepare] of journals) await attempt(what, prepare, openFileJournal)
  const list = async (journal: string) => {
    const config = readConfig({ SHELFMARK_JOURNAL: journal })
    for await (const _ of readSettledPayments(config, { from: 0, to: Number.POSITIVE_INFINITY }));
  }
  await attempt('payments without a journal', () => {}, list)
  await attempt(
    'payments of a corrupt month',
    (file) => writeInFolder(`${file}.settled`, '2026-11.jsonl', 'nonsense\n'),
    list,
  )
  return lines
}

test('refusals of lakes and journals', async () => {
  const lines: Line[] = []
  for (const [what, damage] of damages) {
    const snapshot = await givenSnapshot()
    await damage(snapshot)
    lines.push([what, 'NOT_READY', named(await refusalOf(snapshot.lake), { LAKE: snapshot.lake })])
  }
  const { lake } = await givenSnapshot()
  const locked = await withLock(lake, () => outcomeOf(lake, ['prune']))
  await expectMessages('lakes', {
    'a lake whose current snapshot is read': lines,
    'shelfmark-refresh: exit code': [
      ['prune while a refresh runs', locked[0], named(locked[1], { LAKE: lake })],
      ...(await outcomesOfCommands()),
    ],
    'the journal of payments': await refusalsOfJournals(),
  })
})
