import { decimalsOf, textOf, type ValueField } from '../text.ts'
import { printable } from './terminal.ts'

/** Writes the values of a field for a terminal, all with the same decimals. */
export const cellText = (field: ValueField, currency: unknown, values: readonly unknown[]) => {
  const style = { currency, minus: '-', dates: 'iso', decimals: decimalsOf(field.unit, values) } as const
  return (value: unknown, hasUnit = false): string => printable(textOf(value, field, { ...style, hasUnit }))
}
