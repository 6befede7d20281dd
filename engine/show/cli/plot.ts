const LEVELS = '▁▂▃▄▅▆▇█'
/** Blocks that hang from the top of their cell; Unicode has these alone. */
const HANGING_LEVELS = '▔▀█'
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

type PlottedValues = readonly (number | null)[]
const isPresent = (value: number | null): value is number => value !== null

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

/** The values across `width` cells: each in one or more, or the means of neighbouring ones. */
const spread = (values: PlottedValues, width: number): PlottedValues => {
  if (values.length === 0) return []
  if (values.length <= width)
    return Array.from({ length: width }, (_, i) => values[Math.floor((i * values.length) / width)]!)
  const edge = (i: number) => Math.floor((i * values.length) / width)
  return Array.from({ length: width }, (_, i) => mean(values.slice(edge(i), edge(i + 1)).filter(isPresent)))
}

/** A line of blocks from the lowest to the highest value, `width` wide; a missing value is a gap. */
export const sparkline = (values: PlottedValues, width: number): string => {
  const cells = spread(values, width)
  const present = cells.filter(isPresent)
  const low = Math.min(...present)
  const span = Math.max(...present) - low
  const level = (value: number) => (span === 0 ? 3 : Math.round(((value - low) / span) * (LEVELS.length - 1)))
  return cells.map((value) => (value === null ? ' ' : LEVELS[level(value)])).join('')
}

const ZERO_LINE = '─'

/**
 * Changes as blocks above and below a zero line, `width` wide, on one scale; a row without blocks is left out. A missing
 * value is a gap in the zero line.
 */
export const changeLines = (values: PlottedValues, width: number): string[] => {
  const cells = spread(values, width)
  const most = Math.max(0, ...cells.filter(isPresent).map(Math.abs))
  const block = (levels: string, value: number): string => {
    const level = Math.ceil((value / most) * levels.length)
    return value <= 0 ? ' ' : levels[level - 1]!
  }
  const above = cells.map((value) => block(LEVELS, value ?? 0)).join('')
  const zero = cells.map((value) => (value === null ? ' ' : ZERO_LINE)).join('')
  const below = cells.map((value) => block(HANGING_LEVELS, -(value ?? 0))).join('')
  return [above, zero, below].filter((line) => line.trim() !== '')
}

/** A bar for `value` where `whole` is `width` wide, to an eighth of a character; a value above 0 is always visible. */
export const bar = (value: number, whole: number, width: number): string => {
  if (value <= 0 || whole <= 0) return ''
  const eighths = Math.max(1, Math.round((value / whole) * width * 8))
  return '█'.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8]
}
