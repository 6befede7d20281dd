/** Groups values by their key, or by each of their distinct keys, in their order. */
export const groupBy = <T>(
  values: Iterable<T>,
  keysOf: (value: T) => string | readonly string[],
): ReadonlyMap<string, readonly T[]> => {
  const groups = new Map<string, T[]>()
  for (const value of values)
    for (const key of new Set([keysOf(value)].flat())) {
      const group = groups.get(key)
      if (group) group.push(value)
      else groups.set(key, [value])
    }
  return groups
}
