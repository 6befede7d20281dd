import type { SampledColumn, SampledFile } from '../read/sample.ts'
import { filledOf, hasLetters, isUrl, profile, shareOf } from './values.ts'

const isAmount = ({ values }: SampledColumn): boolean => {
  const filled = filledOf(values)
  return filled.length > 0 && shareOf(filled, (value) => /^\D{0,3}\d{1,6}[.,]\d\d\D{0,3}$/.test(value)) > 0.8
}

const isLink = ({ values }: SampledColumn): boolean => {
  const filled = filledOf(values)
  return filled.length > 0 && shareOf(filled, isUrl) > 0.8
}

/** How much a column looks like titles: different texts of several words. */
const titleScore = (column: SampledColumn): number => {
  const { filled, distinct, rows } = profile(column.values)
  if (rows === 0 || isLink(column)) return 0
  const words = shareOf(filled, (value) => hasLetters(value) && /\p{L}\S*\s+\S/u.test(value) && value.length < 200)
  return words * Math.min(1, (2 * distinct) / rows)
}

const MIN_TITLE = 0.4

/**
 * Gives the columns of a table without names those that their values leave no doubt about: the only amounts are prices
 * where titles stand beside them.
 */
export const withAliases = (file: SampledFile): SampledFile => {
  if (file.header !== false) return file
  const amounts = file.columns.filter(isAmount)
  const [title] = file.columns.toSorted((a, b) => titleScore(b) - titleScore(a))
  if (!title || titleScore(title) < MIN_TITLE) return file
  const links = file.columns.filter(isLink)
  const aliasOf = (column: SampledColumn): string | undefined => {
    if (column === title) return 'title'
    if (column === links[0]) return 'url'
    return amounts.length === 1 && column === amounts[0] ? 'price' : undefined
  }
  const columns = file.columns.map((column) => {
    const alias = aliasOf(column)
    return alias === undefined ? column : { ...column, alias }
  })
  return { ...file, columns }
}
