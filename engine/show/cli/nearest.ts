import { editDistance } from '../../search/edit-distance.ts'

/** The name that a misspelt one most likely means; undefined if none is similar. */
export const nearest = (text: string, names: readonly string[]): string | undefined => {
  const limit = Math.max(2, Math.floor(text.length / 3))
  const ranked = names
    .map((name) => ({ name, distance: name.startsWith(text) ? 0 : editDistance(text, name, limit) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance)
  return ranked[0]?.name
}
