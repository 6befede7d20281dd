/**
 * Insertions, deletions, replacements and swaps of neighbours that turn one text into another (optimal string
 * alignment), or `limit + 1` as soon as it is certain that more than `limit` are needed.
 */
export const editDistance = (from: string, to: string, limit: number): number => {
  if (Math.abs(from.length - to.length) > limit) return limit + 1
  let before: number[] = []
  let above = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row]
    let least = row
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1]
      let steps = Math.min(above[column]! + 1, current[column - 1]! + 1, above[column - 1]! + (same ? 0 : 1))
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      if (swapped) steps = Math.min(steps, before[column - 2]! + 1)
      current.push(steps)
      least = Math.min(least, steps)
    }
    if (least > limit) return limit + 1
    before = above
    above = current
  }
  return Math.min(above[to.length]!, limit + 1)
}
