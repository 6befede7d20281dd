/**
 * The number of insertions, deletions, replacements and swaps of neighbours that turn one text into another (optimal string
 * alignment distance); `limit + 1` if it exceeds `limit`.
 */
export const editDistance = (from: string, to: string, limit: number): number => {
  if (Math.abs(from.length - to.length) > limit) return limit + 1
  let secondLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row]
    let minimum = row
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1]
      let steps = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1))
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      if (swapped) steps = Math.min(steps, secondLast[column - 2]! + 1)
      current.push(steps)
      minimum = Math.min(minimum, steps)
    }
    if (minimum > limit) return limit + 1
    secondLast = last
    last = current
  }
  return Math.min(last[to.length]!, limit + 1)
}
