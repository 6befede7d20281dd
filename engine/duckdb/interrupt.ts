import type { DuckDBConnection } from '@duckdb/node-api'

const INTERRUPT_MS = 2

/** `start` interrupts the running statement of a connection; `stop` must be called when the statement has ended. */
export type Interrupt = { start(): void; stop(): void }

/** Repeats the interrupt, since DuckDB ignores one that arrives before the statement has started on its thread. */
export const interruptUntilEnded = (connection: DuckDBConnection): Interrupt => {
  let timer: NodeJS.Timeout | undefined
  const interrupt = () => connection.interrupt()
  const start = () => {
    interrupt()
    timer ??= setInterval(interrupt, INTERRUPT_MS)
  }
  return { start, stop: () => clearInterval(timer) }
}
