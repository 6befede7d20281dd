/** The promise kept under a key, else a new one, which is forgotten if it fails. The oldest goes where there are too many. */
export const memoize = <K, T>(
  known: Map<K, Promise<T>>,
  key: K,
  make: () => Promise<T>,
  max_entries = Number.POSITIVE_INFINITY,
): Promise<T> => {
  const found = known.get(key)
  if (found) return found
  const made = make()
  known.set(key, made)
  made.catch(() => known.delete(key))
  const [oldest] = known.keys()
  if (known.size > max_entries && oldest !== undefined) known.delete(oldest)
  return made
}
