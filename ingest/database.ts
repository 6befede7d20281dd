import { readFileSync } from 'node:fs'
import {
  type DuckDBAppender,
  type DuckDBConnection,
  DuckDBInstance,
  type DuckDBMapValue,
  type DuckDBResult,
  type DuckDBType,
  type DuckDBValue,
  LIST,
  listValue,
  MAP,
  mapValue,
  VARCHAR,
} from '@duckdb/node-api'
import type { z } from 'zod'
import { execute } from './execute.ts'

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
 * A step of a refresh in SQL: the statements of one file beside the module that runs it. The file's first line names
 * the tables, views and variables that the step reads, and those that it creates or fills: `-- in: ... out: ...`.
 */
export type SqlStep = { path: string; text: string }

/** A step whose last statement returns rows; `row` has a field for each of its columns. */
export type SqlQuery<Row> = SqlStep & { row: z.ZodType<Row> }

/** Every step, by the folder and name of its file, such as `facts/merge`. */
export const STEPS = new Map<string, SqlStep | SqlQuery<unknown>>()

const read = (module: string, name: string): SqlStep => {
  const file = new URL(`./${name}.sql`, module)
  return {
    path: file.pathname
      .split('/')
      .slice(-2)
      .join('/')
      .replace(/\.sql$/, ''),
    text: readFileSync(file, 'utf8'),
  }
}

/** Defines the step in `name.sql` beside a module: `step(import.meta.url, 'merge')`. */
export const step = (module: string, name: string): SqlStep => {
  const defined = read(module, name)
  STEPS.set(defined.path, defined)
  return defined
}

/** Defines a step whose last statement returns rows of this form. */
export const query = <Row>(module: string, name: string, row: z.ZodType<Row>): SqlQuery<Row> => {
  const defined = { ...read(module, name), row }
  STEPS.set(defined.path, defined)
  return defined
}

/** The statements before the last one, and the last one. */
const splitLast = (text: string): [before: string, last: string] => {
  const split = text.lastIndexOf(';\n', text.trimEnd().length - 2) + 1
  return [text.slice(0, split), text.slice(split)]
}

const assignments = {
  file: 'SET VARIABLE file = $value',
  source: 'SET VARIABLE source = $value',
  latest_time: 'SET VARIABLE latest_time = $value',
  lake: 'SET VARIABLE lake = $value',
  previous: 'SET VARIABLE previous = $value',
  observed_attributes: 'SET VARIABLE observed_attributes = $value',
  condition_hint: 'SET VARIABLE condition_hint = $value',
  partition: 'SET VARIABLE partition = $value',
  snapshot_id: 'SET VARIABLE snapshot_id = $value',
  files: 'SET VARIABLE files = $value',
  countries: 'SET VARIABLE countries = $value',
  country_currency: 'SET VARIABLE country_currency = $value',
  country_max_price: 'SET VARIABLE country_max_price = $value',
  currency_digits: 'SET VARIABLE currency_digits = $value',
  weights: 'SET VARIABLE weights = $value',
  sign_currencies: 'SET VARIABLE sign_currencies = $value',
} as const

type Variable = keyof typeof assignments

/** The variables through which TypeScript passes values to steps: `getvariable('lake')`. */
export const VARIABLES = Object.keys(assignments) as readonly Variable[]

/** A value of type MAP. */
export const mapOf = <T>(entries: Readonly<Record<string, T>>, read: (entry: T) => DuckDBValue): DuckDBMapValue =>
  mapValue(Object.entries(entries).map(([key, entry]) => ({ key, value: read(entry) })))

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
    if (first === undefined) throw new Error(`${query.path}.sql returned no row`)
    return first
  }

  /** Sets a variable that the statements after this read. */
  async set(variable: Variable, value: DuckDBValue, type: DuckDBType): Promise<void> {
    await this.#result(assignments[variable], { value }, { value: type })
  }

  /** Sets a variable to a map of texts: `getvariable('file')['path']`, null for a missing key. */
  async setTexts(variable: Variable, texts: Readonly<Record<string, string>>): Promise<void> {
    await this.set(
      variable,
      mapOf(texts, (text) => text),
      MAP(VARCHAR, VARCHAR),
    )
  }

  /** Sets a variable to a list of texts. */
  async setList(variable: Variable, texts: readonly string[]): Promise<void> {
    await this.set(variable, listValue([...texts]), LIST(VARCHAR))
  }

  /** Sets a variable to a map of lists of texts. */
  async setLists(variable: Variable, lists: Readonly<Record<string, readonly string[]>>): Promise<void> {
    await this.set(
      variable,
      mapOf(lists, (list) => listValue([...list])),
      MAP(VARCHAR, LIST(VARCHAR)),
    )
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
    // A streamed result that fails ends like a complete one. Rows are therefore written to a table and counted first.
    const [before, last] = splitLast(query.text)
    await this.#result(`${before}CREATE OR REPLACE TEMP TABLE mapped_row AS ${last}`)
    const [counted] = await this.execute<{ rows: number }>('SELECT count(*)::INTEGER AS rows FROM mapped_row')
    const result = await this.#connection.stream('FROM mapped_row')
    let mapped = 0
    for await (const rows of result.yieldRowObjectJs())
      for (const row of rows as Row[]) {
        appendRow(await appenderOf(typeof table === 'string' ? table : table(row)), read(row))
        mapped += 1
      }
    for (const appender of appenders.values()) appender.closeSync()
    if (mapped !== counted?.rows) throw new Error(`${query.path}.sql: ${mapped} of ${counted?.rows} rows were read`)
    await this.#result('DROP TABLE mapped_row')
  }

  /** Ends the running statement, and any after it, with an error. */
  interrupt(): void {
    this.#isInterrupted = true
    this.#connection.interrupt()
  }

  #result(sql: string, bindings?: SqlBindings, types?: Record<string, DuckDBType>): Promise<DuckDBResult> {
    if (this.#isInterrupted) throw new Error('interrupted')
    // A pending result (execute.ts) spares other threads; without any it only costs, since DuckDB plans each statement that
    // reads a variable a second time for it.
    if (this.#isSingleThreaded && bindings === undefined) return this.#connection.run(sql)
    return execute(this.#connection, sql, bindings, types)
  }

  close(): void {
    this.#appendConnection.closeSync()
    this.#connection.closeSync()
    this.#instance.closeSync()
  }
}
