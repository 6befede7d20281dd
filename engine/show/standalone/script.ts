import type { BoundStatement } from '../../counts/read.ts'
import type { Bindings } from '../../duckdb/pool.ts'
import { type AnyQuery, type Plan, queryId } from '../../queries/query.ts'
import type { Execution } from '../../query/engine.ts'
import { definitionsOver, neededBy, type SnapshotFiles, type SqlDefinition, statementOf } from './definitions.ts'
import { literalOf, noteOf } from './values.ts'

/** Comments about the parts of an answer that come from memory and are not in the rows. */
const missingFromRows: Readonly<Record<string, string>> = {
  'public/stats': 'The other counts of the answer come from the manifest of the snapshot, in memory.',
  'shopper/best-price':
    'Which of the listings are meant, and which are the same product (match_type), comes from memory.',
  'analyst/category-summary':
    'The representative listings and their prices come from the statement of price-dispersion.',
  'reference/classify': 'Phrases (q) are looked up in the lexicon in memory: only browse nodes have rows.',
  'reference/reverse': 'Product types and the number of browse nodes come from memory.',
  'reference/brick-attributes': 'Product types and codes without attributes come from memory.',
}

const FROM_MEMORY = 'Answered from memory: no statement is run for this answer. Those below return the same rows.'

const quoted = (text: string): string => (/^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

/** The command line of a plan, without line breaks that would end a comment. */
const commandOf = ({ query, params }: Plan): string => {
  const options = Object.entries(params).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name.replaceAll('_', '-')} ${quoted(String(value))}`],
  )
  return ['shelfmark', query.replace('/', ' '), ...options].join(' ').replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
}

const comment = (lines: readonly string[]): string => lines.map((line) => `-- ${line}\n`).join('')

/** The views and macros that statements need. */
export const definitionsOf = (statements: Execution['statements'], files: SnapshotFiles): readonly SqlDefinition[] =>
  neededBy(
    statements.map(({ sql }) => sql),
    definitionsOver(files),
  )

/** A statement with variables in place of its placeholders. */
const statementText = ({ reads, sql }: BoundStatement): string => {
  const text = sql.trimEnd().replace(/\$(\w+)(?=::)/g, "getvariable('$1')")
  return `-- ${reads}\n-- Statement\n${text};`
}

/** How a plan is run, and over which files. */
export type ScriptSource = Execution & { files: SnapshotFiles }

/**
 * A plan as a standalone DuckDB script: views over the files by absolute path, macros, the bindings as variables, and the
 * statement of the query. It only creates temporary objects.
 */
export const scriptOf = (query: AnyQuery, plan: Plan, { statements, is_from_memory, files }: ScriptSource): string => {
  const definitions = definitionsOf(statements, files)
  const ofKind = (isMacro: boolean) => definitions.filter(({ kind }) => (kind === 'MACRO') === isMacro)
  const missing = missingFromRows[queryId(query)]
  const head = comment([
    commandOf(plan),
    `${query.summary}. As of ${plan.as_of.replace('.000', '')}, over snapshot ${plan.snapshot_id}.`,
    'The answer is computed from these rows: prices are in cents, times in seconds since 1970.',
    'Run it with DuckDB 1.5. It only creates temporary objects. The files exist until their snapshot is removed.',
    ...(is_from_memory ? [FROM_MEMORY] : []),
    ...(missing ? [missing] : []),
  ])
  const bindings: Bindings = Object.assign({}, ...statements.map((statement) => statement.bindings))
  const placeholders = new Set(
    statements.flatMap(({ sql }) => [...sql.matchAll(/\$(\w+)(?=::)/g)].map(([, name]) => name)),
  )
  const used = Object.entries(bindings).filter(([name]) => placeholders.has(name))
  const values = used.map(([name, value]) => {
    const note = noteOf(name)
    return `SET VARIABLE "${name}" = ${literalOf(value)};${note ? ` -- ${note}` : ''}`
  })
  const sections = [
    head.trimEnd(),
    ['-- Tables', ...ofKind(false).map((definition) => statementOf(definition, true))].join('\n'),
    ...ofKind(true).map((definition) => statementOf(definition, true)),
    ['-- Values', ...values].join('\n'),
    ...statements.map(statementText),
  ]
  return `${sections.join('\n\n')}\n`
}
