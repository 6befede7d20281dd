import { z } from 'zod'

/** Counts by name, as DuckDB returns a MAP; null if there are none. */
export const counts = z.array(z.strictObject({ key: z.string(), value: z.int() })).nullable()

/** Counts by name, in the order of the map. */
export const recordOf = (map: z.output<typeof counts>): Record<string, number> =>
  Object.fromEntries((map ?? []).map(({ key, value }) => [key, value]))
