import { endOfDay } from '../../contract/as-of.ts'
import { dayOf } from '../../contract/days.ts'
import { EngineError } from '../../contract/errors.ts'
import { DAY_MS } from '../../contract/time.ts'
import type { Engine } from '../../query/engine.ts'
import type { QueryCommand } from './command.ts'

/**
 * The days as of which the query may have an answer, best first: the day after the newest observation; the first of the next
 * month, since previous_month covers whole months; its own day, since month_to_date is empty on the first of a month.
 */
const candidates = (newest: string): string[] => {
  const time = Date.parse(newest)
  const date = new Date(time)
  const nextMonth = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
  return [...new Set([dayOf(time + DAY_MS), dayOf(nextMonth), dayOf(time)])]
}

const isAnswered = async (engine: Engine, { query, params }: QueryCommand, as_of: Date): Promise<boolean> => {
  try {
    await engine.run(await engine.plan(query, params, { now: as_of }))
    return true
  } catch {
    return false
  }
}

const newestWords = (newest: string): string[] => `The newest observation here is of ${newest.slice(0, 10)}.`.split(' ')

/** The hint in pieces; the option and its value are one piece, so that they stay on one line. */
const asOfWords = (date: string, { is_as_of_option }: QueryCommand): string[] => [
  ...'To query the data as of then,'.split(' '),
  ...(is_as_of_option ? ['send', `--as-of ${date}`, 'instead.'] : ['add', `--as-of ${date}.`]),
]

/** Whether the newest observation is outside the days of a refusal. */
const isOutside = (newest: string, { from, since, to, quality_status }: EngineError['details']): boolean =>
  quality_status === 'stale' || newest < String(from ?? since ?? '') || newest >= String(to ?? '9999')

/**
 * A hint for a query refused because its data are older than its days: the day of the newest observation and the `--as-of`
 * with which the query has an answer, in pieces that are not broken across lines. The query is run as of that day to be
 * sure. If no day helps, as for an explicit window, the hint is the newest observation alone. Null if the refusal is not
 * about days, as for an unknown brand.
 */
export const asOfHint = async (error: unknown, engine: Engine, command: QueryCommand): Promise<string[] | null> => {
  if (!(error instanceof EngineError)) return null
  const { newest_observed_at: newest } = error.details
  if (typeof newest !== 'string') return null
  for (const date of candidates(newest))
    if (endOfDay(date) < engine.now() && (await isAnswered(engine, command, endOfDay(date))))
      return [...newestWords(newest), ...asOfWords(date, command)]
  return isOutside(newest, error.details) ? newestWords(newest) : null
}
