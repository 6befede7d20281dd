import { readFileSync } from 'node:fs'
import type { DuckDBAppender, DuckDBConnection, DuckDBResult, DuckDBValue } from '@duckdb/node-api'
import type { z } from 'zod'
import { type Columns, chunkColumns, DuckDBInstance, LIST, VARCHAR } from '../engine/index.ts'
import { execute } from './execute.ts'
import { literal } from './feeds/sql-text.ts'

export const DEFAULT_MEMORY_LIMIT = '2GiB'

/** Files of up to this many bytes together are small: DuckDB takes longer to plan the statements than to run them. */
const SMALL_BYTES = 8 * 2 ** 20

export const areSmall = (files: readonly { bytes: number }[]): boolean =>
  files.reduce((sum, { bytes }) => sum + bytes, 0) <= SMALL_BYTES

export type DatabaseOptions = {
  /** The folder for data that does not fit in memory. */
  spill: string
  memory_limit: string
  threads?: number | undefined
}

export type SqlBindings = Record<string, DuckDBValue>
/** What can be appended: text, whole numbers of 32 bits, and lists of text. */
export type Value = string | number | boolean | null | readonly string[]

/**
 * A step of a refresh in SQL: the statements of a file beside the module that runs it, or of a part of one. Its first line
 * names the tables, views and variables that the step reads, and those that it creates or fills: `-- in: ... out: ...`.
 */
export type SqlStep = { path: string; text: string }

/** A step whose last statement returns rows; `row` has a field for each of its columns. */
export type SqlQuery<Row> = SqlStep & { row: z.ZodType<Row> }

/** Every step, by the folder and the name of its file or part, such as `facts/merged`. */
export const STEPS = new Map<string, SqlStep | SqlQuery<unknown>>()

/** The text of a file, or of one of its parts, each of which begins with `-- name: NAME`. */
const partOf = (text: string, name: string | undefined): string | undefined =>
  name === undefined ? text : text.split(/^(?=-- name: )/m).find((part) => part.startsWith(`-- name: ${name}\n`))

const read = (module: string, source: string): SqlStep => {
  const [file, name] = source.split('#') as [string, string?]
  const url = new URL(`./${file}.sql`, module)
  const text = partOf(readFileSync(url, 'utf8'), name)
  if (text === undefined) throw new Error(`${file}.sql has no part ${name}`)
  const path = url.pathname
    .replace(/\.sql$/, '')
    .split('/')
    .slice(-2)
  return { path: `${path[0]}/${name ?? path[1]}`, text }
}

/**
 * Defines the step in a file beside a module, `step(import.meta.url, 'merged')` in `merged.sql`, or in a part of it:
 * `step(import.meta.url, 'learn#odds')`.
 */
export const step = (module: string, source: string): SqlStep => {
  const defined = read(module, source)
  STEPS.set(defined.path, defined)
  return defined
}

/** Defines a step whose last statement returns rows of this form. */
export const query = <Row>(module: string, source: string, row: z.ZodType<Row>): SqlQuery<Row> => {
  const defined = { ...read(module, source), row }
  STEPS.set(defined.path, defined)
  return defined
}

/** The statements before the last one, and the last one. */
const splitLast = (text: string): [before: string, last: string] => {
  const split = text.lastIndexOf(';\n', text.trimEnd().length - 2) + 1
  return [text.slice(0, split), text.slice(split)]
}

/** The types of the variables through which TypeScript passes values to steps: `getvariable('lake')`. */
const VARIABLE_TYPES = {
  file: 'MAP(VARCHAR, VARCHAR)',
  source: 'MAP(VARCHAR, VARCHAR)',
  latest_time: 'VARCHAR',
  lake: 'MAP(VARCHAR, VARCHAR)',
  previous: 'MAP(VARCHAR, VARCHAR[])',
  observed_attributes: 'VARCHAR[]',
  condition_hint: 'VARCHAR',
  partition: 'MAP(VARCHAR, VARCHAR)',
  snapshot_id: 'VARCHAR',
  files: 'VARCHAR[]',
  countries: 'VARCHAR',
  country_currency: 'MAP(VARCHAR, VARCHAR)',
  country_max_price: 'MAP(VARCHAR, VARCHAR)',
  currency_digits: 'MAP(VARCHAR, VARCHAR)',
  weights: 'MAP(VARCHAR, INTEGER[])',
  sign_currencies: 'MAP(VARCHAR, VARCHAR)',
  sign_units: 'MAP(VARCHAR, VARCHAR)',
  marks_from: 'VARCHAR',
  marks_to: 'VARCHAR',
} as const

