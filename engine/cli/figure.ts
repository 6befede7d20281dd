import type { Column } from './schema.ts'
import { printable } from './terminal.ts'

export const ABSENT = '–'

const FEWEST_DECIMALS = 2
const MOST_DECIMALS = 4

/** The decimals that numbers shown one below the other share: as many as any of them has, within 2 to 4. */
export const decimalsOf = (values: readonly unknown[]): number =>
  values.reduce<number>((most, value) => {
    if (typeof value !== 'number') return most
    return Math.max(most, String(Number(value.toFixed(MOST_DECIMALS))).split('.')[1]?.length ?? 0)
  }, FEWEST_DECIMALS)

const listed = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** A value as people read it: grouped thousands, changes with their sign, yes and no, a dash for null. */
export const figure = (value: unknown, { name, kind }: Column, decimals = decimalsOf([value])): string => {
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
