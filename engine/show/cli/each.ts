import { EngineError, invalidParam } from '../../contract/errors.ts'
import { readParams } from '../../contract/params.ts'
import type { AnyQuery } from '../../queries/query.ts'
import type { Engine } from '../../query/engine.ts'
import { columnsOf, type TableColumn } from '../answer-fields.ts'
import { requireTarget } from '../standalone/files.ts'
import { titles } from '../title.ts'
import { figureFields } from './answer-page.ts'
import type { EachCommand } from './command.ts'
import type { Each } from './each-param.ts'
import { INTERRUPTED, refusal } from './refusal.ts'
import { type Table, tableOf, withColumns } from './table.ts'
import { writeTable } from './table-output.ts'
import { tablePage } from './table-page.ts'
import { type Sink, styleOf, type Terminal, titled } from './terminal.ts'

/** The values of each parameter: paths in the order of the tree, retailers by key, brands with most listings first. */
const VALUES: Readonly<Record<Each['param'], string>> = {
  category: `SELECT path AS value FROM category
    WHERE product_count > 0 AND ($under::VARCHAR IS NULL OR starts_with(path || '/', lower($under::VARCHAR) || '/'))
    ORDER BY path`,
  retailer: `SELECT platform AS value FROM retailer
    WHERE $country::VARCHAR IS NULL OR list_contains(countries, $country::VARCHAR) ORDER BY platform`,
  brand: 'SELECT brand AS value FROM brand ORDER BY product_count DESC, brand_norm',
}

const valuesOf = async (engine: Engine, { each, given }: EachCommand): Promise<string[]> => {
  const { param, under } = each
  const country = given.country ?? engine.countries.usual
  const rows = await engine.rows(VALUES[param], { under, country })
  if (rows.length === 0 && under !== null)
    throw invalidParam('each', `no category "${under}" has listings; the query public/categories lists paths`)
  return rows.map(({ value }) => String(value))
}

/** The answer to the query with one value of the parameter, or why it was refused. */
type Outcome = { value: string; answer: Record<string, unknown> } | { value: string; error: EngineError }

/** Throws INVALID_PARAMS if another parameter is invalid, since it would be for every value. */
const outcomeOf = async (engine: Engine, command: EachCommand, value: string): Promise<Outcome> => {
  const { query, each, given } = command
  try {
    const plan = await engine.plan(query, readParams(query, { ...given, [each.param]: value }))
    return { value, answer: (await engine.run(plan)) as Record<string, unknown> }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    if (error.code === 'INVALID_PARAMS' && error.details.parameter !== each.param) throw error
    return { value, error }
  }
}

const asJson = ({ param }: Each, outcome: Outcome): string => {
  const { value, ...rest } = outcome
  return JSON.stringify({ [param]: value, ...('error' in rest ? refusal(rest.error) : rest) })
}

const textColumn = (name: string, title: string): TableColumn => ({ name, title, kind: 'text' })

/** A row for each value: the figures of its answer, the headline first, and the code and message of a refusal. */
const tableOfOutcomes = (query: AnyQuery, { param }: Each, outcomes: readonly Outcome[]): Table => {
  const fields = figureFields(query).filter(({ name, isDeprecated }) => name !== param && !isDeprecated)
  const columns = [
    textColumn(param, titles[param] ?? param),
    ...columnsOf(fields),
    textColumn('refusal', 'Refusal'),
    textColumn('message', 'Message'),
  ]
  const records = outcomes.map((outcome) =>
    'error' in outcome
      ? { [param]: outcome.value, refusal: outcome.error.code, message: outcome.error.message }
      : { ...outcome.answer, [param]: outcome.value },
  )
  return tableOf(`By ${param}`, columns, records)
}

/** A table without the columns that have no value in any row. */
const withoutEmpty = (table: Table): Table => withColumns(table, (i) => table.rows.some((row) => row[i] !== null))

const page = ({ query, each }: EachCommand, outcomes: readonly Outcome[], stdout: Sink): string => {
  const style = styleOf(stdout)
  const head = titled(`${query.group} ${query.name}`, query.summary, stdout.columns, style)
  const table = withoutEmpty(tableOfOutcomes(query, each, outcomes))
  const answered = outcomes.find((outcome) => 'answer' in outcome)
  return `${[...head, '', ...tablePage(table, stdout.columns, style, { currency: answered?.answer.currency })].join('\n')}\n`
}

/** Shows on a terminal how many values are done, in one line. */
const progress = ({ stderr }: Terminal, done: number, total: number, value: string): void => {
  if (stderr.isTerminal) stderr.write(`\r\x1b[K${done < total ? `${done} of ${total}: ${value}` : ''}`)
}

const write = async (command: EachCommand, outcomes: readonly Outcome[], terminal: Terminal): Promise<void> => {
  const { query, each, output } = command
  const { stdout } = terminal
  if (!('format' in output)) return writeTable(tableOfOutcomes(query, each, outcomes), output, terminal)
  const { format } = output
  if (format === 'page') stdout.write(page(command, outcomes, stdout))
  else if (format === 'json') stdout.write(`[${outcomes.map((outcome) => asJson(each, outcome)).join(',\n')}]\n`)
  else await writeTable(tableOfOutcomes(query, each, outcomes), { format }, terminal)
}

/**
 * Runs a query for each value of a parameter and writes all outcomes: a list in JSON, else a table. Ctrl-C writes those so
 * far. Returns the exit code: 0 if a query was answered, 1 if all were refused, 130 if it was interrupted.
 */
export const runEach = async (engine: Engine, command: EachCommand, terminal: Terminal): Promise<number> => {
  const { output, lake } = command
  if ('parquet' in output) requireTarget('parquet', output.parquet, lake)
  let isInterrupted = false
  const release = terminal.onInterrupt?.(() => {
    isInterrupted = true
  })
  try {
    const values = await valuesOf(engine, command)
    const outcomes: Outcome[] = []
    for (const value of values) {
      if (isInterrupted) break
      progress(terminal, outcomes.length, values.length, value)
      outcomes.push(await outcomeOf(engine, command, value))
    }
    progress(terminal, values.length, values.length, '')
    await write(command, outcomes, terminal)
    if (outcomes.length < values.length)
      terminal.stderr.write(`Interrupted after ${outcomes.length} of ${values.length}.\n`)
    if (isInterrupted) return INTERRUPTED
    return outcomes.some((outcome) => 'answer' in outcome) ? 0 : 1
  } finally {
    release?.()
  }
}
