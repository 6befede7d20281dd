import { readFileSync } from 'node:fs'
import {
  type DuckDBAppender,
  type DuckDBConnection,
  DuckDBInstance,
  type DuckDBMapValue,
  type DuckDBType,
  type DuckDBValue,
  LIST,
  MAP,
  mapValue,
  VARCHAR,
} from '@duckdb/node-api'
import type { z } from 'zod'

export type DatabaseOptions = {
  /** Where what does not fit in memory goes. */
  spill: string
  memory_limit: string
  threads?: number | undefined
}

export type Bindings = Record<string, DuckDBValue>
/** What can be appended: text, whole numbers of 32 bits, and lists of text. */
export type Value = string | number | boolean | null | readonly string[]

/**
 * A step of a refresh in SQL: the statements of one file, which stands beside the module that runs it. Its first line
 * names the tables, views and variables it reads and those it makes: `-- in: ... out: ...`.
 */
export type Step = { path: string; text: string }

/** A step whose last statement answers rows; `row` has a field for each of its columns. */
export type Query<Row> = Step & { row: z.ZodType<Row> }

/** Every step that a module defines, by its path relative to `ingest`, such as `facts/merge`. */
export const STEPS = new Map<string, Step | Query<unknown>>()

const read = (module: string, name: string): Step => {
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
export const step = (module: string, name: string): Step => {
  const defined = read(module, name)
  STEPS.set(defined.path, defined)
  return defined
}

/** Defines a step that answers rows of this form. */
export const query = <Row>(module: string, name: string, row: z.ZodType<Row>): Query<Row> => {
  const defined = { ...read(module, name), row }
  STEPS.set(defined.path, defined)
  return defined
}

const sources = new Map<string, string>()

const statement = (name: string | Step): string => {
  if (typeof name !== 'string') return name.text
  const known = sources.get(name)
  if (known !== undefined) return known
  const text = readFileSync(new URL(`./${name}.sql`, import.meta.url), 'utf8')
  sources.set(name, text)
  return text
}

const assignments = {
  file: 'SET VARIABLE file = $value',
  headers: 'SET VARIABLE headers = $value',
  lists: 'SET VARIABLE lists = $value',
  sources: 'SET VARIABLE sources = $value',
  constants: 'SET VARIABLE constants = $value',
  vocabulary: 'SET VARIABLE vocabulary = $value',
  brand_prefixes: 'SET VARIABLE brand_prefixes = $value',
  said: 'SET VARIABLE said = $value',
  condition_hint: 'SET VARIABLE condition_hint = $value',
  lake: 'SET VARIABLE lake = $value',
  partition: 'SET VARIABLE partition = $value',
} as const

type Variable = keyof typeof assignments

/** A value of type MAP. */
export const mapOf = <T>(entries: Readonly<Record<string, T>>, read: (entry: T) => DuckDBValue): DuckDBMapValue =>
  mapValue(Object.entries(entries).map(([key, entry]) => ({ key, value: read(entry) })))

const appendRow = (appender: DuckDBAppender, row: readonly Value[]): void => {
  for (const value of row) {
    if (value === null) appender.appendNull()
    else if (typeof value === 'string') appender.appendVarchar(value)
    else if (typeof value === 'number') appender.appendInteger(value)
    else if (typeof value === 'boolean') appender.appendBoolean(value)
    else appender.appendList([...value], LIST(VARCHAR))
  }
  appender.endRow()
}

/** The working database of one refresh: in memory, spilling to the staging folder. Statements are the files of `sql`. */
export class Database {
  readonly #instance: DuckDBInstance
  readonly #connection: DuckDBConnection
  // Rows cannot be appended on a connection whose answer is still being read.
  readonly #second: DuckDBConnection
  #isInterrupted = false

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection, second: DuckDBConnection) {
    this.#instance = instance
    this.#connection = connection
    this.#second = second
  }

  static async open({ spill, memory_limit, threads }: DatabaseOptions): Promise<Database> {
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit,
      temp_directory: spill,
      ...(threads ? { threads: String(threads) } : {}),
    })
    const database = new Database(instance, await instance.connect(), await instance.connect())
    await database.run('setup')
    return database
  }

  /** Runs the statements of one file; with bindings, a file of one statement. */
  async run(name: string | Step, bindings?: Bindings): Promise<void> {
    await this.#connection.run(this.#statement(name), bindings)
  }

  async rows<Row>(name: string | Query<Row>, bindings?: Bindings): Promise<Row[]> {
    const result = await this.#connection.runAndReadAll(this.#statement(name), bindings)
    return result.getRowObjectsJS() as Row[]
  }

  /** The one row a statement answers with. */
  async row<Row>(name: string | Query<Row>, bindings?: Bindings): Promise<Row> {
    const [first] = await this.rows<Row>(name, bindings)
    if (first === undefined) throw new Error(`${typeof name === 'string' ? name : name.path}.sql answers no row`)
    return first
  }

  /** Tells the statements that follow, through a variable, what they work on. */
  async set(variable: Variable, value: DuckDBValue, type: DuckDBType): Promise<void> {
    await this.#connection.run(assignments[variable], { value }, { value: type })
  }

  /** As a map of texts: `getvariable('file')['path']`, null where there is no such key. */
  async setTexts(variable: Variable, texts: Readonly<Record<string, string>>): Promise<void> {
    await this.set(
      variable,
      mapOf(texts, (text) => text),
      MAP(VARCHAR, VARCHAR),
    )
  }

  /** Appends to a table; the values of a row are in the order of the table's columns. */
  async append(table: string, rows: Iterable<readonly Value[]>): Promise<void> {
    const appender = await this.#second.createAppender(table)
    for (const row of rows) appendRow(appender, row)
    appender.closeSync()
  }

  /** Reads what a statement answers, a chunk at a time, and appends what `read` makes of each row to a table. */
  async transcribe<Row>(name: string | Query<Row>, table: string, read: (row: Row) => readonly Value[]): Promise<void> {
    const result = await this.#connection.stream(this.#statement(name))
    const appender = await this.#second.createAppender(table)
    for await (const rows of result.yieldRowObjectJs()) for (const row of rows) appendRow(appender, read(row as Row))
    appender.closeSync()
  }

  /** Ends the statement under way, and any after it, with an error. */
  interrupt(): void {
    this.#isInterrupted = true
    this.#connection.interrupt()
  }

  #statement(name: string | Step): string {
    if (this.#isInterrupted) throw new Error('interrupted')
    return statement(name)
  }

  close(): void {
    this.#second.closeSync()
    this.#connection.closeSync()
    this.#instance.closeSync()
  }
}
