import { z } from 'zod'
import type { Manifest } from '../../engine/index.ts'
import { type Database, query } from '../database.ts'
import type { DigestPart } from '../snapshot/digest.ts'

const MONTHS = query(
  import.meta.url,
  'months',
  z.object({
    country: z.string(),
    month: z.string(),
    files: z.array(z.int()),
    rows: z.number(),
    has_moved: z.boolean(),
  }),
)

/** A month of a country to merge: the files with rows of it, and whether it may have rows that move. */
export type MergedMonth = z.output<typeof MONTHS.row>

/** The folder of a month's files, such as `country=us/month=2026-10`. */
export const keyOf = ({ country, month }: Pick<MergedMonth, 'country' | 'month'>): string =>
  `country=${country}/month=${month}`

/** The year of a month: `2026` of `2026-10`. */
export const yearOf = ({ month }: Pick<MergedMonth, 'month'>): string => month.slice(0, 4)

/** A month as SQL's `month_number` counts it. */
export const monthNumber = ({ month }: Pick<MergedMonth, 'month'>): number => {
  const [year = 0, ordinal = 1] = month.split('-').map(Number)
  return 12 * year + ordinal - 1
}

/** The months of the previous snapshot, with their parts of its digest. */
export const previousMonths = (previous: Manifest | null): Map<string, DigestPart> => {
  const parts = (previous?.report as { parts?: Record<string, DigestPart> } | undefined)?.parts ?? {}
  const months = Object.entries(parts).filter(([name]) => name.startsWith('observations/'))
  return new Map(months.map(([name, part]) => [name.slice('observations/'.length), part]))
}

/** Months with more rows are merged one by one: planning takes little of the time, and memory is for the largest month. */
const MAX_GROUP_ROWS = 200_000

/** The months to merge, those of a country with few rows together. */
export const groupMonths = async (
  database: Database,
  inLake: ReadonlyMap<string, DigestPart>,
): Promise<MergedMonth[][]> => {
  const groups: MergedMonth[][] = []
  let groupRows = 0
  for (const month of await database.rows(MONTHS)) {
    const before = inLake.get(keyOf(month))
    if (month.files.length === 0 && !before) continue
    const rows = month.rows + (before?.rows ?? 0)
    const last = groups.at(-1)
    const isJoined = last?.[0]?.country === month.country && groupRows + rows <= MAX_GROUP_ROWS
    if (isJoined) last.push(month)
    else groups.push([month])
    groupRows = isJoined ? groupRows + rows : rows
  }
  return groups
}