type Variable = keyof typeof VARIABLE_TYPES
type VariableItem = string | readonly (string | number)[]
/** Values of variables: texts, lists, and maps of these, in which a missing key is null. */
export type VariableValues = Partial<Record<Variable, VariableItem | Readonly<Record<string, VariableItem>>>>

export const VARIABLES = Object.keys(VARIABLE_TYPES) as readonly Variable[]

/** As JSON a map is one literal: planning one of 200 entries takes milliseconds. */
const valueSql = (value: VariableValues[Variable]): string =>
  typeof value === 'string' ? literal(value) : `${literal(JSON.stringify(value))}::JSON`

const assignment = (variable: Variable, value: VariableValues[Variable]): string =>
  `SET VARIABLE ${variable} = ${valueSql(value)}::${VARIABLE_TYPES[variable]};`

const appendRow = (appender: DuckDBAppender, row: readonly Value[]): void => {
  for (const value of row) {
    if (value === null) appender.appendNull()
    else if (typeof value === 'string') appender.appendVarchar(value)
    else if (typeof value === 'number') appender.appendBigInt(BigInt(value))
    else if (typeof value === 'boolean') appender.appendBoolean(value)
    else appender.appendList([...value], LIST(VARCHAR))
  }
  appender.endRow()
}

/** The working database of one refresh: in memory, spilling to the staging folder. */
export class Database {
  readonly #instance: DuckDBInstance
  readonly #connection: DuckDBConnection
  // Rows cannot be appended on a connection whose result is still being read.
  readonly #appendConnection: DuckDBConnection
  readonly #isSingleThreaded: boolean
  #isInterrupted = false

  private constructor(
    instance: DuckDBInstance,
    connection: DuckDBConnection,
    second: DuckDBConnection,
    isSingleThreaded: boolean,
  ) {
    this.#instance = instance
    this.#connection = connection
    this.#appendConnection = second
    this.#isSingleThreaded = isSingleThreaded
  }

