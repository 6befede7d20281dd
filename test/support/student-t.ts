const STEPS = 2_000

/** The integral of cos^power over [0, end], by Simpson's rule. */
const cosinePower = (power: number, end: number): number => {
  const step = end / STEPS
  let total = 0
  for (let i = 0; i <= STEPS; i++) total += (i === 0 || i === STEPS ? 1 : i % 2 ? 4 : 2) * Math.cos(i * step) ** power
  return (total * step) / 3
}

/**
 * The 0.975 quantile of Student's t with `df` degrees of freedom, by bisection: with t = sqrt(df) tan(angle) the
 * probability of (-t, t) is a ratio of integrals of cos^(df - 1).
 */
export const studentT975 = (df: number): number => {
  const whole = cosinePower(df - 1, Math.PI / 2)
  let low = 0
  let high = Math.PI / 2
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2
    if (cosinePower(df - 1, middle) < 0.95 * whole) low = middle
    else high = middle
  }
  return Math.sqrt(df) * Math.tan(low)
}
