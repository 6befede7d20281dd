import { editDistance } from '../../engine/index.ts'

const bare = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/**
 * The candidate that `name` most likely means, ignoring case and separators: at most a third of its letters differ.
 * Null if none is that near; of equally near names the first.
 */
export const nearestName = (name: string, candidates: readonly string[]): string | null => {
  const target = bare(name)
  const limit = Math.floor(target.length / 3)
  const ranked = candidates
    .filter((candidate) => Math.abs(bare(candidate).length - target.length) <= limit)
    .map((candidate) => ({ candidate, distance: editDistance(target, bare(candidate), limit) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance)
  return ranked[0]?.candidate ?? null
}

/** ` (did you mean X?)`, to end a message with, or an empty text if no candidate is near. */
export const didYouMean = (name: string, candidates: readonly string[]): string => {
  const near = nearestName(name, candidates)
  return near === null ? '' : ` (did you mean ${near}?)`
}
