/** A date found in file names, for the mapping key `name_pattern`. */
export type NameDate = {
  /** A regular expression with the named groups year, month and, if present, day. */
  pattern: string
  hasDay: boolean
  /** Other patterns that fit every name but give other dates: a person must decide. */
  alternatives: readonly string[]
  /** The date in the first name, as `2024-04-20` or `2024-04`. */
  example: string
}

const YEAR = String.raw`(?<year>(?:19|20)\d{2})`
const MONTH = `(?<month>0[1-9]|1[0-2])`
const DAY = String.raw`(?<day>0[1-9]|[12]\d|3[01])`
const PARTITION = `year=${YEAR}/month=0*(?<month>1[0-2]|[1-9])`

// Adjacent digits would make it another number.
const joined = (...parts: readonly string[]): string[] =>
  ['-', '_', String.raw`\.`, '/', ' ', ''].map((separator) => String.raw`(?:^|\D)${parts.join(separator)}(?:\D|$)`)

/** Most specific first. */
const PATTERNS: readonly string[] = [
  String.raw`${PARTITION}/day=0*(?<day>[12]\d|3[01]|[1-9])`,
  ...joined(YEAR, MONTH, DAY),
  ...joined(DAY, MONTH, YEAR),
  ...joined(MONTH, DAY, YEAR),
  PARTITION,
  ...joined(YEAR, MONTH),
  ...joined(MONTH, YEAR),
]

const dateIn = (path: string, pattern: string): string | null => {
  const { year, month, day } = new RegExp(pattern).exec(path)?.groups ?? {}
  const isDay = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day ?? 1))).getUTCDate() === Number(day ?? 1)
  return isDay ? [year, month, day].flatMap((part) => part?.padStart(2, '0') ?? []).join('-') : null
}

/**
 * Finds the date in relative paths, in file names (`prices_2024_04_20.csv.gz`, `20241231.json`) or folders
 * (`2025-12/prices.csv`, `year=2025/month=12`). Null if no single pattern fits every path.
 */
export const guessNameDate = (paths: readonly string[]): NameDate | null => {
  const readings = PATTERNS.map((pattern) => ({ pattern, days: paths.map((path) => dateIn(path, pattern)) }))
  const fits = readings.filter(({ days }) => days.length > 0 && !days.includes(null))
  const [best] = fits
  if (best === undefined) return null
  const hasDay = best.pattern.includes('?<day>')
  // A leading year is unambiguous; day and month before the year are not.
  const isCertain = best.pattern.indexOf('?<year>') < best.pattern.indexOf('?<month>')
  const others = fits.filter(
    ({ pattern, days }) => pattern.includes('?<day>') === hasDay && days.join() !== best.days.join(),
  )
  const alternatives = isCertain ? [] : others.map(({ pattern }) => pattern)
  return { pattern: best.pattern, hasDay, alternatives, example: best.days[0]! }
}

/** The only year in a path, such as 2017 in `posts_2017.csv.gz`; null if there are several or none. */
export const guessNameYear = (path: string): number | null => {
  const years = new Set(path.match(/(?<!\d)(?:19[89]|20[0-4])\d(?!\d)/g))
  return years.size === 1 ? Number([...years][0]) : null
}
