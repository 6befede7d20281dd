import { readdirSync, readFileSync } from 'node:fs'
import type { Bindings } from '../duckdb/pool.ts'
import { isAllBefore, type Manifest } from '../lake/manifest.ts'

/**
 * Relations are subqueries that several statements share: `FROM current_listing` refers to a CTE that is prepended to the
 * statement, with the SQL of `sql/relations/current-listing-VARIANT.sql`. Relations use the placeholders of the queries and
 * may refer to other relations. DuckDB plans every table that a statement names, which costs as much as reading it.
 * Therefore some relations have variants, each naming only the tables that its kind of query reads.
 */
export type Variants = ReturnType<typeof variantsFor>

/** Days; whole months only; no whole month; whole months with partial ones at the ends. */
const periodVariant = ({ unit, month_from, month_to, whole_from, whole_to }: Bindings) => {
  if (unit === 'day') return 'each_day'
  if (month_from === whole_from && month_to === whole_to) return 'months'
  return String(whole_from) > String(whole_to) ? 'days' : 'months_and_days'
}

/** The variants for a statement with these bindings over a snapshot. */
export const variantsFor = (bindings: Bindings, snapshot: Pick<Manifest, 'observed_to' | 'files'>) => {
  const { gpc_first = null, brand_id = null, before = null, listing_ids = null, seen_counts = null } = bindings
  // The listings contain the current prices as of the newest observation; for an earlier moment the observations are read.
  const moment = before === null || isAllBefore(snapshot, String(before)) ? 'latest' : 'past'
  // A product type (a GPC code) is a subset of its categories.
  const type = gpc_first === null ? 'any_type' : 'one_type'
  // Shelves record when they were observed as a whole; for a brand or a product type the listings are read.
  const observed_between = gpc_first === null && brand_id === null ? 'by_shelf' : 'by_listing'
  // The days of a few listings are read from the observations by listing, which snapshots of earlier formats lack.
  const is_by_listing = listing_ids !== null && snapshot.files.some(({ path }) => path.startsWith('listing_days/'))
  return {
    current_listing: moment,
    current_offer: moment,
    seen_listing: moment,
    seen_count: seen_counts === null ? 'by_listing' : 'given',
    scope_observation: type,
    scope_month: type,
    observed_between,
    product_observation: is_by_listing ? 'by_listing' : 'by_month',
    claim_observation: is_by_listing ? 'by_listing' : 'by_scope',
    listing_period: periodVariant(bindings),
    scope_period: periodVariant(bindings),
  } as const
}

/** The variants that return the right rows for every query. */
export const GENERAL_VARIANTS: Variants = {
  current_listing: 'past',
  current_offer: 'past',
  seen_listing: 'past',
  seen_count: 'by_listing',
  scope_observation: 'one_type',
  scope_month: 'one_type',
  observed_between: 'by_listing',
  product_observation: 'by_month',
  claim_observation: 'by_scope',
  listing_period: 'months_and_days',
  scope_period: 'months_and_days',
}

const hasVariants = (name: string): name is keyof Variants => Object.hasOwn(GENERAL_VARIANTS, name)

const LEADING_WITH = /^WITH /m

/** Prepends to a statement the relations that it names, as CTEs. */
export type WithRelations = (sql: string, variants: Variants) => string

/** How the CTE of a relation is written between its name and its SQL, by how many statements and relations name it. */
type KeywordOf = (name: string, readers: number) => string

/** The SQL of the relations and variants in a folder by their names, from files such as `current-listing-latest.sql`. */
export const relationTexts = (folder: URL): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(folder).map((file) => [
      file.replace('.sql', '').replaceAll('-', '_'),
      readFileSync(new URL(file, folder), 'utf8').trimEnd().replace(/^/gm, '  '),
    ]),
  )

/** The relations in the SQL of DuckDB. */
export const duckdbRelations = relationTexts(new URL('./relations/', import.meta.url))

/** Completes statements by relations and variants of them, each with its SQL. */
export const createRelations = (relationSql: ReadonlyMap<string, string>, keywordOf: KeywordOf): WithRelations => {
  const names = new RegExp(`\\b(?:${[...relationSql.keys(), ...Object.keys(GENERAL_VARIANTS)].join('|')})\\b|--.*`, 'g')
  const namesIn = (sql: string): string[] => [...new Set(sql.match(names))]

  const relationText = (name: string, variants: Variants): string | undefined =>
    relationSql.get(hasVariants(name) ? `${name}_${variants[name]}` : name)

  /** The SQL of the relations that a statement names, each after the relations that it depends on. */
  const relationsIn = (sql: string, variants: Variants): ReadonlyMap<string, string> =>
    new Map(
      namesIn(sql).flatMap((name) => {
        const relation = relationText(name, variants)
        return relation === undefined ? [] : [...relationsIn(relation, variants), [name, relation] as const]
      }),
    )

  return (sql, variants) => {
    const relations = relationsIn(sql, variants)
    if (relations.size === 0) return sql
    const texts = [sql, ...relations.values()].map(namesIn)
    const ctes = [...relations].map(([name, relation]) => {
      const readers = texts.filter((names) => names.includes(name)).length
      return `${name} ${keywordOf(name, readers)} (\n${relation}\n)`
    })
    const list = `WITH ${ctes.join(', ')}`
    return LEADING_WITH.test(sql) ? sql.replace(LEADING_WITH, () => `${list}, `) : `${list}\n${sql}`
  }
}

/** Relations that are computed once where several others read them: each reads all of its rows. */
const COMPUTED_ONCE = ['listing_period', 'series_placed', 'series_listing', 'sold_listing', 'size_step']

/** A relation of few rows from few files, which are not opened again for a relation that names it twice. */
const FEW_ROWS = 'queried_listing_day'

/** A statement with the relations that it names. Others are not materialized, so that filters and column selections reach the files. */
export const withRelations = createRelations(duckdbRelations, (name, readers) =>
  name === FEW_ROWS || (readers > 1 && COMPUTED_ONCE.includes(name)) ? 'AS MATERIALIZED' : 'AS NOT MATERIALIZED',
)
