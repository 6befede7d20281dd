import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tableFromIPC } from 'apache-arrow'

/** The rows of a table of the index of a country in the folder of a snapshot, as Arrow's own reader returns them. */
export const indexRows = (snapshot: string, table: string, country: string): Record<string, unknown>[] => {
  const rows = tableFromIPC(readFileSync(join(snapshot, table, `country=${country}`, 'part-0.arrow'))).toArray()
  return rows.map((row) => ({ ...row.toJSON() }))
}
