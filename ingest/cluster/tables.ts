import type { ManifestFile } from '../../engine/index.ts'

/** Every node has all of it; of the other tables it has the rows of its listings. */
export const WHOLE_TABLE = 'shelf_day'

/** The tables that are divided by months or years, and by which column of theirs and of the paths of their files. */
const PARTITIONED: Readonly<Record<string, string>> = {
  listing_month: 'year',
  observation: 'month',
  observation_time: 'month',
}

/** The partition of a row: '' in a table that is not divided by time. */
export const partitionOf = (table: string): string => PARTITIONED[table] ?? "''"

/** The partition that the rows of a file of a table are in. */
export const partitionOfFile = (table: string, path: string): string =>
  new RegExp(`/${PARTITIONED[table]}=([^/]+)/`).exec(path)?.[1] ?? ''

/** A partition as statements that change it name it. */
export const partitionSql = (part: string): string => (part === '' ? 'tuple()' : `'${part}'`)

/** The columns that the folders of a file are named by. */
export const folderColumns = (path: string): Record<string, string> =>
  Object.fromEntries([...path.matchAll(/(\w+)=([^/]+)\//g)].map(([, name, value]) => [name!, value!]))

/** The files of a table: one, or those in a folder. */
export const filesOf = <File extends Pick<ManifestFile, 'path'>>(files: readonly File[], table: string): File[] =>
  files.filter(({ path }) => /^\w+/.exec(path)?.[0] === `${table}s`)
