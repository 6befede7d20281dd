import { z } from 'zod'
import {
  appended,
  type ByMonth,
  counted,
  dayOf,
  hasMonth,
  type IndexMethod,
  indexMethods,
  LOG_UNIT,
  type MaskCounts,
  priceRelativeMacros,
  WINDOW_MONTHS,
  within,
} from '../../engine/index.ts'
import type { OnProgress } from '../cli/progress.ts'
import { type Database, query, step } from '../database.ts'
import type { RefreshSettings } from '../options.ts'
import { INDEXES, type RefreshPaths } from '../paths.ts'
import { type IndexScope, scopesOf } from './scopes.ts'

const DUE = query(
  import.meta.url,
  'price-index#due',
  z.object({
    country: z.string(),
    first_month: z.int(),
    last_month: z.int(),
    published_month: z.int().nullable(),
    late: z.array(z.string()),
  }),
)
const DEPARTMENTS = query(
  import.meta.url,
  'price-index#departments',
  z.object({ categories: z.array(z.object({ category_id: z.int(), category_last: z.int() })) }),
)
const PUBLISHED = query(
  import.meta.url,
  'price-index#published',
  z.object({
    category_id: z.int(),
    retailer_id: z.int().nullable(),
    method: z.string(),
    month: z.int(),
    base_month: z.int(),
    log: z.number(),
  }),
)
const WINDOW = step(import.meta.url, 'masks#window')
const MASKS = query(
  import.meta.url,
  'masks#department',
  z.object({
    category_id: z.int(),
    retailer_id: z.int(),
    mask: z.int(),
    n: z.int(),
    logs: z.array(z.number()),
  }),
)
const WRITE = query(import.meta.url, 'price-index#write', z.object({ rows: z.int() }))

const METHODS = Object.keys(indexMethods) as readonly IndexMethod[]

type Due = z.output<typeof DUE.row>
type Department = z.output<typeof DEPARTMENTS.row>
/** The published logs of an index and its base, by month. */
type PublishedIndex = { base_month: number; logs: Map<number, number> }

/** A month that is to be published: its base, and the log of its index. */
type NewMonth = { month: number; base_month: number; log: number }

/** Months [from, to], as numbers. */
type MonthRange = { from: number; to: number; isLast: boolean }

const monthsIn = ({ from, to }: MonthRange): number => to - from + 1

/**
 * The months of a window by which an index begins: from the first that another month is linked to. Below WINDOW_MONTHS
 * months it begins only if there are no more.
 */
const introduced = (counts: readonly MaskCounts[], method: IndexMethod, window: MonthRange): NewMonth[] => {
  const months = monthsIn(window)
  for (let first = 0; first < months - 1; first += 1) {
    if (!counts.some(({ mask }) => hasMonth(mask, first))) continue
    const { total } = indexMethods[method](within(counts, first, months), months - first)
    if (total.filter((log) => log !== null).length < 2) continue
    if (first > 0 && !window.isLast) return []
    const base_month = window.from + first
    return total.flatMap((log, i) => (log === null ? [] : { month: base_month + i, base_month, log }))
  }
  return []
}

/** What a window adds to an index: its last month, or the first months if none of its months is published. */
const further = (
  counts: readonly MaskCounts[],
  method: IndexMethod,
  window: MonthRange,
  published: PublishedIndex | undefined,
): NewMonth[] => {
  const before: ByMonth = Array.from(
    { length: monthsIn(window) - 1 },
    (_, i) => published?.logs.get(window.from + i) ?? null,
  )
  if (!published || before.every((log) => log === null)) return introduced(counts, method, window)
  const log = appended(before, indexMethods[method](counts, monthsIn(window)).total)
  return log === null ? [] : [{ month: window.to, base_month: published.base_month, log }]
}

/** The windows by which the months of a country are published that are over and not published. */
const windowsOf = ({ first_month, last_month, published_month }: Due): MonthRange[] => {
  const first = published_month === null ? Math.min(first_month + WINDOW_MONTHS - 1, last_month) : published_month + 1
  return Array.from({ length: Math.max(0, last_month - Math.max(first, first_month + 1) + 1) }, (_, i) => {
    const to = Math.max(first, first_month + 1) + i
    return { from: Math.max(first_month, to - WINDOW_MONTHS + 1), to, isLast: to === last_month }
  })
}

