import type { Column } from '../../feeds/columns.ts'
import type { SampledColumn } from '../read/sample.ts'
import { guessTimes } from './dates.ts'
import { nameScore } from './names.ts'
import { guessPrices } from './prices.ts'
import { isBarcode, isUrl, profile, shareOf } from './values.ts'

/** A column of a file in short: what its values look like, what it is read as, and why it is not read. */
export type ColumnSummary = {
  name: string
  /** Up to three different values. */
  values: string[]
  distinct: number
  filled: number
  /** The shares of its values that can be read as such, 0..1. */
  price: number
  date: number
  barcode: number
  address: number
  /** The columns of the feed that are read from it. */
  read_as: Column[]
  /** What it may be, and why it is not read; null if it is read. */
  possible: Column | null
  why_not: string | null
}

const CANDIDATES: readonly Column[] = [
  'price',
  'list_price',
  'product_name',
  'listing_id',
  'observed_at',
  'platform',
  'gtin',
  'brand',
  'category_path',
  'currency',
  'url',
]
const MIN_POSSIBLE = 0.25
const MAX_VALUE = 40
const round = (share: number): number => Math.round(share * 100) / 100

type Shares = Pick<ColumnSummary, 'price' | 'date' | 'barcode' | 'address'>

const sharesOf = ({ values, type }: SampledColumn, filled: readonly string[]): Shares => ({
  price: round(guessPrices(values, type).share),
  date: round(guessTimes(values, type).share),
  barcode: round(shareOf(filled, isBarcode)),
  address: round(shareOf(filled, isUrl)),
})

/** What a column that is not read may be: by a part of its name, else by its values. */
const possibleOf = (name: string, { price, date, barcode, address }: Shares): Column | null => {
  const [best] = CANDIDATES.map((column) => ({ column, score: nameScore(name, column) })).sort(
    (a, b) => b.score - a.score,
  )
  if (best && best.score >= MIN_POSSIBLE) return best.column
  if (barcode > 0.9) return 'gtin'
  if (date > 0.9) return 'observed_at'
  if (address > 0.9) return 'url'
  return price > 0.9 ? 'price' : null
}

const whyNot = (possible: Column | null, filled: number, isTaken: boolean): string => {
  if (filled === 0) return 'no value in the sample'
  if (possible === null) return 'no name or value shows what it is'
  return isTaken ? `another column is ${possible}` : `possibly ${possible}: too little says so`
}

/** Every column of a file in short; `reads` has the source columns of each column that is read. */
export const summarise = (
  columns: readonly SampledColumn[],
  reads: ReadonlyMap<Column, readonly string[]>,
): ColumnSummary[] =>
  columns.map((column) => {
    const { filled, distinct } = profile(column.values)
    const shares = sharesOf(column, filled)
    const read_as = [...reads].flatMap(([target, names]) => (names.includes(column.name) ? [target] : []))
    const possible = read_as.length > 0 || filled.length === 0 ? null : possibleOf(column.name, shares)
    return {
      name: column.name,
      values: [...new Set(filled)]
        .slice(0, 3)
        .map((value) => (value.length > MAX_VALUE ? `${value.slice(0, MAX_VALUE - 3)}...` : value)),
      distinct,
      filled: filled.length,
      ...shares,
      read_as,
      possible,
      why_not: read_as.length > 0 ? null : whyNot(possible, filled.length, possible !== null && reads.has(possible)),
    }
  })
