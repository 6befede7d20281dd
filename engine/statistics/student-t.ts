/** The 2.5 % quantile of the standard normal distribution. */
const NORMAL = -1.959963984540054

/**
 * The 97.5 % quantile of Student's t with `df` >= 3 degrees of freedom: the half-width of a 95 % interval in standard
 * errors. Hill's expansion (1970, Communications of the ACM 13(10), algorithm 396); relative error below 1e-6.
 */
export const studentT975 = (df: number): number => {
  const a = 1 / (df - 0.5)
  const b = 48 / a ** 2
  let c = ((20700 * (a / b) - 98) * a - 16) * a + 96.36
  const d = ((94.5 / (b + c) - 3) / b + 1) * Math.sqrt((a * Math.PI) / 2) * df
  const tail = (d * 0.05) ** (2 / df)
  if (tail <= 0.05 + a) {
    const series = 1 / (((df + 6) / (df * tail) - 0.089 * d - 0.822) * (df + 2) * 3) + 0.5 / (df + 4)
    return Math.sqrt(df * (((series * tail - 1) * (df + 1)) / (df + 2) + 1 / tail))
  }
  if (df < 5) c += 0.3 * (df - 4.5) * (NORMAL + 0.6)
  c += (((0.05 * d * NORMAL - 5) * NORMAL - 7) * NORMAL - 2) * NORMAL + b
  const square = NORMAL ** 2
  const x = (((((0.4 * square + 6.3) * square + 36) * square + 94.5) / c - square - 3) / b + 1) * NORMAL
  return Math.sqrt(df * Math.expm1(a * x ** 2))
}
