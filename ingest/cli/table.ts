/** Control characters, which could move a terminal's cursor or hide text, and line breaks as escapes. */
export const escaped = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (letter) => {
    const code = letter.codePointAt(0)!
    return code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
  })

export const formatCount = (rows: number): string => rows.toLocaleString('en')

/** A number of things: `1 row`, `2 rows`. */
export const counted = (count: number, thing: string): string =>
  `${formatCount(count)} ${thing}${count === 1 ? '' : 's'}`

/** Rows of cells in columns, the first `texts` of them left-aligned, the others right-aligned. */
export const alignColumns = (rows: readonly (readonly string[])[], texts: number): string[] => {
  const cells = rows.map((row) => row.map(escaped))
  const widths = (cells[0] ?? []).map((_, index) => Math.max(...cells.map((row) => row[index]!.length)))
  return cells.map((row) =>
    row
      .map((cell, index) => (index < texts ? cell.padEnd(widths[index]!) : cell.padStart(widths[index]!)))
      .join('  ')
      .trimEnd(),
  )
}
