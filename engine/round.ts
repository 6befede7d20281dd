/**
 * Half away from zero at `digits` decimals, on the shortest decimal form of the value, so that 1.005 gives 1.01.
 * Only answers are rounded: a rounded value is never used again. Minus zero is zero.
 */
export const round = (value: number, digits: number): number => {
  if (!Number.isFinite(value)) throw new RangeError(`${value} cannot be rounded`)
  const [mantissa = '0', exponent = '0'] = Math.abs(value).toString().split('e')
  const scaled = Math.round(Number(`${mantissa}e${Number(exponent) + digits}`))
  const rounded = Number(`${scaled}e${-digits}`)
  return value < 0 && rounded !== 0 ? -rounded : rounded
}

/** Cents as currency units with two decimals. */
export const money = (cents: number): number => round(cents, 0) / 100
export const percent = (value: number): number => round(value, 2)
export const ratio = (value: number): number => round(value, 4)

/** Applies `rounding` where there is a value. */
export const orNull = <T>(rounding: (value: T) => number, value: T | null | undefined): number | null =>
  value === null || value === undefined ? null : rounding(value)

/** 100 part / whole with two decimals; null where the whole is nothing. */
export const share = (part: number, whole: number): number | null =>
  whole === 0 ? null : percent((100 * part) / whole)
