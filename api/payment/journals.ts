import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DAY_MS } from '../../engine/index.ts'
import { type Config, ConfigError } from '../ops/config.ts'
import { withPackages } from '../ops/packages.ts'
import type { Journal } from './journal.ts'
import type { Session } from './sessions/session.ts'
import type { SessionStore } from './sessions/store.ts'
import { isWithin, type Period, type SettledPayment } from './settled.ts'

const POSTGRES = 'SHELFMARK_JOURNAL: PostgreSQL'

type JournalSettings = Pick<Config, 'journal' | 'lake'>

/** The journal of the settings: PostgreSQL for several processes, else a file, by default next to the lake. */
export const journalOf = ({ journal, lake }: JournalSettings): { url: string } | { file: string } =>
  journal?.match(/^postgres(ql)?:/)
    ? { url: journal }
    : { file: resolve(journal ?? join(dirname(lake), 'payments.jsonl')) }

/** Opens the journal. Throws ConfigError if another process has the file open. */
export const openJournal = async (config: Config): Promise<Journal> => {
  const { timeout_ms, settle_ms, payments_kept_days } = config
  const kept_ms = payments_kept_days * DAY_MS
  const journal = journalOf(config)
  if ('file' in journal) {
    const { openFileJournal } = await import('./file-journal.ts')
    return openFileJournal(journal.file, { kept_ms })
  }
  const { openPostgresJournal } = await withPackages(POSTGRES, () => import('./postgres-journal.ts'))
  return openPostgresJournal(journal.url, timeout_ms + 4 * settle_ms, kept_ms)
}

/** Opens the sessions beside the journal. */
export const openSessionStore = async (config: JournalSettings): Promise<SessionStore> => {
  const journal = journalOf(config)
  if ('file' in journal) return (await import('./sessions/file-store.ts')).openSessionFile(`${journal.file}.sessions`)
  return (await withPackages(POSTGRES, () => import('./sessions/postgres-store.ts'))).openSessionTable(journal.url)
}

/** Every session that a service has opened. */
export const readSessions = async (config: JournalSettings): Promise<readonly Session[]> => {
  const journal = journalOf(config)
  if ('url' in journal) {
    const { readSessionTable } = await withPackages(POSTGRES, () => import('./sessions/postgres-store.ts'))
    return readSessionTable(journal.url)
  }
  const { readSessionFile } = await import('./sessions/file-store.ts')
  return [...readSessionFile(`${journal.file}.sessions`).values()]
}

/** The settlements of sessions in a period, oldest first. */
const readSessionSettlements = async (config: JournalSettings, period: Period): Promise<SettledPayment[]> =>
  (await readSessions(config))
    .flatMap(({ channelId, settlements = [] }) =>
      settlements.map((settled) => ({ ...settled, question: `session ${channelId}` })),
    )
    .filter((settled) => isWithin(period, settled))
    .sort((one, other) => one.at - other.at)

/** The settled payments of a period, and the settlements of sessions, oldest first; a service may be running. */
export async function* readSettledPayments(config: JournalSettings, period: Period): AsyncGenerator<SettledPayment> {
  const ofSessions = await readSessionSettlements(config, period)
  for await (const payment of readSinglePayments(config, period)) {
    while (ofSessions[0] && ofSessions[0].at < payment.at) yield ofSessions.shift()!
    yield payment
  }
  yield* ofSessions
}

/** The payments of single answers. Throws ConfigError if there is no journal. */
async function* readSinglePayments(config: JournalSettings, period: Period): AsyncGenerator<SettledPayment> {
  const journal = journalOf(config)
  if ('url' in journal) {
    const { readSettledRows } = await withPackages(POSTGRES, () => import('./postgres-journal.ts'))
    yield* readSettledRows(journal.url, period)
    return
  }
  const { file } = journal
  if (!existsSync(file) && !existsSync(`${file}.settled`))
    throw new ConfigError(
      `SHELFMARK_JOURNAL: there is no payment journal ${file}; set SHELFMARK_JOURNAL or SHELFMARK_LAKE as for the service`,
    )
  const { readSettledEntries } = await import('./file-journal.ts')
  const { readSettledFiles } = await import('./settled-files.ts')
  // The journal first: entries that the service moves out of it meanwhile are in the files that are read next.
  const entries = readSettledEntries(file)
  for (const { id: _, ...payment } of readSettledFiles(file, entries, period)) yield payment
}
