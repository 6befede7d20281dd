import { editDistance } from '../catalog/edit-distance.ts'

/** The known name that a misspelt one most likely stands for; undefined where none is near. */
export const nearest = (text: string, known: readonly string[]): string | undefined => {
  const limit = Math.max(2, Math.floor(text.length / 3))
  const ranked = known
    .map((name) => ({ name, distance: name.startsWith(text) ? 0 : editDistance(text, name, limit) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance)
  return ranked[0]?.name
}
