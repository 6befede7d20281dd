/** Parses delimited text with quotes; a truncated last row is left out. */
export const readDelimited = (text: string, delimiter: string, isWhole: boolean, maxRows = 1001): string[][] => {
  const rows: string[][] = []
  let row: string[] = []
  let field = ''
  let isQuoted = false
  const endRow = () => {
    row.push(field)
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
    field = ''
  }
  for (let position = 0; position < text.length && rows.length < maxRows; position += 1) {
    const letter = text[position]!
    if (isQuoted && letter === '"' && text[position + 1] === '"') {
      field += '"'
      position += 1
    } else if (isQuoted) {
      if (letter === '"') isQuoted = false
      else field += letter
    } else if (letter === '"' && field.trim() === '') {
      isQuoted = true
      field = ''
    } else if (letter === delimiter) {
      row.push(field)
      field = ''
    } else if (letter === '\n') endRow()
    else if (letter !== '\r') field += letter
  }
  if (isWhole && rows.length < maxRows && (field !== '' || row.length > 0)) endRow()
  return rows
}

// In a tie, the delimiter that is rarer in text.
const DELIMITERS = ['\t', '|', ';', ',']

const widthOf = (rows: readonly string[][]): { width: number; share: number } => {
  const counts = new Map<number, number>()
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1)
  const [width = 0, most = 0] = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? []
  return { width, share: rows.length === 0 ? 0 : most / rows.length }
}

/** The delimiter that splits most lines into the same number of fields; null for a single column. */
export const guessDelimiter = (text: string, isWhole: boolean): string | null => {
  const declared = /^\uFEFF?sep=(.)\r?\n/i.exec(text)?.[1]
  if (declared !== undefined) return declared
  const ranked = DELIMITERS.map((delimiter) => {
    const rows = readDelimited(text, delimiter, isWhole, 200)
    const { width, share } = widthOf(rows)
    return {
      delimiter,
      width,
      score: width < 2 ? 0 : share * (rows[0]?.length === width ? 1 : 0.7) + Math.min(width, 20) / 100,
    }
  })
  const best = ranked.sort((a, b) => b.score - a.score)[0]!
  return best.score > 0.5 ? best.delimiter : null
}

const isDatum = (field: string): boolean =>
  /^[$€£]?\s?[+-]?\d[\d.,:/ -]*(?:¢|T[\d:.Z+-]+)?$|^https?:\/\//i.test(field.trim())

/** Whether the first row is a header: distinct names, none of them a number, date or URL. */
export const hasHeading = (rows: readonly string[][]): boolean => {
  const [first = [], ...others] = rows
  const names = first.map((name) =>
    name
      .replace(/^\uFEFF/, '')
      .trim()
      .toLowerCase(),
  )
  // The index column of a data frame has no name.
  const nonEmpty = names.filter((name) => name !== '')
  if (nonEmpty.length < names.length - 1 || new Set(nonEmpty).size < nonEmpty.length - 1 || nonEmpty.some(isDatum))
    return false
  const repeated = nonEmpty.filter((name, index) =>
    others.some((row) => row[index]?.trim().toLowerCase() === name),
  ).length
  return others.length === 0 || repeated <= nonEmpty.length / 4
}
