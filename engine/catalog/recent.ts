/** A cache of values by key. Evicts the least recently used beyond `max_entries`. */
export const createRecent = <T extends object>(max_entries = Number.POSITIVE_INFINITY) => {
  const entries = new Map<string, T>()

  return {
    get(key: string): T | undefined {
      const value = entries.get(key)
      if (value === undefined) return undefined
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    set(key: string, value: T): void {
      entries.delete(key)
      entries.set(key, value)
      const [oldest] = entries.keys()
      if (entries.size > max_entries && oldest !== undefined) entries.delete(oldest)
    },
    clear(): void {
      entries.clear()
    },
  }
}
