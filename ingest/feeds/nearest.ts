import { editDistance } from '../../engine/index.ts'

const bare = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/**
 * The known name that `name` is most likely meant as, whatever its case and separators: at most a third of its letters
 * differ. Null where none is that near; of equally near names the first.
 */
export const nearestName = (name: string, known: readonly string[]): string | null => {
  const wanted = bare(name)
  const limit = Math.floor(wanted.length / 3)
  const ranked = known
    .filter((candidate) => Math.abs(bare(candidate).length - wanted.length) <= limit)
    .map((candidate) => ({ candidate, distance: editDistance(wanted, bare(candidate), limit) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance)
  return ranked[0]?.candidate ?? null
}

/** ` (did you mean X?)`, to end a message with, or nothing where no known name is near. */
export const didYouMean = (name: string, known: readonly string[]): string => {
  const near = nearestName(name, known)
  return near === null ? '' : ` (did you mean ${near}?)`
}
