import type { Database } from '../database.ts'
import type { StagedFile } from '../feeds/stage.ts'

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

/** The files with more rows refused than may be. */
export const overQuarantined = (files: readonly StagedFile[], max_quarantine: number): string[] =>
  files.flatMap(({ name, rows_read, quarantined, description }) => {
    const limit = description.max_quarantine ?? max_quarantine
    const refused = Object.values(quarantined).reduce((sum, rows) => sum + rows, 0)
    if (refused <= limit * rows_read) return []
    return `${name}: ${refused} of ${rows_read} rows are refused, ${percent(refused / rows_read)} and more than ${percent(limit)}`
  })

type Totals = { before: number; after: number }

const lost = (what: string, { before, after }: Totals, max_drop: number): string[] =>
  after < before * (1 - max_drop)
    ? [`${what} would fall from ${before} to ${after}, by more than ${percent(max_drop)}; --max-drop 1 allows it`]
    : []

/** What the new snapshot would lose against the one before, beyond the share that may be lost. */
export const losses = async (
  database: Database,
  observations: Totals,
  { thin_below, max_drop }: { thin_below: number; max_drop: number },
): Promise<string[]> => [
  ...(observations.after === 0 ? ['no row is kept: the lake would hold no observation'] : []),
  ...lost('serving shelves', await database.row<Totals>('facts/coverage', { thin_below }), max_drop),
  ...lost('observations', observations, max_drop),
]
