/** The tolerance for halves that doubles represent as slightly less: 1274.4999999999998. */
const NOISE = 1e-9

/**
 * Half away from zero at `digits` decimals, so that 1.005 gives 1.01. Only answers are rounded: a rounded value is never
 * used again. Minus zero becomes zero. Throws RangeError for NaN and infinity.
 */
export const round = (value: number, digits: number): number => {
  if (!Number.isFinite(value)) throw new RangeError(`${value} cannot be rounded`)
  const scaled = Math.floor(Math.abs(value) * 10 ** digits + 0.5 + NOISE)
  return scaled === 0 ? 0 : (Math.sign(value) * scaled) / 10 ** digits
}

/** Turns stored prices, whole numbers of a currency's smallest unit, or their averages into amounts of the currency. */
export type ToMoney = (stored: number) => number
export const toMoney =
  (minor_units: number): ToMoney =>
  (stored) =>
    round(stored, 0) / minor_units
export const percent = (value: number): number => round(value, 2)
export const ratio = (value: number): number => round(value, 4)

/** Applies `rounding` unless the value is null. */
export const orNull = <T>(rounding: (value: T) => number, value: T | null | undefined): number | null =>
  value === null || value === undefined ? null : rounding(value)

/** 100 part / whole with two decimals; null if the whole is zero. */
export const share = (part: number, whole: number): number | null =>
  whole === 0 ? null : percent((100 * part) / whole)
