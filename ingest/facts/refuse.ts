import { hintAfter } from '../feeds/fault-hints.ts'
import type { StagedFile } from '../feeds/stage.ts'
import type { FileReport } from '../report.ts'

/** The default share of a file's rows that may be refused, 0..1. */
export const DEFAULT_MAX_QUARANTINE = 0.01

const percent = (share: number): string => `${Number((100 * share).toPrecision(3))} %`

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, rows) => total + rows, 0)

/** The files with a larger share of refused rows than `max_quarantine`, or their mapping, allows. */
const overQuarantined = (files: readonly FileReport[], limitOf: (file: FileReport) => number): string[] =>
  files.flatMap((report) => {
    const { file, rows_read, quarantined } = report
    const refused = sum(quarantined)
    const limit = limitOf(report)
    if (refused <= limit * rows_read) return []
    const [code, rows] = Object.entries(quarantined).sort((a, b) => b[1] - a[1])[0]!
    return (
      `${file}: ${refused} of ${rows_read} rows are refused, ${percent(refused / rows_read)}, above the limit of ` +
      `${percent(limit)} (--max-quarantine, or "max_quarantine" in its mapping); ` +
      `${rows} ${rows === 1 ? 'is' : 'are'} ${code}${hintAfter(': ', code, file)}`
    )
  })

/** The files that are not empty but have no rows: an empty delivery is an error. */
const filesWithoutRows = (files: readonly FileReport[], isAccepted: (file: string) => boolean): string[] =>
  files
    .filter(({ file, rows_read }) => rows_read === 0 && !isAccepted(file))
    .map(
      ({ file }) =>
        `${file}: not empty, but it has no rows; remove or replace it, or write "empty_files": "accept" in its mapping`,
    )

/** Why files may not be published: they have no rows, or more refused ones than their mapping or `max_quarantine` allows. */
export const fileProblems = (
  reports: readonly FileReport[],
  files: readonly StagedFile[],
  max_quarantine: number,
): string[] => {
  const limits = new Map(files.map(({ name, description }) => [name, description.max_quarantine]))
  const accepted = new Set(files.flatMap(({ name, description }) => (description.empty_files ? [name] : [])))
  return [
    ...filesWithoutRows(reports, (file) => accepted.has(file)),
    ...overQuarantined(reports, ({ file }) => limits.get(file) ?? max_quarantine),
  ]
}

type Totals = { before: number; after: number }

const dropProblem = (name: string, { before, after }: Totals, max_drop: number): string[] =>
  after < before * (1 - max_drop)
    ? [`${name} would fall from ${before} to ${after}, by more than ${percent(max_drop)}; --max-drop 1 allows it`]
    : []

/** Drops against the previous snapshot that exceed the allowed share. */
export const dropProblems = (shelves: Totals, observations: Totals, max_drop: number): string[] => [
  ...dropProblem('serving shelves', shelves, max_drop),
  ...dropProblem('observations', observations, max_drop),
]
