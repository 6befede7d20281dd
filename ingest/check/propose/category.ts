import { groupBy } from '../../../engine/index.ts'
import type { Column } from '../../feeds/columns.ts'
import { readData, shareOf } from '../columns/kinds.ts'
import { nameScore, wordsOf } from '../columns/names.ts'
import type { SampledColumn } from '../read/sample.ts'
import { type Draft, guessed, isUsed, note, reference, sourceOf, state, take, takeSql } from './draft.ts'

/** Words of column names: by the depth in a hierarchy that they suggest, those of no level, and what shifts it. */
const WORDS = new Map(
  Object.entries(readData<Record<string, string>>('../propose/category-words.json')).map(([kind, words]) => [
    kind,
    new Set(words.split(', ')),
  ]),
)
const DEPTHS = [...WORDS.keys()].filter((kind) => Number(kind) > 0)

/** The depth that a column name suggests. */
const rankOf = (name: string): number | null => {
  const words = wordsOf(name)
  const has = (kind: string) => words.some((word) => WORDS.get(kind)!.has(word))
  const ranks = DEPTHS.filter((kind) => words.some((word) => WORDS.get(kind)!.has(word.replace(/\d+$/, ''))))
  if (ranks.length === 0 || has('none')) return null
  // In `category2` and `cat_l2` the number is the level.
  const level = Number(/(\d)\D*$/.exec(name)?.[1] ?? 0)
  return Math.max(...ranks.map(Number)) + (has('below') ? 1.5 : 0) - (has('above') ? 1.5 : 0) + level / 10
}

/** The share of a level's values that have a single parent in the level above. */
const determines = (lower: SampledColumn, upper: SampledColumn): number => {
  const rows = lower.values.flatMap((value, row) => (value === '' ? [] : [row]))
  const alike = [...groupBy(rows, (row) => lower.values[row]!).values()]
  return shareOf(alike, (same) => new Set(same.map((row) => upper.values[row] ?? '')).size === 1)
}

const MIN_DETERMINED = 0.8
const MIN_FILL = 0.3

/** The columns that form one category hierarchy, root first. */
const levelsOf = (columns: readonly SampledColumn[]): SampledColumn[] => {
  const ranked = columns.flatMap((column) => {
    const rank = rankOf(column.name)
    const { fill, share } = sourceOf(column)
    const isLevel = share('text') > 0.8
    return rank !== null && fill >= MIN_FILL && isLevel ? [{ column, rank }] : []
  })
  const levels: typeof ranked = []
  for (const next of ranked.sort((a, b) => a.rank - b.rank)) {
    const above = levels.at(-1)
    if (!above || (next.rank > above.rank && determines(next.column, above.column) >= MIN_DETERMINED)) levels.push(next)
  }
  return levels.map(({ column }) => column)
}

/** The expression that turns a breadcrumb with other separators, or a list, into `A > B`; null if none is needed. */
const normalised = (column: SampledColumn): string | null => {
  const { share } = sourceOf(column)
  const field = reference(column)
  if (share('list') > 0.5) return `array_to_string(from_json(${field}, '["VARCHAR"]'), ' > ')`
  if (share('>', (value) => value.includes('>')) >= 0.05) return null
  const mark = ['|', '»', '›', '/'].find((sign) => share(sign, (value) => value.includes(sign)) > 0.5)
  if (mark === undefined) return null
  return `regexp_replace(${field}, '\\s*${mark === '|' ? '\\|' : mark}\\s*', ' > ', 'g')`
}

const isCategory = ({ name }: SampledColumn): boolean => nameScore(name, 'category_path') >= 0.3

/** Whether a column has records with names: a breadcrumb of them. */
const hasRecords = (column: SampledColumn): boolean =>
  isCategory(column) && sourceOf(column).share('named', (value) => /^\[\s*\{.*"name"\s*:/s.test(value)) > 0.5

const isBreadcrumb = (column: SampledColumn): boolean => {
  const { fill, share } = sourceOf(column)
  // Many products may have only the root.
  const paths = Math.max(share('path'), 10 * share(' > ', (value) => value.includes(' > ')))
  return isCategory(column) && fill >= MIN_FILL && paths > 0.5
}

/** Columns from which a product's category is determined where it has no path. */
const OTHERS: readonly Column[] = ['google_product_category', 'gpc_code', 'browse_ids']

/** Maps the category: a breadcrumb if there is one, otherwise the levels that make one. */
export const describeCategory = (draft: Draft): void => {
  // What identifies a listing may be a level as well.
  const free = draft.columns.filter(({ name }) => !isUsed(draft, name, 'listing_id'))
  const records = free.find(hasRecords)
  const levels = levelsOf(free)
  const named = [guessed(draft, 'category_path') ?? []].flat().filter(({ fill }) => fill >= MIN_FILL)
  const sole = free.find(isBreadcrumb) ?? (levels.length > 1 ? undefined : (named[0] ?? levels[0]))
  const sql = sole && normalised(sole)
  if (records) {
    const names = `array_to_string(json_extract_string(${reference(records)}, '$[*].name'), ' > ')`
    takeSql(draft, 'category_path', names, records)
  } else if (sole) {
    if (sql) takeSql(draft, 'category_path', sql, sole)
    else take(draft, 'category_path', sole)
  } else if (levels.some((level) => level.sql !== undefined))
    takeSql(draft, 'category_path', `concat_ws(' > ', ${levels.map(reference).join(', ')})`, ...levels)
  else if (levels.length > 0) {
    const names = levels.slice(0, 8).map(({ name }) => name)
    draft.reads.set('category_path', names)
    state(draft, 'columns', { category_path: { join: names } })
  } else if (draft.feed === 'price_observations' && !OTHERS.some((column) => draft.guesses.has(column)))
    note(draft, 'noCategory')
}
