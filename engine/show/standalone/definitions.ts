import { readFileSync } from 'node:fs'
import { GENERAL_VARIANTS, withRelations } from '../../counts/variants.ts'
import { constantMacros, definitionsFor, type SnapshotConstants } from '../../duckdb/tables.ts'
import type { Manifest } from '../../lake/manifest.ts'

/** A view, a macro, or the empty table for a table without files. */
export type SqlDefinition = {
  kind: 'VIEW' | 'MACRO' | 'TABLE'
  name: string
  /** The text from the name to the semicolon. */
  body: string
  /** The preceding comment; empty for views, which data/README.md describes. */
  comment: string
}

/** The files of a snapshot with the absolute path of its folder, and what its macros depend on. */
export type SnapshotFiles = Pick<Manifest, 'files'> & SnapshotConstants & { folder: string }

const STATEMENT = /((?:^--.*\n)*)^CREATE (VIEW|MACRO|TABLE) (\w+)([^;]*);/gm

const withoutComments = (sql: string): string => sql.replace(/--.*$/gm, '')

const usesIn = (sql: string, definitions: readonly SqlDefinition[]): SqlDefinition[] =>
  definitions.filter(({ kind, name }) =>
    new RegExp(kind === 'MACRO' ? `\\b${name}\\(` : `\\b(FROM|JOIN) ${name}\\b`).test(withoutComments(sql)),
  )

/** The definitions that statements depend on, directly or indirectly. */
export const neededBy = (
  statements: readonly string[],
  definitions: readonly SqlDefinition[],
): readonly SqlDefinition[] => {
  const needed = new Set<SqlDefinition>()
  const add = (sql: string): void => {
    for (const definition of usesIn(sql, definitions)) {
      if (needed.has(definition)) continue
      needed.add(definition)
      add(definition.body)
    }
  }
  for (const sql of statements) add(sql)
  return definitions.filter((definition) => needed.has(definition))
}

const definitionsIn = (sql: string): SqlDefinition[] =>
  [...sql.matchAll(STATEMENT)].map(([, comment = '', kind, name = '', body = '']) => ({
    kind: kind as SqlDefinition['kind'],
    name,
    body,
    comment: kind === 'MACRO' ? comment : '',
  }))

/** The views and macros of a snapshot, in order of dependency. */
export const definitionsOver = ({ files, folder, ...constants }: SnapshotFiles): SqlDefinition[] => [
  ...definitionsIn(constantMacros(constants)),
  ...definitionsIn(definitionsFor({ files }, folder)),
]

/** Expands the relations in the statement after AS TABLE; their placeholders become the parameters of the macro. */
const withParameters = (body: string): string =>
  body.replace(/(?<=AS TABLE\n)[\s\S]*/, (statement) =>
    withRelations(statement, GENERAL_VARIANTS).replace(/\$(?=\w+::)/g, 'in_'),
  )

/** Relations as macros, for SQL that has no placeholders. */
export const tableMacros: readonly SqlDefinition[] = definitionsIn(
  readFileSync(new URL('./macros.sql', import.meta.url), 'utf8'),
).map((macro) => ({ ...macro, body: withParameters(macro.body) }))

/** A definition as a statement; `temporary` ones may be replaced and are not stored in the database. */
export const statementOf = ({ kind, name, body, comment }: SqlDefinition, temporary = false): string =>
  `${comment}CREATE ${temporary ? 'OR REPLACE TEMP ' : ''}${kind} ${name}${body};`
