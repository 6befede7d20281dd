import { textOf, type ValueField } from '../text.ts'
import { printable } from './terminal.ts'

const MIN_DECIMALS = 2
const MAX_DECIMALS = 4

/** The number of decimals for a column of numbers: the maximum of its values, from 2 to 4. */
const decimalsOf = (values: readonly unknown[]): number =>
  values.reduce<number>((max, value) => {
    if (typeof value !== 'number') return max
    return Math.max(max, String(Number(value.toFixed(MAX_DECIMALS))).split('.')[1]?.length ?? 0)
  }, MIN_DECIMALS)

/** Writes the values of a field for a terminal, all with the same decimals. */
export const cellText = (field: ValueField, currency: unknown, values: readonly unknown[]) => {
  const style = { currency, minus: '-', dates: 'iso', decimals: decimalsOf(values) } as const
  return (value: unknown, hasUnit = false): string => printable(textOf(value, field, { ...style, hasUnit }))
}
