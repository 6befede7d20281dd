import { readdirSync, readFileSync } from 'node:fs'
import { isAllBefore, type Manifest } from './manifest.ts'
import type { Bindings } from './query.ts'

/**
 * Relations are what several statements read beside the views: `FROM current_listing` names a CTE that is put in front of
 * the statement, with the text of `sql/relations/current-listing-VARIANT.sql`. Texts use the placeholders of the queries and
 * may name other relations. DuckDB plans every table that a text names, which costs as much as reading it: so some
 * relations have variants, and each names only the tables that its kind of query reads.
 */
export type Variants = ReturnType<typeof variantsFor>

/** Periods that are whole months, single days, longer without a whole month, and whole months with cut ones. */
const periodVariant = ({ unit, month_from, month_to, whole_from, whole_to }: Bindings) => {
  if (unit === 'day') return 'each_day'
  if (month_from === whole_from && month_to === whole_to) return 'months'
  return String(whole_from) > String(whole_to) ? 'days' : 'months_and_days'
}

/** The variants for a statement with these bindings over a snapshot. */
export const variantsFor = (bindings: Bindings, snapshot: Pick<Manifest, 'observed_to'>) => {
  const { gpc_first = null, brand_id = null, before = null } = bindings
  // At the newest observation the listings hold the current prices; before it the observations do.
  const moment = before === null || isAllBefore(snapshot, String(before)) ? 'latest' : 'past'
  // A product type (a GPC code) lies within its categories.
  const type = gpc_first === null ? 'any_type' : 'one_type'
  // Shelves hold when they were observed as a whole; when a brand or a product type was, its listings do.
  const observed_between = gpc_first === null && brand_id === null ? 'by_shelf' : 'by_listing'
  return {
    current_listing: moment,
    seen_listing: moment,
    scope_observation: type,
    scope_month: type,
    observed_between,
    listing_period: periodVariant(bindings),
  } as const
}

/** The variants that give the right rows for every query. */
export const GENERAL_VARIANTS: Variants = {
  current_listing: 'past',
  seen_listing: 'past',
  scope_observation: 'one_type',
  scope_month: 'one_type',
  observed_between: 'by_listing',
  listing_period: 'months_and_days',
}

const folder = new URL('./sql/relations/', import.meta.url)

/** The texts by the names of their files as SQL writes names, such as `current_listing_latest`. */
const texts: ReadonlyMap<string, string> = new Map(
  readdirSync(folder).map((file) => [
    file.replace('.sql', '').replaceAll('-', '_'),
    readFileSync(new URL(file, folder), 'utf8').trimEnd().replace(/^/gm, '  '),
  ]),
)

const hasVariants = (name: string): name is keyof Variants => Object.hasOwn(GENERAL_VARIANTS, name)

const textOf = (name: string, variants: Variants): string | undefined =>
  texts.get(hasVariants(name) ? `${name}_${variants[name]}` : name)

const NAME_OR_COMMENT = new RegExp(
  `\\b(?:${[...texts.keys(), ...Object.keys(GENERAL_VARIANTS)].join('|')})\\b|--.*`,
  'g',
)

/** The texts of the relations that a statement names, each after those that it names itself. */
const relationsIn = (sql: string, variants: Variants): ReadonlyMap<string, string> =>
  new Map(
    sql.match(NAME_OR_COMMENT)?.flatMap((name) => {
      const text = textOf(name, variants)
      return text === undefined ? [] : [...relationsIn(text, variants), [name, text] as const]
    }),
  )

const LEADING_WITH = /^WITH /m

/** A statement with the relations that it names in front, as CTEs. */
export const withRelations = (sql: string, variants: Variants): string => {
  // Not materialized: filters and columns of the statement reach the files.
  const relations = [...relationsIn(sql, variants)].map(([name, text]) => `${name} AS NOT MATERIALIZED (\n${text}\n)`)
  if (relations.length === 0) return sql
  const list = `WITH ${relations.join(', ')}`
  return LEADING_WITH.test(sql) ? sql.replace(LEADING_WITH, () => `${list}, `) : `${list}\n${sql}`
}
