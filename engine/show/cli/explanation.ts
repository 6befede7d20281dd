import type { Definition } from '../../contract/definition.ts'
import type { AnyQuery, Plan } from '../../queries/query.ts'
import type { Execution } from '../../query/engine.ts'
import { readableLine } from '../readable.ts'
import { type SqlDefinition, statementOf } from '../standalone/definitions.ts'
import { literalOf, noteOf } from '../standalone/values.ts'
import { number } from '../text.ts'
import { truncateCells } from './cells.ts'
import { grid } from './grid.ts'
import { type AllReads, millisecondsOf, readsOf } from './reads.ts'
import { dotted, labelled, type Style, wrap } from './terminal.ts'

export type Explanation = {
  definition: Definition
  plan: Plan
  /** Whether all is read from memory, so that no statement is run. */
  from_memory: boolean
  /** The statements in their order, each after a comment with the names of what it reads. */
  sql: string
  /** The macros that the SQL needs, by name. */
  macros: Record<string, string>
  reads: AllReads
  /** Of a single run of the statements, in which DuckDB reads the files for the first time. */
  milliseconds: number
}

/** How a plan is run: its statements, the views and macros they use, and DuckDB's profiles; null if it is answered from memory. */
export type ExplainedPlan = {
  statements: Execution['statements']
  definitions: readonly SqlDefinition[]
  profiles: readonly (readonly Record<string, unknown>[])[] | null
}

/** The definition, plan and SQL of a query, what the SQL read, and how long DuckDB took. */
export const explanation = (
  { definition }: Pick<AnyQuery, 'definition'>,
  plan: Plan,
  { statements, definitions, profiles }: ExplainedPlan,
): Explanation => ({
  definition,
  plan,
  from_memory: profiles === null,
  sql: statements.map(({ reads, sql }) => `-- ${reads}\n${sql.trimEnd()}`).join(';\n\n'),
  macros: Object.fromEntries(
    definitions
      .filter(({ kind }) => kind === 'MACRO')
      .map((macro): [string, string] => [macro.name, statementOf(macro)]),
  ),
  reads: readsOf(profiles ?? []),
  milliseconds: millisecondsOf(profiles ?? []),
})

const INDENT = 14
const VALUE_INDENT = 20

/** Plain data in pieces that are not broken across lines; for lists only the number of entries. */
const pieces = (value: unknown): string[] => {
  if (Array.isArray(value)) return [`${value.length} entries`]
  if (value === null || typeof value !== 'object') return [readableLine(String(value))]
  return dotted(Object.entries(value).map(([name, inner]) => `${name} ${pieces(inner).join(' ')}`))
}

const readsGrid = ({ by_table, ...total }: AllReads, width: number, style: Style): string[] => {
  const rows = [...Object.entries(by_table), ['total', total] as const]
  const column = (name: 'scans' | 'files' | 'rows') => ({
    title: name,
    isRight: true,
    cells: rows.map(([, reads]) => number(reads[name])),
  })
  const table = { title: 'table', isRight: false, cells: rows.map(([name]) => name) }
  return grid([table, column('scans'), column('files'), column('rows')], width, style)
}

/** The values bound to the SQL's placeholders, each with its meaning; a value longer than a line is truncated. */
const valueLines = ({ bindings }: Plan, width: number): string[] =>
  Object.entries(bindings).flatMap(([name, value]) => {
    const room = Math.max(20, width - VALUE_INDENT - 2)
    const truncated = truncateCells(readableLine(literalOf(value)), room)
    return labelled(`$${name}`, dotted([truncated, noteOf(name) ?? ''].filter(Boolean)).join(' '), VALUE_INDENT, width)
  })

const READS_NOTE =
  'Files are counted once per scan. Rows are those that passed the filters pushed into the scans; DuckDB does not ' +
  'report how many it looked at.'

const readLines = ({ from_memory, reads, milliseconds }: Explanation, width: number, style: Style): string[] =>
  from_memory
    ? wrap(
        'From memory: no statement is run for this answer, and nothing is read. The SQL returns the same rows.',
        width,
      )
    : [
        ...readsGrid(reads, width, style),
        ...wrap(READS_NOTE, width).map(style.dim),
        `${milliseconds} ms in DuckDB, one cold run`,
      ]

/** An explanation as text. */
export const explanationPage = (explained: Explanation, width: number, style: Style): string[] => {
  const { query, context, bindings, ...plan } = explained.plan
  const macros = Object.values(explained.macros)
  const entries = Object.entries({ query, ...plan, ...(context as Record<string, unknown>) })
  return [
    style.bold('definition'),
    ...Object.entries(explained.definition).flatMap(([name, text]) =>
      labelled(name, [text].flat().join(' ').replaceAll('`', ''), INDENT, width),
    ),
    '',
    style.bold('plan'),
    ...entries.flatMap(([name, value]) => labelled(name, pieces(value), INDENT, width)),
    '',
    style.bold('values'),
    ...valueLines(explained.plan, width),
    '',
    ...(macros.length > 0 ? [style.bold('macros'), ...macros.join('\n\n').split('\n'), ''] : []),
    style.bold('sql'),
    ...explained.sql.trimEnd().split('\n'),
    '',
    style.bold('reads'),
    ...readLines(explained, width, style),
  ]
}
