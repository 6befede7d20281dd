import { round } from '../contract/round.ts'

/** Parts rounded to hundredths that add up to a rounded total: the largest remainders are rounded up (Hamilton). */
export const roundedParts = (parts: readonly number[], total: number): number[] => {
  const hundredths = parts.map((part) => Math.floor(100 * part))
  const missing = Math.round(100 * total) - hundredths.reduce((sum, part) => sum + part, 0)
  const byRemainder = parts
    .map((part, i) => ({ i, rest: 100 * part - hundredths[i]! }))
    .sort((a, b) => b.rest - a.rest || a.i - b.i)
  for (let n = 0; n < Math.abs(missing); n += 1) hundredths[byRemainder[n % parts.length]!.i]! += Math.sign(missing)
  return hundredths.map((part) => round(part / 100, 2))
}

/** What each part of the log of an index adds to its change in percent, in points. */
export const pointsOf = (parts: readonly number[], log: number): number[] => {
  const perLog = log === 0 ? 100 : (100 * Math.expm1(log)) / log
  return parts.map((part) => part * perLog)
}
