/** Sizes within so many percent of the larger one are the same: units are converted, and texts round. */
export const SAME_SIZE_PERCENT = 2
/** A size above this many times the one before, or below that part of it, is of another pack. */
export const MAX_SIZE_RATIO = 2
/** A size counts that is seen on two days, or that a listing has for so many days. */
export const MIN_SIZE_DAYS = 14

/** Macros with these definitions for statements. Exact: sizes are whole mg, µl or pieces. */
export const shrinkflationMacros = `
-- Whether a listing contains more or less than before, in a pack that can be compared: exactly ${MAX_SIZE_RATIO}-fold can.
CREATE MACRO is_resized(in_before, in_size) AS
  ${100 / SAME_SIZE_PERCENT} * abs(in_size - in_before) > greatest(in_size, in_before)
  AND in_size <= ${MAX_SIZE_RATIO} * in_before AND in_before <= ${MAX_SIZE_RATIO} * in_size;

CREATE MACRO min_size_days() AS ${MIN_SIZE_DAYS};
`

/** The kinds of changes of size with what they mean, by how size, price and unit price move: those of smaller sizes first. */
export const sizeKinds = {
  shrinkflation: 'smaller, and dearer per unit, at the same or a lower price',
  sharkflation: 'smaller, at a higher price',
  shrinkdeflation: 'smaller, at a price so much lower that it is cheaper per unit',
  unshrinkdeflation: 'larger, and cheaper per unit, at the same or a higher price',
  sharkdeflation: 'larger, at a lower price',
  unshrinkflation: 'larger, at a price so much higher that it is dearer per unit',
  proportional: 'smaller or larger, at the same price per unit',
} as const
export type SizeKind = keyof typeof sizeKinds

export const SIZE_KINDS = Object.keys(sizeKinds) as [SizeKind, ...SizeKind[]]

/**
 * The kind of a change of size, after the R package PriceIndices (Bialek), which leaves out proportional ones. `price` and
 * `unit` are how the price and the price per unit move: 0 down, 1 not at all, 2 up; null where either price is unknown (-1).
 */
export const sizeKindOf = ({
  isShrunk,
  price,
  unit,
}: {
  isShrunk: boolean
  price: number
  unit: number
}): SizeKind | null => {
  if (price < 0) return null
  if (unit === 1) return 'proportional'
  if (isShrunk) return unit === 0 ? 'shrinkdeflation' : price === 2 ? 'sharkflation' : 'shrinkflation'
  return unit === 2 ? 'unshrinkflation' : price === 0 ? 'sharkdeflation' : 'unshrinkdeflation'
}
