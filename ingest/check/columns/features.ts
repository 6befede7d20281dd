import type { SampledColumn } from '../read/sample.ts'
import { filledOf, isOf, shareOf } from './kinds.ts'
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

const once = <T>(compute: () => T): (() => T) => {
  let computed: { value: T } | undefined
  return () => {
    computed ??= { value: compute() }
    return computed.value
  }
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
    price: once(() => guessPrices(values, type)),
    time: once(() => guessTimes(values, type)),
    amounts: once(() => values.map((value) => printedPrice(value, features.price().decimal_comma) ?? 0)),
    share: (kind, test = (value) => isOf(kind, value)) => {
      const share = shares.get(kind) ?? shareOf(filled, test)
      shares.set(kind, share)
      return share
    },
  }
  seen.set(values, features)
  return features
}
