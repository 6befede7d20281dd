import { createRecent } from './recent.ts'

/**
 * Thrown if planning needs a part of the snapshot that is not in memory. Planning is synchronous and pure, so it cannot
 * wait for DuckDB: the caller loads the part and plans again.
 */
export class NotLoaded extends Error {
  override readonly name = 'NotLoaded'
  readonly load: () => Promise<unknown>

  constructor(load: () => Promise<unknown>) {
    super('a part of the snapshot is not loaded')
    this.load = load
  }
}

/** Repeats work that may throw NotLoaded, loading each missing part. `admit` decides when a part is loaded. */
export const withLoading = async <T>(
  work: () => T,
  admit: (load: () => Promise<unknown>) => Promise<unknown> = (load) => load(),
): Promise<T> => {
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof NotLoaded)) throw error
      await admit(error.load)
    }
  }
}

/** A cache of parts of a snapshot by key. Evicts the least recently used beyond `max_entries`. */
export const createMemory = <T extends object>(max_entries?: number) => {
  const loaded = createRecent<T>(max_entries)
  const loading = new Map<string, Promise<T>>()

  /** Loads a part; concurrent calls share one read. */
  const load = async (key: string, read: () => Promise<T>): Promise<T> => {
    const present = loaded.get(key) ?? loading.get(key)
    if (present) return present
    const end = () => loading.delete(key)
    const reading = read().then((part) => {
      loaded.set(key, part)
      return part
    })
    loading.set(key, reading)
    reading.then(end, end)
    return reading
  }

  /** The part in memory; throws NotLoaded if it has to be read first. */
  const get = (key: string, read: () => Promise<T>): T => {
    const part = loaded.get(key)
    if (!part) throw new NotLoaded(() => load(key, read))
    return part
  }

  /** The part in memory, or null. */
  const peek = (key: string): T | null => loaded.get(key) ?? null

  /** Forgets all parts, so that they are read again when they are needed. */
  const clear = (): void => loaded.clear()

  return { load, get, peek, clear }
}
