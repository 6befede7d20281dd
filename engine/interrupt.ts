import type { DuckDBConnection } from '@duckdb/node-api'

const INTERRUPT_MS = 2

/** Interrupts the statement of a connection from `start` on until it has ended, which `stop` says. */
export type Interrupt = { start(): void; stop(): void }

/** DuckDB ignores an interrupt that arrives before the statement has started on its thread: it is sent again. */
export const interruptUntilEnded = (connection: DuckDBConnection): Interrupt => {
  let timer: NodeJS.Timeout | undefined
  const interrupt = () => connection.interrupt()
  const start = () => {
    interrupt()
    timer ??= setInterval(interrupt, INTERRUPT_MS)
  }
  return { start, stop: () => clearInterval(timer) }
}
