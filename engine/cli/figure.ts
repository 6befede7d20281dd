import type { TableColumn } from './schema.ts'
import { printable } from './terminal.ts'

export const ABSENT = '–'

const MIN_DECIMALS = 2
const MAX_DECIMALS = 4

/** The number of decimals for a column of numbers: the maximum of its values, from 2 to 4. */
export const decimalsOf = (values: readonly unknown[]): number =>
  values.reduce<number>((max, value) => {
    if (typeof value !== 'number') return max
    return Math.max(max, String(Number(value.toFixed(MAX_DECIMALS))).split('.')[1]?.length ?? 0)
  }, MIN_DECIMALS)

const listed = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** A value as text: grouped thousands, changes with their sign, yes and no, a dash for null. */
export const figure = (value: unknown, { name, kind }: TableColumn, decimals = decimalsOf([value])): string => {
  if (value === null || value === undefined) return ABSENT
  if (kind === 'integer') return Number(value).toLocaleString('en-US')
  if (kind === 'number')
    return Number(value).toLocaleString('en-US', {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
      signDisplay: name.endsWith('change_pct') ? 'exceptZero' : 'auto',
    })
  if (kind === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return printable(value.map(listed).join(', '))
  return printable(String(value))
}
