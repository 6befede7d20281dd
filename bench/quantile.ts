/** The measurement that a share of all lies below; the lower of two where the share falls between them. */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0

export const median = (values: readonly number[]): number => quantile(values, 0.5)
