export const DEFAULT_LAKE = 'data/lake'

/** The options of every command; those without `value` are flags. */
export const globalOptions: Record<string, { value?: string; description: string }> = {
  lake: { value: 'DIR', description: `Lake to read. Default ${DEFAULT_LAKE}, or SHELFMARK_LAKE.` },
  as_of: {
    value: 'TIME',
    description: 'A fixed "now": the end of a UTC day, or an RFC 3339 time. Default the clock, or SHELFMARK_AS_OF.',
  },
  all: { description: 'On a terminal all figures, columns and tables of the answer, not only the most important.' },
  json: { description: 'The answer as JSON, as over HTTP; the default when standard output is not a terminal.' },
  csv: { description: "The answer's main table as CSV (RFC 4180) with a header." },
  arrow: { description: "The answer's main table as an Arrow IPC stream; not to a terminal." },
  parquet: { value: 'FILE', description: "Writes the answer's main table to a Parquet file." },
  svg: { value: 'FILE', description: "Draws the answer's plots to an SVG file, light or dark as its reader prefers." },
  each: {
    value: 'PARAM',
    description:
      'Runs the query for each category, retailer or brand, and returns a row of figures for each. category=PATH: ' +
      'only for PATH and the categories below it.',
  },
  explain: {
    description:
      'Instead of the answer, shows definition, plan, values, macros, SQL, files and rows read; with --json as JSON.',
  },
  version: { description: 'The version of this package.' },
  help: { description: 'This help, or that of a group or command.' },
}
