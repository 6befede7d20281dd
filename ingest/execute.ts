import { setImmediate, setTimeout } from 'node:timers/promises'
import type { DuckDBConnection, DuckDBPendingResult, DuckDBResult, DuckDBValue } from '@duckdb/node-api'
import { DuckDBPendingResultState } from '../engine/index.ts'

const POLL_MS = 1

/** Runs tasks of a statement, and waits for other threads when no task is available. */
const runTasks = async (pending: DuckDBPendingResult): Promise<DuckDBResult> => {
  try {
    for (;;) {
      const state = pending.runTask()
      if (state === DuckDBPendingResultState.RESULT_READY) return pending.getResult()
      await (state === DuckDBPendingResultState.NO_TASKS_AVAILABLE ? setTimeout(POLL_MS) : setImmediate())
    }
  } catch (cause) {
    throw new Error((cause as Error).message.replace(/^Failure running pending result task: /, ''), { cause })
  }
}

/**
 * Runs statements in sequence, the last one with these bindings, and returns its result. `connection.run` would keep a
 * core busy while waiting for the last thread: a sixth of the CPU time of a refresh.
 */
export const execute = async (
  connection: DuckDBConnection,
  sql: string,
  bindings: Record<string, DuckDBValue> = {},
): Promise<DuckDBResult> => {
  const statements = await connection.extractStatements(sql)
  const last = statements.count - 1
  for (let index = 0; ; index++) {
    const prepared = await statements.prepare(index)
    try {
      if (index === last) prepared.bind(bindings)
      const result = await runTasks(prepared.start())
      if (index === last) return result
    } finally {
      prepared.destroySync()
    }
  }
}
