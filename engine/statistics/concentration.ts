/**
 * The Herfindahl-Hirschman index: the sum of the squared shares that parts have in their whole, as fractions; 1 is a single part.
 * Null without any.
 */
export const herfindahl = (counts: readonly number[]): number | null => {
  const whole = counts.reduce((sum, count) => sum + count, 0)
  return whole === 0 ? null : counts.reduce((sum, count) => sum + count ** 2, 0) / whole ** 2
}