  static async open({ spill, memory_limit, threads }: DatabaseOptions): Promise<Database> {
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit,
      temp_directory: spill,
      ...(threads ? { threads: String(threads) } : {}),
    })
    const database = new Database(instance, await instance.connect(), await instance.connect(), threads === 1)
    await database.execute("SET TimeZone = 'UTC'; SET parquet_metadata_cache = true")
    return database
  }

  /** Runs the statements of one file; with bindings, a file of one statement. */
  async run(step: SqlStep, bindings?: SqlBindings): Promise<void> {
    await this.#result(step.text, bindings)
  }

  /** The rows of a query. */
  async rows<Row>(query: SqlQuery<Row>, bindings?: SqlBindings): Promise<Row[]> {
    const result = await this.#result(query.text, bindings)
    return (await result.getRowObjectsJS()) as Row[]
  }

  /** Runs SQL built from checked names and expressions of a mapping, which cannot be in a file. */
  async execute<Row>(sql: string): Promise<Row[]> {
    const result = await this.#result(sql)
    return (await result.getRowObjectsJS()) as Row[]
  }

  /** Only for the parser of expressions: rows are read with the methods above. */
  get connection(): DuckDBConnection {
    return this.#connection
  }

  /** The only row of a query. */
  async row<Row>(query: SqlQuery<Row>, bindings?: SqlBindings): Promise<Row> {
    const [first] = await this.rows(query, bindings)
    if (first === undefined) throw new Error(`${query.path} returned no row`)
    return first
  }

  /** Sets variables that the statements after this read. */
  async set(values: VariableValues): Promise<void> {
    await this.#result(VARIABLES.flatMap((name) => (name in values ? assignment(name, values[name]) : [])).join('\n'))
  }

  /** Appends to a table; the values of a row are in the order of the table's columns. */
  async append(table: string, rows: Iterable<readonly Value[]>): Promise<void> {
    const appender = await this.#appendConnection.createAppender(table)
    for (const row of rows) appendRow(appender, row)
    appender.closeSync()
  }

  /**
   * Maps the rows of a query, a chunk at a time, and appends what `read` returns to a table, or to the table that
   * `table` names for each row. Statements before the query in its file may create these tables.
   */
  async mapRows<Row>(
    query: SqlQuery<Row>,
    table: string | ((row: Row) => string),
    read: (row: Row) => readonly Value[],
  ): Promise<void> {
    const appenders = new Map<string, DuckDBAppender>()
    const appenderOf = async (name: string): Promise<DuckDBAppender> => {
      const appender = appenders.get(name) ?? (await this.#appendConnection.createAppender(name))
      appenders.set(name, appender)
      return appender
    }
    const appended = async (result: DuckDBResult): Promise<number> => {
      let mapped = 0
      for await (const rows of result.yieldRowObjectJs())
        for (const row of rows as Row[]) {
          appendRow(await appenderOf(typeof table === 'string' ? table : table(row)), read(row))
          mapped += 1
        }
      for (const appender of appenders.values()) appender.closeSync()
      return mapped
    }
    if (this.#isSingleThreaded) await appended(await this.#result(query.text))
    else await this.#streamed(query, appended)
  }

  /** Reads the result of a query that may be larger than memory. */
  async #streamed({ path, text }: SqlStep, read: (result: DuckDBResult) => Promise<number>): Promise<void> {
    // A streamed result that fails ends like a complete one. Rows are therefore written to a table and counted first.
    const [before, last] = splitLast(text)
    await this.#result(`${before}CREATE OR REPLACE TEMP TABLE mapped_row AS ${last}`)
    const [counted] = await this.execute<{ rows: number }>('SELECT count(*)::INTEGER AS rows FROM mapped_row')
    const mapped = await read(await this.#connection.stream('FROM mapped_row'))
    if (mapped !== counted?.rows) throw new Error(`${path}: ${mapped} of ${counted?.rows} rows were read`)
    await this.#result('DROP TABLE mapped_row')
  }

  /** Passes on the columns of the result of one statement, which may be larger than memory, some thousand rows at a time. */
  async *columns(of: string | SqlStep): AsyncGenerator<{ columns: Columns; rows: number }> {
    const sql = typeof of === 'string' ? of : of.text.trimEnd().replace(/;$/, '')
    const [counted] = await this.execute<{ rows: number }>(`SELECT count(*)::INTEGER AS rows FROM (${sql})`)
    const result = await this.#connection.stream(sql)
    let read = 0
    for await (const chunk of result) {
      read += chunk.rowCount
      yield { columns: await chunkColumns(result, chunk), rows: chunk.rowCount }
    }
    // A streamed result that fails ends like a complete one.
    if (read !== counted?.rows) throw new Error(`${read} of ${counted?.rows} rows were read`)
  }

  /** Ends the running statement, and any after it, with an error. */
  interrupt(): void {
    this.#isInterrupted = true
    this.#connection.interrupt()
  }

  #result(sql: string, bindings?: SqlBindings): Promise<DuckDBResult> {
    if (this.#isInterrupted) throw new Error('interrupted')
    // A pending result (execute.ts) spares other threads; without any it only costs, since DuckDB plans each statement that
    // reads a variable a second time for it.
    if (this.#isSingleThreaded && bindings === undefined) return this.#connection.run(sql)
    return execute(this.#connection, sql, bindings)
  }

  close(): void {
    this.#appendConnection.closeSync()
    this.#connection.closeSync()
    this.#instance.closeSync()
  }
}
