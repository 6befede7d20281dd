import { readFileSync } from 'node:fs'
import type { Manifest } from './manifest.ts'

const read = (name: string): string => readFileSync(new URL(`./sql/${name}.sql`, import.meta.url), 'utf8')

/** In the order in which they build on each other. */
const SQL_FILES =
  'statistics schema reference search current scope coverage listing-type listing-period series observed product social'
const definitions = SQL_FILES.split(' ').map(read).join('\n')

/** A view over the files of a folder for each country, month or year: its name, its folder, and how it is read. */
const PARTITIONED_VIEW =
  /CREATE VIEW (\w+) AS\s+SELECT \* FROM read_parquet\(getvariable\('snapshot'\) \|\| '\/(\w+)\/\*[^']*',([^;]+);/g

const emptyTables: ReadonlyMap<string, string> = new Map(
  [...read('empty-tables').matchAll(/^CREATE TABLE (\w+) [^;]+;/gm)].map(([statement, name = '']) => [name, statement]),
)

/** A text as SQL writes it. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/**
 * The statements that define the views and macros of a snapshot in a folder. A partitioned view reads the files that the
 * manifest names: a search for files leaves out, without a word, folders that it cannot open. A partitioned table without
 * files, as a lake of social posts alone has them, is an empty table in place of a view.
 */
export const definitionsFor = (files: Manifest['files'], folder: string): string =>
  definitions.replace(PARTITIONED_VIEW, (_, name: string, table: string, options: string) => {
    const paths = files
      .filter(({ path }) => path.startsWith(`${table}/`))
      .map(({ path }) => literal(`${folder}/${path}`))
    if (paths.length === 0) return emptyTables.get(name)!
    return `CREATE VIEW ${name} AS SELECT * FROM read_parquet([${paths.join()}],${options};`
  })
