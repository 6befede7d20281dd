import { z } from 'zod'

/** What a statement read from one or all tables: files opened and rows returned, added up over its scans. */
export type TableReads = { scans: number; files: number; rows: number }
export type AllReads = TableReads & { by_table: Record<string, TableReads> }

const operator = z.object({
  operator_type: z.string().optional(),
  operator_cardinality: z.int().default(0),
  extra_info: z.record(z.string(), z.unknown()).default({}),
  get children() {
    return z.array(operator).default([])
  },
})
type Operator = z.output<typeof operator>

const profile = z.object({ ...operator.shape, latency: z.number() })

const scansOf = (node: Operator): Operator[] => [
  ...('Total Files Read' in node.extra_info ? [node] : []),
  ...node.children.flatMap(scansOf),
]

/** The table a file belongs to is the first name below its snapshot (data/README.md). */
const tableOf = ({ extra_info }: Operator): string =>
  /[\\/]snapshots[\\/][^\\/]+[\\/](\w+)/.exec(String(extra_info['Filename(s)'] ?? ''))?.[1] ?? 'unknown'

const none: TableReads = { scans: 0, files: 0, rows: 0 }
const plus = (reads: TableReads, { extra_info, operator_cardinality }: Operator): TableReads => ({
  scans: reads.scans + 1,
  files: reads.files + Number(extra_info['Total Files Read']),
  rows: reads.rows + operator_cardinality,
})

/** The rows of EXPLAIN (ANALYZE, FORMAT JSON) of one statement. */
type QueryProfile = readonly Record<string, unknown>[]

const profileOf = (explained: QueryProfile) =>
  profile.parse(JSON.parse(String(explained.find(({ explain_key }) => explain_key === 'analyzed_plan')?.explain_value)))

/**
 * What an explained plan read, from the profiles of `Engine.explain`. `files` counts a file once per scan that opens it, after
 * pruning by folder. `rows` counts rows after the filters pushed into the scans, so a filter that is not pushed down is
 * visible. Rows looked at are not in DuckDB's profile: operator_rows_scanned is an estimate from the first file, which may be
 * far from the rows of the files read, and row groups are not reported.
 */
export const readsOf = (profiles: readonly QueryProfile[]): AllReads => {
  const scans = profiles.flatMap((explained) => scansOf(profileOf(explained)))
  const by_table: Record<string, TableReads> = {}
  for (const scan of scans) by_table[tableOf(scan)] = plus(by_table[tableOf(scan)] ?? none, scan)
  return { ...scans.reduce(plus, none), by_table }
}

/** How long DuckDB took for the one run of the statements that was explained, in milliseconds; on the command line it is cold. */
export const millisecondsOf = (profiles: readonly QueryProfile[]): number =>
  Math.round(profiles.reduce((sum, explained) => sum + profileOf(explained).latency, 0) * 1e4) / 10
