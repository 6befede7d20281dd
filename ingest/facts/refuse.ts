import type { FileReport } from '../report.ts'

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, rows) => total + rows, 0)

/** Whatever it is that these rows are, there is a better way to say so than to lose them. */
const HINTS: Readonly<Record<string, string>> = {
  ENCODING_INVALID: 'if the file is in Latin-1, add "encoding": "latin-1" to its mapping',
  QUOTE_UNCLOSED: 'double the quotation marks inside of quoted fields, or close them',
  PRICE_NOT_A_NUMBER: 'prices as printed need "price_text": true, those with a comma "decimal_comma": true',
  OBSERVED_AT_INVALID: 'times other than RFC 3339 need a "timestamp_format"',
  CURRENCY_MISMATCH: 'a country has its own currency: us USD, ca CAD',
}

/** The files with a greater share of refused rows than `max_quarantine`, or their mapping, allows. */
export const overQuarantined = (files: readonly FileReport[], limitOf: (file: FileReport) => number): string[] =>
  files.flatMap((report) => {
    const { file, rows_read, quarantined } = report
    const refused = sum(quarantined)
    const limit = limitOf(report)
    if (refused <= limit * rows_read) return []
    const [code, rows] = Object.entries(quarantined).sort((a, b) => b[1] - a[1])[0]!
    const hint = HINTS[code] ? `; ${HINTS[code]}` : ''
    return (
      `${file}: ${refused} of ${rows_read} rows are refused, ${percent(refused / rows_read)} and more than ` +
      `${percent(limit)}; ${rows} of them are ${code}${hint}`
    )
  })

/** The files that hold something and no row: a delivery of nothing is a mistake. */
export const filesWithoutRows = (files: readonly FileReport[]): string[] =>
  files
    .filter(({ rows_read }) => rows_read === 0)
    .map(({ file }) => `${file}: not empty, but it has no rows; remove or replace it`)

type Totals = { before: number; after: number }

const lost = (what: string, { before, after }: Totals, max_drop: number): string[] =>
  after < before * (1 - max_drop)
    ? [`${what} would fall from ${before} to ${after}, by more than ${percent(max_drop)}; --max-drop 1 allows it`]
    : []

/** What the new snapshot would lose against the previous one, beyond the share that may be lost. */
export const losses = (shelves: Totals, observations: Totals, max_drop: number): string[] => [
  ...lost('serving shelves', shelves, max_drop),
  ...lost('observations', observations, max_drop),
]
