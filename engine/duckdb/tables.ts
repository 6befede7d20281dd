import { readFileSync } from 'node:fs'
import type { CountryPrices } from '../contract/places.ts'
import type { Countries } from '../lake/countries.ts'
import { isFact } from '../lake/facts.ts'
import { LISTINGS_PER_BLOCK, type Manifest } from '../lake/manifest.ts'
import { priceClaimMacros } from '../statistics/price-claim.ts'
import { priceRelativeMacros } from '../statistics/price-relative.ts'
import { priceSettingMacros } from '../statistics/price-setting.ts'
import { promotionMacros } from '../statistics/promotion.ts'
import { shrinkflationMacros } from '../statistics/shrinkflation.ts'

const read = (name: string): string => readFileSync(new URL(`./sql/${name}.sql`, import.meta.url), 'utf8')

/** In order of dependency. */
const SQL_FILES = 'schema reference series social'

const blockMacro = `
-- The blocks of listing_days that have these listings, a text of ids separated by commas.
CREATE MACRO listing_blocks(in_listing_ids) AS
  list_transform(string_split(in_listing_ids, ','), lambda id: (id::INTEGER // ${LISTINGS_PER_BLOCK})::VARCHAR);
`

/** Macros generated from the constants in TypeScript, so that it and SQL use the same ones. */
export const sharedMacros =
  priceRelativeMacros + promotionMacros + priceClaimMacros + priceSettingMacros + shrinkflationMacros + blockMacro

const definitions = [sharedMacros, ...SQL_FILES.split(' ').map(read)].join('\n')

/** What macros of a snapshot depend on besides its files. */
export type SnapshotConstants = { thin_below: number; countries: Countries }

const cases = (countries: Countries, written: (prices: CountryPrices) => string): string =>
  [...countries].map(([code, prices]) => `WHEN ${literal(code)} THEN ${written(prices)}`).join(' ')

/** Macros of the constants of a snapshot. */
export const constantMacros = ({ thin_below, countries }: SnapshotConstants): string => `
-- A shelf with fewer listings seen in 90 days is thin.
CREATE MACRO thin_below() AS ${thin_below};

-- The currency of a country's prices.
CREATE MACRO currency_of(in_country) AS CASE in_country ${cases(countries, ({ currency }) => literal(currency))} END;

-- A stored price of a country in units of its currency.
CREATE MACRO in_units(in_price, in_country) AS
  in_price / CASE in_country ${cases(countries, ({ decimals }) => `${10 ** decimals}.0`)} END;
`
/** A view over files partitioned by country, month or year: its name, its folder and its read options. */
const PARTITIONED_VIEW =
  /CREATE VIEW (\w+) AS\s+SELECT \* FROM read_parquet\(getvariable\('snapshot'\) \|\| '\/(\w+)\/\*[^']*',([^;]+);/g

/** A view over a table with a single file: its name and that of the file. */
const WHOLE_VIEW =
  /CREATE VIEW (\w+) AS SELECT \* FROM read_parquet\(getvariable\('snapshot'\) \|\| '\/(\w+\.parquet)'\);/g

/** The path of a table with a single file. */
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

/** A view that fails when it is read, in place of one over files of facts, which only the nodes of a cluster have. */
const elsewhere = (name: string): string => {
  const failing = `error('${name} is on the nodes of the cluster, not in this lake')`
  const columns = [...emptyTables.get(name)!.matchAll(/(\w+) ([A-Z]+)(?=,|\n\))/g)].map(
    ([, column, type]) => `${failing}::${type} AS ${column}`,
  )
  return `CREATE VIEW ${name} AS SELECT ${columns.join(', ')} FROM range(1) WHERE ${failing} IS NULL;`
}

/** A name as an SQL identifier. */
export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A text as an SQL literal. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** The paths of a partitioned table's files as an SQL list; empty if there are none. */
const pathList = (files: Manifest['files'], folder: string, table: string): string =>
  files
    .filter(({ path }) => path.startsWith(`${table}/`))
    .map(({ path }) => literal(`${folder}/${path}`))
    .join(',\n  ')

/**
 * The statements that define the views and macros of a snapshot in a folder. A partitioned view lists the files of the
 * manifest, since a glob silently skips folders that it cannot open. A partitioned table without files, as in a lake that
 * only has social posts, is defined as an empty table instead of a view.
 * Without facts, reading a table of them fails.
 */
export const definitionsFor = ({ files }: Pick<Manifest, 'files'>, folder: string, hasFacts = true): string =>
  definitions
    .replace(PARTITIONED_VIEW, (_, name: string, table: string, options: string) => {
      if (!hasFacts && isFact(table)) return elsewhere(name)
      const paths = pathList(files, folder, table)
      if (paths === '') return emptyTables.get(name)!
      return `CREATE VIEW ${name} AS\nSELECT * FROM read_parquet([\n  ${paths}],${options};`
    })
    .replace(WHOLE_VIEW, (view, name: string, file: string) =>
      files.some(({ path }) => path === file) ? view : (emptyTables.get(name) ?? view),
    )
    .replace(SNAPSHOT_FILE, (_, path: string) => literal(`${folder}${path}`))
