import { z } from 'zod'
import { Database, type SqlQuery, type SqlStep, type Value } from '../../ingest/database.ts'

/** What refreshes ran and filled, and how results differ from the rows that their queries declare. */
export type Watched = {
  /** Steps that ran. */
  ran: Set<string>
  /** Queries that returned a row. */
  returned: Set<string>
  /** Tables that TypeScript appended rows to. */
  appended: Set<string>
  faults: Set<string>
}

/** Observes every step from now on. */
export const watchSteps = (): Watched => {
  const watched: Watched = { ran: new Set(), returned: new Set(), appended: new Set(), faults: new Set() }
  const note = (step: string | SqlStep): void => {
    watched.ran.add(typeof step === 'string' ? step : step.path)
  }
  const check = <Row>(query: string | SqlQuery<Row>, row: unknown): void => {
    if (typeof query === 'string') return
    watched.returned.add(query.path)
    const schema = query.row instanceof z.ZodObject ? query.row.strict() : query.row
    const { error } = schema.safeParse(row)
    if (error) watched.faults.add(`${query.path}: ${z.prettifyError(error)}`)
  }
  const { run, rows, mapRows, append, columns } = Database.prototype
  Object.assign(Database.prototype, {
    run(this: Database, ...[step, ...rest]: Parameters<Database['run']>) {
      note(step)
      return run.call(this, step, ...rest)
    },
    async rows<Row>(this: Database, query: SqlQuery<Row>, ...rest: [never?]) {
      note(query)
      const result = await rows.call(this, query, ...rest)
      for (const row of result) check(query, row)
      return result
    },
    mapRows<Row>(
      this: Database,
      query: SqlQuery<Row>,
      table: string | ((row: Row) => string),
      read: (row: Row) => readonly Value[],
    ) {
      note(query)
      return mapRows.call(this, query, table as string, (row) => {
        check(query, row)
        watched.appended.add(typeof table === 'string' ? table : table(row as Row))
        return read(row as Row)
      })
    },
    columns(this: Database, of: string | SqlStep) {
      if (typeof of !== 'string') note(of)
      return columns.call(this, of)
    },
    append(this: Database, ...[table, values]: Parameters<Database['append']>) {
      watched.appended.add(table)
      return append.call(this, table, values)
    },
  })
  return watched
}
