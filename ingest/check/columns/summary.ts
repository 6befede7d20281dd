import { COLUMNS, type Column } from '../../feeds/columns.ts'
import type { SampledColumn } from '../read/sample.ts'
import { featuresOf } from './features.ts'
import { ROLES } from './fits.ts'
import { isBarcode, shortened } from './kinds.ts'
import { nameScore } from './names.ts'

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

const CANDIDATES = (Object.keys(ROLES) as Column[]).filter((column) => ROLES[column]?.possible)
const MIN_POSSIBLE = 0.25
const MAX_VALUE = 40

const rounded = (share: number): number => Math.round(share * 100) / 100

/** What a column that is not read may be, by a part of its name. */
const possibleOf = (name: string): Column | null => {
  const [best] = CANDIDATES.toSorted((a, b) => nameScore(name, b) - nameScore(name, a))
  return best && nameScore(name, best) >= MIN_POSSIBLE ? best : null
}

/** Every column of a file in short; `reads` has the source columns of each column that is read. */
export const summarise = (
  columns: readonly SampledColumn[],
  reads: ReadonlyMap<Column, readonly string[]> = new Map(),
): ColumnSummary[] =>
  columns.map((column) => {
    const { filled, distinct, price, time, share } = featuresOf(column)
    const read_as = COLUMNS.filter((target) => reads.get(target)?.includes(column.name))
    const possible = read_as.length > 0 || filled.length === 0 ? null : possibleOf(column.name)
    const doubt =
      possible && (reads.has(possible) ? `another column is ${possible}` : `possibly ${possible}: too little says so`)
    const why_not = filled.length === 0 ? 'no value in the sample' : (doubt ?? 'no name or value shows what it is')
    return {
      name: column.name,
      values: [...new Set(filled)].slice(0, 3).map((value) => shortened(value, MAX_VALUE)),
      distinct,
      filled: filled.length,
      price: rounded(price().share),
      date: rounded(time().share),
      barcode: rounded(share('barcode', isBarcode)),
      address: rounded(share('url')),
      read_as,
      possible,
      why_not: read_as.length > 0 ? null : why_not,
    }
  })