/** What is published by index: by category, retailer and method. */
type ByIndex = Map<string, PublishedIndex>

const keyOf = (category_id: number, retailer_id: number | null, method: string): string =>
  `${category_id} ${retailer_id} ${method}`

/** Adds a month to what is published of an index; one with a later base begins it again. */
const remember = (published: ByIndex, key: string, { month, base_month, log }: NewMonth): void => {
  const own = published.get(key)
  const logs = own?.base_month === base_month ? own.logs : new Map<number, number>()
  published.set(key, { base_month, logs: logs.set(month, log) })
}

const publishedBy = async (database: Database, country: string, from: number): Promise<ByIndex> => {
  const published: ByIndex = new Map()
  for (const { category_id, retailer_id, method, log, ...month } of await database.rows(PUBLISHED, { country, from }))
    remember(published, keyOf(category_id, retailer_id, method), { ...month, log: log / LOG_UNIT })
  return published
}

/** What a window adds to the indexes of a scope, as rows of index_log; it is published from then on. */
const rowsOf = (
  country: string,
  { category_id, retailer_id, counts }: IndexScope,
  window: MonthRange,
  published: ByIndex,
): (string | number | null)[][] => {
  const listingsIn = (place: number): number =>
    counts.reduce((sum, { mask, n }) => (hasMonth(mask, place) ? sum + n : sum), 0)
  return METHODS.flatMap((method) => {
    const key = keyOf(category_id, retailer_id, method)
    return further(counts, method, window, published.get(key)).map((added) => {
      remember(published, key, added)
      const { month, base_month, log } = added
      const own = [country, category_id, retailer_id, method, month, base_month]
      return [...own, Math.round(log * LOG_UNIT), listingsIn(month - window.from)]
    })
  })
}

/** Adds the months of a country that are over to the indexes of its categories, as rows of index_log. Returns how many. */
const publishCountry = async (
  database: Database,
  due: Due,
  departments: readonly Department[],
  onProgress: OnProgress | undefined,
): Promise<number> => {
  const { country } = due
  const windows = windowsOf(due)
  if (windows.length === 0) return 0
  let months = 0
  const published = await publishedBy(database, country, windows[0]!.from)
  for (const [done, window] of windows.entries()) {
    const { from, to } = window
    await database.run(WINDOW, { country, from, to })
    for (const { categories } of departments) {
      const { category_id: first, category_last: last } = categories[0]!
      const masks = await database.rows(MASKS, { first, last })
      const rows: (string | number | null)[][] = []
      for (const scope of scopesOf(categories, masks, monthsIn(window)))
        rows.push(...rowsOf(country, scope, window, published))
      await database.append('index_log', rows)
      months += rows.length
    }
    onProgress?.({ step: 'publishing', done: done + 1, total: windows.length, rows: 0 })
  }
  return months
}

/** Which published months have other prices since. */
const lateWarnings = (due: readonly Due[]): string[] =>
  due
    .filter(({ late }) => late.length > 0)
    .map(
      ({ country, late }) =>
        `${country}: prices of ${counted(late.length, 'month')} up to ${late.at(-1)} changed, whose price indexes are published and stay; --reissue-indexes publishes all months again`,
    )

/**
 * Publishes the months of price indexes that are over, once: every refresh carries them forward untouched. An index begins with
 * all months of its category that are over; each later one is appended by the window that ends with it. A lake without such a
 * month gets no file. Returns the rows of the file.
 */
export const publishIndexes = async (
  database: Database,
  { previous }: RefreshPaths,
  { as_of, onProgress }: Pick<RefreshSettings, 'as_of' | 'onProgress'>,
): Promise<{ rows: Record<string, number>; warnings: string[] }> => {
  const due = await database.rows(DUE, { today: dayOf(as_of) })
  const hasPublished = previous?.files.some(({ path }) => path === INDEXES) ?? false
  if (!hasPublished && due.every((country) => windowsOf(country).length === 0)) return { rows: {}, warnings: [] }
  await database.execute(priceRelativeMacros)
  const departments = await database.rows(DEPARTMENTS)
  let added = 0
  for (const country of due) added += await publishCountry(database, country, departments, onProgress)
  if (!hasPublished && added === 0) return { rows: {}, warnings: [] }
  const { rows } = await database.row(WRITE)
  return { rows: { [INDEXES]: rows }, warnings: lateWarnings(due) }
}
