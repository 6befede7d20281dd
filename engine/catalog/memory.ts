import { createRecent } from './recent.ts'

/** Decides when work that reads files is done. */
export type Admit = <T>(work: () => Promise<T>) => Promise<T>

/** Does the work without waiting. */
export const admitAtOnce: Admit = (work) => work()

/**
 * Keeps parts of a snapshot in memory, each read when it is first needed. Keys are plain data. Evicts the least recently
 * used beyond `max_entries`.
 */
export const createMemory = <K, T extends object>(read: (key: K) => Promise<T>, max_entries?: number) => {
  const loaded = createRecent<T>(max_entries)
  const loading = new Map<string, Promise<T>>()

  /** Reads a part; concurrent calls share one read. */
  const load = (key: K): Promise<T> => {
    const name = JSON.stringify(key)
    const present = loading.get(name)
    if (present) return present
    const reading = read(key)
      .then((part) => {
        loaded.set(name, part)
        return part
      })
      .finally(() => loading.delete(name))
    loading.set(name, reading)
    return reading
  }

  /** The part in memory, or null. */
  const peek = (key: K): T | null => loaded.get(JSON.stringify(key)) ?? null

  /** The part, which is loaded first if it is not in memory; `admit` decides when. */
  const get = async (key: K, admit: Admit = admitAtOnce): Promise<T> => peek(key) ?? (await admit(() => load(key)))

  /** Forgets all parts, so that they are read again when they are needed. */
  const clear = (): void => loaded.clear()

  return { get, peek, clear }
}
