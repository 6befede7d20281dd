/** The middle of a list of measurements, the lower one of two. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[(values.length - 1) >> 1] ?? 0
