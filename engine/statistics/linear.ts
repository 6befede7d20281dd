/**
 * The solutions of a system of linear equations for several right sides, by elimination with the largest pivot. Each is
 * linear in its right side: the solutions of parts add up to that of their sum. The matrix must have full rank.
 */
export const solve = (matrix: readonly (readonly number[])[], sides: readonly (readonly number[])[]): number[][] => {
  const size = matrix.length
  const rows = matrix.map((row, i) => [...row, ...sides.map((side) => side[i]!)])
  for (let column = 0; column < size; column += 1) {
    let pivot = column
    for (let row = column + 1; row < size; row += 1)
      if (Math.abs(rows[row]![column]!) > Math.abs(rows[pivot]![column]!)) pivot = row
    ;[rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!]
    for (let row = 0; row < size; row += 1) {
      if (row === column) continue
      const factor = rows[row]![column]! / rows[column]![column]!
      if (factor !== 0)
        for (let i = column; i < size + sides.length; i += 1) rows[row]![i]! -= factor * rows[column]![i]!
    }
  }
  return sides.map((_, side) => rows.map((row, i) => row[size + side]! / row[i]!))
}
