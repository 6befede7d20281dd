import { rowsOf } from '../../engine/show/standalone/result.ts'
import type { SqlSession } from '../../engine/show/standalone/session.ts'

/** The rows of the last result of a session's statements; null where none has one. */
export const sessionRows = (
  session: SqlSession,
  sql: string,
  signal = new AbortController().signal,
): Promise<unknown[][] | null> =>
  session.run(sql, signal, async (result) => {
    if (!result) return null
    const rows: unknown[][] = []
    for await (const chunk of rowsOf(result)) rows.push(...chunk)
    return rows
  })
