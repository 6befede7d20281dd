import type { Manifest } from '../manifest.ts'
import { definitionsFor } from '../tables.ts'

/** A view, a macro or the empty table of a snapshot without such files, under a name without a schema. */
export type SqlDefinition = {
  kind: 'VIEW' | 'MACRO' | 'TABLE'
  name: string
  /** What follows the name, up to the semicolon. */
  body: string
  /** Lines of the comment before it; views have none, since data/README.md describes them. */
  comment: string
}

/** The files of a snapshot, in an absolute folder, and the number below which a shelf is thin. */
export type SnapshotFiles = Pick<Manifest, 'files' | 'thin_below'> & { folder: string }

type Found = { isOnPath: boolean }

const STATEMENT = /((?:^--.*\n)*)^CREATE (VIEW|MACRO|TABLE) (?:(\w+)\.)?(\w+)([^;]*);/gm

const withoutComments = (sql: string): string => sql.replace(/--.*$/gm, '')

/** `months.listing_period(` as `months_listing_period(`, for all schemas that definitions are in. */
const withoutSchemas = (sql: string, schemas: ReadonlySet<string>): string =>
  sql.replace(/\b(\w+)\.(\w+)(?=\()/g, (text, schema: string, name: string) =>
    schemas.has(schema) ? `${schema}_${name}` : text,
  )

const usesIn = (sql: string, definitions: readonly SqlDefinition[]): SqlDefinition[] =>
  definitions.filter(({ kind, name }) =>
    new RegExp(kind === 'MACRO' ? `\\b${name}\\(` : `\\b(FROM|JOIN) ${name}\\b`).test(withoutComments(sql)),
  )

/** Those definitions that statements need, and what these need in turn. */
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

const thinBelow = (limit: number): SqlDefinition => ({
  kind: 'MACRO',
  name: 'thin_below',
  body: `() AS ${limit}`,
  comment: '-- A shelf with fewer listings seen in 90 days is thin.\n',
})

/**
 * The views and macros of a snapshot without schemas, in the order in which they build on each other: those that the
 * search path finds, and of the others what these need, with the name of their schema before their own.
 */
export const definitionsOn = (search_path: string, { files, folder, thin_below }: SnapshotFiles): SqlDefinition[] => {
  const found = [...definitionsFor(files, folder).matchAll(STATEMENT)]
  const schemas = new Set(found.flatMap(([, , , schema]) => schema ?? []))
  const isOnPath = (schema: string | undefined) => schema === undefined || search_path.split(',').includes(schema)
  const definitions = found.map(([, comment = '', kind, schema, name = '', body = '']): SqlDefinition & Found => ({
    kind: kind as SqlDefinition['kind'],
    name: isOnPath(schema) ? name : `${schema}_${name}`,
    body: withoutSchemas(body, schemas),
    comment: kind === 'MACRO' ? comment : '',
    isOnPath: isOnPath(schema),
  }))
  const bodies = definitions.filter((definition) => definition.isOnPath).map(({ body }) => body)
  const needed = new Set(neededBy(bodies, definitions))
  return [thinBelow(thin_below), ...definitions.filter((found) => found.isOnPath || needed.has(found))]
}

/** A definition as a statement; `temporary` ones replace each other and leave the database as it is. */
export const statementOf = ({ kind, name, body, comment }: SqlDefinition, temporary = false): string =>
  `${comment}CREATE ${temporary ? 'OR REPLACE TEMP ' : ''}${kind} ${name}${body};`
