import { readFileSync } from 'node:fs'
import type { Manifest } from './manifest.ts'
import { priceRelativeMacros } from './statistics/price-relative.ts'
import { promotionMacros } from './statistics/promotion.ts'

const read = (name: string): string => readFileSync(new URL(`./sql/${name}.sql`, import.meta.url), 'utf8')

/** In the order in which they build on each other. */
const SQL_FILES = 'schema reference search series social'

/** What statements and formulas share: macros made of the constants of statistics/. */
export const sharedMacros = priceRelativeMacros + promotionMacros

const definitions = [sharedMacros, ...SQL_FILES.split(' ').map(read)].join('\n')

/** A view over the files of a folder for each country, month or year: its name, its folder, and how it is read. */
const PARTITIONED_VIEW =
  /CREATE VIEW (\w+) AS\s+SELECT \* FROM read_parquet\(getvariable\('snapshot'\) \|\| '\/(\w+)\/\*[^']*',([^;]+);/g

/** A file of a snapshot, in a table of one file. */
const SNAPSHOT_FILE = /getvariable\('snapshot'\) \|\| '([^']+)'/g

/** The table that each view is over (data/README.md), by the view's name. */
export const viewTables: ReadonlyMap<string, string> = new Map(
  [...definitions.matchAll(/CREATE VIEW (\w+) AS\s+SELECT \* FROM read_parquet\([^/]*\/(\w+)/g)].map(
    ([, name = '', table = '']) => [name, table],
  ),
)

const emptyTables: ReadonlyMap<string, string> = new Map(
  [...read('empty-tables').matchAll(/^CREATE TABLE (\w+) [^;]+;/gm)].map(([statement, name = '']) => [name, statement]),
)

/** A text as SQL writes it. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** The paths of a partitioned table's files as SQL lists them; empty without files. */
const pathList = (files: Manifest['files'], folder: string, table: string): string =>
  files
    .filter(({ path }) => path.startsWith(`${table}/`))
    .map(({ path }) => literal(`${folder}/${path}`))
    .join(',\n  ')

/**
 * The statements that define the views and macros of a snapshot in a folder. A partitioned view reads the files that the
 * manifest names: a search for files leaves out, without a word, folders that it cannot open. A partitioned table without
 * files, as a lake of social posts alone has them, is an empty table in place of a view.
 */
export const definitionsFor = (files: Manifest['files'], folder: string): string =>
  definitions
    .replace(PARTITIONED_VIEW, (_, name: string, table: string, options: string) => {
      const paths = pathList(files, folder, table)
      if (paths === '') return emptyTables.get(name)!
      return `CREATE VIEW ${name} AS\nSELECT * FROM read_parquet([\n  ${paths}],${options};`
    })
    .replace(SNAPSHOT_FILE, (_, path: string) => literal(`${folder}${path}`))
