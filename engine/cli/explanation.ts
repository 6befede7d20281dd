import type { Plan } from '../query.ts'
import { figure } from './figure.ts'
import { grid } from './grid.ts'
import { type AllReads, millisecondsOf, readsOf } from './reads.ts'
import { dotted, labelled, printable, type Style } from './terminal.ts'

export type Explanation = { plan: Plan; sql: string; reads: AllReads; milliseconds: number }

/** What a question does: its plan and SQL, what that read, and how long DuckDB took. */
export const explanation = (plan: Plan, sql: string, explained: readonly Record<string, unknown>[]): Explanation => ({
  plan,
  sql,
  reads: readsOf(explained),
  milliseconds: millisecondsOf(explained),
})

const INDENT = 14

/** Plain data in pieces that may stand on one line; of lists only the number of entries. */
const pieces = (value: unknown): string[] => {
  if (Array.isArray(value)) return [`${value.length} entries`]
  if (value === null || typeof value !== 'object') return [printable(String(value))]
  return dotted(Object.entries(value).map(([name, inner]) => `${name} ${pieces(inner).join(' ')}`))
}

const count = (value: number): string => figure(value, { name: '', path: [], kind: 'integer' })

const readsGrid = ({ by_table, ...total }: AllReads, style: Style): string[] => {
  const rows = [...Object.entries(by_table), ['total', total] as const]
  const column = (name: 'scans' | 'files' | 'rows') => ({
    name,
    isRight: true,
    cells: rows.map(([, reads]) => count(reads[name])),
  })
  const table = { name: 'table', isRight: false, cells: rows.map(([name]) => name) }
  return grid([table, column('scans'), column('files'), column('rows')], style)
}

/** An explanation for people. */
export const explanationPage = (explained: Explanation, width: number, style: Style): string[] => {
  const { query, context, ...plan } = explained.plan
  const entries = Object.entries({ query, ...plan, ...(context as Record<string, unknown>) })
  return [
    style.bold('plan'),
    ...entries.flatMap(([name, value]) => labelled(name, pieces(value), INDENT, width)),
    '',
    style.bold('sql'),
    ...explained.sql.trimEnd().split('\n'),
    '',
    style.bold('reads'),
    ...readsGrid(explained.reads, style),
    style.dim('Files are counted once per scan; rows after the filters pushed into the scans.'),
    `${explained.milliseconds} ms in DuckDB`,
  ]
}
