import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DAY_MS } from '../../engine/index.ts'
import { type Config, ConfigError } from '../ops/config.ts'
import { withPackages } from '../ops/packages.ts'
import type { Journal } from './journal.ts'
import type { Period, SettledPayment } from './settled.ts'

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
  const { openPostgresJournal } = await withPackages(
    'SHELFMARK_JOURNAL: PostgreSQL',
    () => import('./postgres-journal.ts'),
  )
  return openPostgresJournal(journal.url, timeout_ms + 4 * settle_ms, kept_ms)
}

/**
 * The settled payments of a period, oldest first; a service may be running. Throws ConfigError if there is no journal.
 */
export async function* readSettledPayments(config: JournalSettings, period: Period): AsyncGenerator<SettledPayment> {
  const journal = journalOf(config)
  if ('url' in journal) {
    const { readSettledRows } = await withPackages(
      'SHELFMARK_JOURNAL: PostgreSQL',
      () => import('./postgres-journal.ts'),
    )
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
