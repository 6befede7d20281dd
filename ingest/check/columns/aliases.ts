import { isCell } from '../read/columnar.ts'
import type { SampledColumn, SampledFile } from '../read/sample.ts'
import { featuresOf } from './features.ts'
import { isOf } from './kinds.ts'
import { areRound, hasPriceWord } from './wide.ts'

const MIN_TITLE = 0.4
const MIN_ALIKE = 0.8
const MIN_READ = 0.2
const AMOUNT = /^\D{0,3}(?:\d{1,6}|\d{1,3}(?:[\s.,']\d{3})+)[.,]\d\d\D{0,3}$/

/** Whether a column has codes, each of one row, with a digit in them. */
const isCode = (column: SampledColumn): boolean => {
  const { share, distinct, rows } = featuresOf(column)
  const isOne = (value: string) => /^(?=.*\d)[\p{L}\d][\p{L}\d._/-]{2,}$/u.test(value)
  return distinct === rows && rows > 2 && share('code', isOne) === 1
}

/** Whether a column is a place of rows that are lists, of which a document says no name. */
const isUnnamedCell = (column: SampledColumn): boolean =>
  isCell(column) && [undefined, 'observed_at', 'value'].includes(column.alias)

/**
 * Names the columns of a table without a header, of rows that are lists, or without a name for each, where their values leave no doubt: amounts are
 * prices if no other column has amounts and one has titles, that is, different texts of several words, or the other codes.
 */
export const withAliases = (file: SampledFile): SampledFile => {
  const areCells = file.columns.every(isUnnamedCell)
  if (file.options.header !== false && !areCells) return file
  const unnamed = areCells ? file.columns : file.columns.filter(({ alias }) => alias === undefined)
  const isLink = (column: SampledColumn) => featuresOf(column).share('url') > MIN_ALIKE
  const titles = (column: SampledColumn): number => {
    const isTitle = (value: string) => isOf('letters', value) && /\p{L}\S*\s+\S/u.test(value) && value.length < 200
    return isLink(column) ? 0 : featuresOf(column).share('title', isTitle)
  }
  // A file that has the same time in all rows is no log.
  const isDated = unnamed.some((column) => {
    const { time, distinct, rows } = featuresOf(column)
    return time().share > MIN_ALIKE && distinct > Math.min(1, rows - 1)
  })
  // A log of one product repeats its name beside times and numbers.
  const titleScore = (column: SampledColumn): number => {
    const { distinct, rows, fill } = featuresOf(column)
    return fill * titles(column) * (isDated ? 1 : Math.min(1, (2 * distinct) / Math.max(1, rows)))
  }
  const [first] = unnamed.toSorted((a, b) => titleScore(b) - titleScore(a))
  const title = first && titleScore(first) >= MIN_TITLE ? first : undefined
  const isOfOne = isDated && unnamed.length === 2 && hasPriceWord([file.path])
  const codes = title || isOfOne || unnamed.length > 2 ? [] : unnamed.filter(isCode)
  if (!title && codes.length === 0 && !isOfOne && !unnamed.some(isLink)) return file
  const isLog = isDated && title !== undefined && unnamed.length === 3
  const isNumber = (column: SampledColumn) => featuresOf(column).share('number') > MIN_ALIKE
  const isOnly = hasPriceWord([file.path]) && unnamed.filter(isNumber).length === 1
  // Whole prices end as prices do, or are the only numbers of a file of prices.
  const isWhole = (column: SampledColumn) => isLog || isOnly || areRound([column])
  const isAmount = (value: string) => AMOUNT.test(value)
  const shareOfAmounts = (column: SampledColumn): number => {
    const { share, price } = featuresOf(column)
    return Math.max(share('amount', isAmount), price().signed, isWhole(column) ? share('number') : 0)
  }
  const amountsAbove = (min: number) => unnamed.filter((column) => shareOfAmounts(column) > min)
  // Among texts of errors, the only amounts of a table are prices.
  const most = amountsAbove(MIN_ALIKE)
  const amounts = most.length === 0 && amountsAbove(0).length === 1 ? amountsAbove(MIN_READ) : most
  const aliases = new Map([
    ...(amounts.length === 1 ? [[amounts[0], 'price'] as const] : []),
    [title, 'title'],
    [codes[0], 'sku'],
  ])
  const named = (column: SampledColumn) => (aliases.has(column) ? { ...column, alias: aliases.get(column)! } : column)
  return { ...file, columns: file.columns.map(named) }
}
