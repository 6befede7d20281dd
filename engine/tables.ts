import { readFileSync } from 'node:fs'
import type { Manifest } from './manifest.ts'

const read = (name: string): string => readFileSync(new URL(`./sql/${name}.sql`, import.meta.url), 'utf8')

/** In the order in which they build on each other. */
const SQL_FILES =
  'statistics schema reference search current scope coverage listing-type listing-period series observed product social'
const definitions = SQL_FILES.split(' ').map(read).join('\n')

/** A view over the files of a folder for each country, month or year. */
const PARTITIONED_VIEW =
  /CREATE VIEW (\w+) AS\s+SELECT \* FROM read_parquet\(getvariable\('snapshot'\) \|\| '\/(\w+)\/\*[^;]+;/g

const emptyTables: ReadonlyMap<string, string> = new Map(
  [...read('empty-tables').matchAll(/^CREATE TABLE (\w+) [^;]+;/gm)].map(([statement, name = '']) => [name, statement]),
)

/**
 * The statements that define a snapshot's views and macros. A partitioned table without files, as a lake of social posts
 * alone has them, is an empty table in place of a view.
 */
export const definitionsFor = (files: Manifest['files']): string => {
  const folders = new Set(files.map(({ path }) => path.split('/')[0]))
  return definitions.replace(PARTITIONED_VIEW, (view, name: string, folder: string) =>
    folders.has(folder) ? view : emptyTables.get(name)!,
  )
}
