/** The lower median of so many values, which are sorted in place: always one of them. */
export const lowerMedian = (values: Int32Array, length: number): number => {
  for (let i = 1; i < length; i += 1) {
    const value = values[i]!
    let at = i
    for (; at > 0 && values[at - 1]! > value; at -= 1) values[at] = values[at - 1]!
    values[at] = value
  }
  return values[(length - 1) >> 1]!
}
