/**
 * The Herfindahl-Hirschman index: the sum of the squared shares of a total, as fractions; 1 is a single share. Null without
 * any count.
 */
export const herfindahl = (counts: readonly number[]): number | null => {
  const total = counts.reduce((sum, count) => sum + count, 0)
  return total === 0 ? null : counts.reduce((sum, count) => sum + count ** 2, 0) / total ** 2
}
