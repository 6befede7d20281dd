import { groupBy } from '../../../engine/index.ts'
import type { SampledColumn } from '../read/sample.ts'
import { filledOf, isOf, memoized, shareOf } from './kinds.ts'
import { guessPrices, type PriceForm, printedPrice } from './prices.ts'
import { guessTimes, type TimeForm } from './times.ts'

/** What the sampled values of a column show; each share is computed once. */
export type Features = {
  filled: readonly string[]
  rows: number
  distinct: number
  /** The share of non-blank values. */
  fill: number
  /** How values are written if they are prices, or times. */
  price: () => PriceForm
  time: () => TimeForm
  /** The amount of each row, 0 without one. */
  amounts: () => readonly number[]
  /** The share of non-blank values of a kind, or that pass a test. */
  share: (kind: string, test?: (value: string) => boolean) => number
}

const seen = new WeakMap<readonly string[], Features>()

/** The features of a column, which are those of its values. */
export const featuresOf = ({ values, type }: Pick<SampledColumn, 'values' | 'type'>): Features => {
  const before = seen.get(values)
  if (before) return before
  const filled = filledOf(values)
  const shares = new Map<string, number>()
  const features: Features = {
    filled,
    rows: values.length,
    distinct: new Set(filled).size,
    fill: values.length === 0 ? 0 : filled.length / values.length,
    price: memoized(() => guessPrices(values, type)),
    time: memoized(() => guessTimes(values, type)),
    amounts: memoized(() => values.map((value) => printedPrice(value, features.price().decimal_comma) ?? 0)),
    share: (kind, test = (value) => isOf(kind, value)) => {
      const share = shares.get(kind) ?? shareOf(filled, test)
      shares.set(kind, share)
      return share
    },
  }
  seen.set(values, features)
  return features
}

/** The share of rows that share their key with another row but not its value; without a value, that share their key. */
export const conflictShare = (keys: readonly SampledColumn[], value?: SampledColumn): number => {
  const rows = [...(keys[0]?.values.keys() ?? [])]
  const alike = groupBy(rows, (row) => keys.map(({ values }) => values[row] ?? '').join('\u001f'))
  const textOf = (row: number) => (value ? (value.values[row] ?? '') : String(row))
  const differ = (same: readonly number[]) => new Set(same.map(textOf)).size > 1
  return [...alike.values()].filter(differ).flat().length / Math.max(1, rows.length)
}
