import { literal, viewTables } from '../../duckdb/tables.ts'
import { definitionsOver, type SnapshotFiles, type SqlDefinition, tableMacros } from './definitions.ts'

const viewOf: ReadonlyMap<string, string> = new Map([...viewTables].map(([view, table]) => [table, view]))

/** Views named like the tables (data/README.md), for tables without an engine view of the same name. */
const tableViews = ({ files, folder }: SnapshotFiles): SqlDefinition[] => {
  const inOneFile = files.flatMap(({ path }) => /^(\w+)\.parquet$/.exec(path)?.[1] ?? [])
  const names = [...new Set([...inOneFile, ...viewOf.keys()])].filter((name) => viewOf.get(name) !== name)
  return names.sort().map((name): SqlDefinition => {
    const source = viewOf.get(name) ?? `read_parquet(${literal(`${folder}/${name}.parquet`)})`
    return { kind: 'VIEW', name, body: ` AS SELECT * FROM ${source}`, comment: '' }
  })
}

/** The names available to an analyst's SQL: the engine's views and macros, and the tables. */
export const analystDefinitions = (files: SnapshotFiles): SqlDefinition[] => [
  ...definitionsOver(files),
  ...tableMacros,
  ...tableViews(files),
]
