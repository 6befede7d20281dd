import { duckdbInterpreter } from '../../engine/counts/duckdb.ts'
import { type AnyReadBy, type Interpreter, readAll } from '../../engine/counts/read.ts'
import type { Columns, Row } from '../../engine/duckdb/pool.ts'
import type { AnyQuery, Engine, Plan } from '../../engine/index.ts'

/** Columns of rows, of numbers but for lists. */
export const columnsOf = (rows: readonly Row[]): Columns =>
  rows.length === 0
    ? new Proxy({}, { get: () => new Float64Array(0) })
    : Object.fromEntries(
        Object.keys(rows[0]!).map((name) => [
          name,
          name === 'listed' ? rows.map((row) => row[name]) : Float64Array.from(rows, (row) => Number(row[name])),
        ]),
      )

/** Reads declarations by statements over the files, also where memory holds what they read. */
export const filesInterpreter = (engine: Pick<Engine, 'rows'>): Interpreter =>
  duckdbInterpreter({
    rows: (sql, bindings) => engine.rows(sql, bindings),
    columns: async (sql, bindings) => columnsOf(await engine.rows(sql, bindings)),
  })

/** What a plan reads from the files. */
export const readFiles = (engine: Engine, query: AnyQuery, plan: Plan): Promise<AnyReadBy> =>
  readAll(query, plan.bindings, filesInterpreter(engine))
