const LEVELS = '▁▂▃▄▅▆▇█'
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

/** At most `width` values, each the mean of neighbouring ones. */
const downsampled = (values: readonly (number | null)[], width: number): readonly (number | null)[] => {
  if (values.length <= width) return values
  const edge = (i: number) => Math.floor((i * values.length) / width)
  return Array.from({ length: width }, (_, i) =>
    mean(values.slice(edge(i), edge(i + 1)).filter((value) => value !== null)),
  )
}

/** A line of blocks from the lowest to the highest value, at most `width` wide; a missing value is a gap. */
export const sparkline = (values: readonly (number | null)[], width: number): string => {
  const sampled = downsampled(values, width)
  const present = sampled.filter((value) => value !== null)
  const low = Math.min(...present)
  const span = Math.max(...present) - low
  const level = (value: number) => (span === 0 ? 3 : Math.round(((value - low) / span) * (LEVELS.length - 1)))
  return sampled.map((value) => (value === null ? ' ' : LEVELS[level(value)])).join('')
}

/** A bar for `value` where `whole` is `width` wide, to an eighth of a character; a value above 0 is always visible. */
export const bar = (value: number, whole: number, width: number): string => {
  if (value <= 0 || whole <= 0) return ''
  const eighths = Math.max(1, Math.round((value / whole) * width * 8))
  return '█'.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8]
}
