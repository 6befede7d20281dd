/** The figures of an answer: its numbers by where they are, null where there is none. */
export type FiguresByPlace = ReadonlyMap<string, number | null>

/** Where the answer is from, and the query it belongs to. */
const NO_FIGURES: ReadonlySet<string> = new Set(['meta', 'resolved', 'window'])

/** The bounds of a bucket, or the texts and dates of a row, which tell it from the others of its list. */
const labelOf = (row: object): string =>
  'from_pct' in row && 'to_pct' in row
    ? `${row.from_pct ?? 'below'}..${row.to_pct ?? 'above'}`
    : Object.entries(row)
        .filter(([name, value]) => typeof value === 'string' && !name.endsWith('_uid') && name !== 'url')
        .map(([, value]) => value)
        .join(' ')

/**
 * The figures of an answer. One in a list is that of the row with the same texts and dates, `time_series[2026-10].index`; of
 * rows without any, or with the same ones, that of the same place.
 */
export const figuresOf = (answer: object): FiguresByPlace => {
  const figures = new Map<string, number | null>()
  const visit = (value: unknown, path: string): void => {
    if (typeof value === 'number' || value === null) figures.set(path, value)
    else if (Array.isArray(value)) {
      const seen = new Map<string, number>()
      for (const [place, item] of value.entries()) {
        const label = (typeof item === 'object' && item !== null && labelOf(item)) || String(place + 1)
        const count = (seen.get(label) ?? 0) + 1
        seen.set(label, count)
        visit(item, `${path}[${label}${count > 1 ? ` ${count}` : ''}]`)
      }
    } else if (typeof value === 'object')
      for (const [name, each] of Object.entries(value!)) visit(each, path === '' ? name : `${path}.${name}`)
  }
  for (const [name, value] of Object.entries(answer)) if (!NO_FIGURES.has(name)) visit(value, name)
  return figures
}
