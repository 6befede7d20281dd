import { readableLine, shortened } from '../readable.ts'
import { decimalsOf, textOf, type ValueField } from '../text.ts'

/** Writes the values of a field for a terminal, all with the same decimals. */
export const cellText = (field: ValueField, currency: unknown, values: readonly unknown[]) => {
  const style = { currency, minus: '-', dates: 'iso', decimals: decimalsOf(field.unit, values, currency) } as const
  return (value: unknown, hasUnit = false): string =>
    readableLine(shortened(textOf(value, field, { ...style, hasUnit })))
}
