type CachedBlock = { block: unknown; bytes: number }

/** Blocks that were read last, at most `max_bytes` of them in two generations: what is not used for one of them is dropped. */
export const createBlockCache = (max_bytes: number) => {
  let young = new Map<number, CachedBlock>()
  let old = new Map<number, CachedBlock>()
  let young_bytes = 0

  const set = (key: number, entry: CachedBlock): void => {
    if (young_bytes + entry.bytes > max_bytes / 2) {
      old = young
      young = new Map()
      young_bytes = 0
    }
    young.set(key, entry)
    young_bytes += entry.bytes
  }

  return {
    set,
    get(key: number): unknown {
      const entry = young.get(key)
      if (entry) return entry.block
      const older = old.get(key)
      if (older) set(key, older)
      return older?.block
    },
    clear(): void {
      young.clear()
      old.clear()
      young_bytes = 0
    },
  }
}

export type BlockCache = ReturnType<typeof createBlockCache>
