import { createRecent } from './recent.ts'

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
export const createMemory = <T extends object>(max_entries?: number) => {
  const loaded = createRecent<T>(max_entries)
  const loading = new Map<string, Promise<T>>()

  /** Reads a part, once however many ask for it at the same time. */
  const load = async (key: string, read: () => Promise<T>): Promise<T> => {
    const known = loaded.get(key) ?? loading.get(key)
    if (known) return known
    const end = () => loading.delete(key)
    const reading = read().then((part) => {
      loaded.set(key, part)
      return part
    })
    loading.set(key, reading)
    reading.then(end, end)
    return reading
  }

  /** The part that memory holds; throws NotLoaded where it has to be read first. */
  const get = (key: string, read: () => Promise<T>): T => {
    const part = loaded.get(key)
    if (!part) throw new NotLoaded(() => load(key, read))
    return part
  }

  /** The part where memory holds it, else null. */
  const peek = (key: string): T | null => loaded.get(key) ?? null

  return { load, get, peek }
}
