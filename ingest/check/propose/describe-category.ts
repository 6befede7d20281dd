import type { Column } from '../../feeds/columns.ts'
import { nameScore, wordsOf } from '../columns/names.ts'
import { hasLetters, isBreadcrumb, isNested, profile, shareOf } from '../columns/values.ts'
import type { SampledColumn } from '../read/sample.ts'
import { type Draft, guessed, reference, take, takeSql } from './draft.ts'
import { noCategory } from './messages.ts'

/** The depth in a category hierarchy that a word of a column name suggests. */
const RANKS: readonly (readonly [word: RegExp, rank: number])[] = [
  [/^(?:segment|division|universe|univers|department|departement|dept|super ?category)$/, 1],
  [/^(?:aisle|allee|rayon)$/, 2],
  [/^(?:category|categorie|cat|family|famille|commodity|level|niveau|l)$/, 3],
  [/^(?:subcategory|subcat|souscategorie)$/, 4.5],
  [/^(?:class|classe|shelf|group|groupe)$/, 5],
  [/^(?:subclass|sousclasse)$/, 6],
]
const NO_LEVEL = new Set([
  'id',
  'key',
  'code',
  'url',
  'slug',
  'rank',
  'count',
  'image',
  'google',
  'country',
  'path',
  'tree',
])

const rankOf = (name: string): number | null => {
  const words = wordsOf(name)
  if (words.some((word) => NO_LEVEL.has(word))) return null
  // In `category2` and `cat_l2` the number is the level.
  const level = Number(/(\d)\D*$/.exec(name)?.[1] ?? 0)
  const ranks = words.flatMap((word) => RANKS.find(([pattern]) => pattern.test(word.replace(/\d+$/, '')))?.[1] ?? [])
  if (ranks.length === 0) return null
  const below = words.some((word) => word === 'sub' || word === 'sou' || word === 'sous') ? 1.5 : 0
  const above = words.some((word) => /^(?:main|parent|top|root|principal|principale)$/.test(word)) ? 1.5 : 0
  return Math.max(...ranks) + below - above + level / 10
}

/** The share of a level's values that have a single parent in the level above. */
const determines = (lower: SampledColumn, upper: SampledColumn): number => {
  const parents = new Map<string, Set<string>>()
  for (const [index, value] of lower.values.entries())
    if (value !== '') parents.set(value, (parents.get(value) ?? new Set()).add(upper.values[index] ?? ''))
  return shareOf([...parents.keys()], (value) => parents.get(value)!.size === 1)
}

const MIN_DETERMINED = 0.8

/** The columns that form one category hierarchy, root first. */
export const categoryLevels = (columns: readonly SampledColumn[]): SampledColumn[] => {
  const ranked = columns.flatMap((column) => {
    const rank = rankOf(column.name)
    const { filled, fill } = profile(column.values)
    const isLevel = fill >= 0.3 && shareOf(filled, (value) => hasLetters(value) && !isNested(value)) > 0.8
    return rank !== null && isLevel ? [{ column, rank }] : []
  })
  const levels: { column: SampledColumn; rank: number }[] = []
  for (const next of ranked.sort((a, b) => a.rank - b.rank)) {
    const above = levels.at(-1)
    const isBelow = !above || (next.rank > above.rank && determines(next.column, above.column) >= MIN_DETERMINED)
    if (isBelow) levels.push(next)
  }
  return levels.map(({ column }) => column)
}

/** Breadcrumb separators and their patterns. */
const MARKS = [
  ['|', '\\|'],
  ['»', '»'],
  ['›', '›'],
  ['/', '/'],
] as const
const LIST = /^\[\s*"/

/** The expression that turns a breadcrumb with other separators, or a list, into `A > B`; null if none is needed. */
const normalised = (column: SampledColumn): string | null => {
  const { filled } = profile(column.values)
  const field = reference(column)
  if (shareOf(filled, (value) => LIST.test(value)) > 0.5)
    return `array_to_string(from_json(${field}, '["VARCHAR"]'), ' > ')`
  if (shareOf(filled, (value) => />/.test(value)) >= 0.05) return null
  for (const [mark, pattern] of MARKS)
    if (shareOf(filled, (value) => value.includes(mark)) > 0.5)
      return `regexp_replace(${field}, '\\s*${pattern}\\s*', ' > ', 'g')`
  return null
}

/** A breadcrumb given as a list of records with names, and the expression that turns it into `A > B`. */
const recordsOf = (columns: readonly SampledColumn[]): { column: SampledColumn; sql: string } | undefined => {
  for (const column of columns) {
    const { filled } = profile(column.values)
    const isNamed = nameScore(column.name, 'category_path') >= 0.3
    if (isNamed && shareOf(filled, (value) => /^\[\s*\{.*"name"\s*:/s.test(value)) > 0.5)
      return { column, sql: `array_to_string(json_extract_string(${reference(column)}, '$[*].name'), ' > ')` }
  }
  return undefined
}

const breadcrumbOf = (columns: readonly SampledColumn[]): SampledColumn | undefined =>
  columns.find((column) => {
    const { filled, fill } = profile(column.values)
    const isNamed = nameScore(column.name, 'category_path') >= 0.3
    const isPath = (value: string) => (isBreadcrumb(value) && !/^\w+:\/\//.test(value)) || LIST.test(value)
    // Many products may have only the root.
    const share = Math.max(shareOf(filled, isPath), 10 * shareOf(filled, (value) => value.includes(' > ')))
    return isNamed && fill >= 0.3 && share > 0.5
  })

/** Columns from which a product's category is determined where it has no path. */
const OTHER_CATEGORIES: readonly Column[] = ['google_product_category', 'gpc_code', 'browse_ids']

/** Maps the category: a breadcrumb if there is one, otherwise the levels that make one. */
export const describeCategory = (draft: Draft): void => {
  const free = draft.columns.filter(({ name }) => !draft.used.has(name))
  const records = recordsOf(free)
  if (records) {
    takeSql(draft, 'category_path', records.sql, records.column)
    return
  }
  const levels = categoryLevels(free)
  const breadcrumb = breadcrumbOf(free)
  const sole = breadcrumb ?? (levels.length > 1 ? undefined : (guessed(draft, 'category_path') ?? levels[0]))
  if (sole !== undefined) {
    const sql = normalised(sole)
    if (sql === null) take(draft, 'category_path', sole)
    else takeSql(draft, 'category_path', sql, sole)
  } else if (levels.length > 1 && levels.some(({ sql }) => sql !== undefined)) {
    takeSql(draft, 'category_path', `concat_ws(' > ', ${levels.map(reference).join(', ')})`, ...levels)
  } else if (levels.length > 1) {
    for (const { name } of levels) draft.used.add(name)
    const join = levels.slice(0, 8).map(({ name }) => name)
    draft.description.columns = { ...draft.description.columns, category_path: { join } }
  } else if (draft.feed === 'price_observations' && !OTHER_CATEGORIES.some((column) => draft.guesses.has(column))) {
    draft.notes.push(noCategory)
  }
}
