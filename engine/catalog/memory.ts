/**
 * Thrown where planning needs a part of the snapshot that memory does not hold. Planning is pure: whoever plans loads the
 * part and plans again. Thus a plan cannot wait for DuckDB by itself.
 */
export class NotLoaded extends Error {
  override readonly name = 'NotLoaded'
  readonly load: () => Promise<unknown>

  constructor(load: () => Promise<unknown>) {
    super('a part of the snapshot is not loaded')
    this.load = load
  }
}

/** Does work that may throw NotLoaded until it has all it needs. `admit` decides when a part is read. */
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

/** Parts of a snapshot by key. The least recently used is forgotten where there are more than `max_entries`. */
export const createMemory = <T>(max_entries = Number.POSITIVE_INFINITY) => {
  const loaded = new Map<string, T>()
  const loading = new Map<string, Promise<T>>()

  const keep = (key: string, value: T): T => {
    loaded.delete(key)
    loaded.set(key, value)
    const [oldest] = loaded.keys()
    if (loaded.size > max_entries && oldest !== undefined) loaded.delete(oldest)
    return value
  }

  /** Reads a part, once however many ask for it at the same time. */
  const load = async (key: string, read: () => Promise<T>): Promise<T> => {
    if (loaded.has(key)) return keep(key, loaded.get(key) as T)
    const known = loading.get(key)
    if (known) return known
    const end = () => loading.delete(key)
    const reading = read().then((value) => keep(key, value))
    loading.set(key, reading)
    reading.then(end, end)
    return reading
  }

  /** The part that memory holds; throws NotLoaded where it has to be read first. */
  const get = (key: string, read: () => Promise<T>): T => {
    if (!loaded.has(key)) throw new NotLoaded(() => load(key, read))
    return keep(key, loaded.get(key) as T)
  }

  /** The part where memory holds it, else null. */
  const peek = (key: string): T | null => loaded.get(key) ?? null

  return { load, get, peek }
}
