import { identifier, literal } from '../../engine/index.ts'

export { identifier, literal }

export const listOf = (texts: readonly string[]): string => `[${texts.map(literal).join(', ')}]`

/** An SQL map of literals or expressions; NULL if it has no entry. */
export const mapOf = <T>(entries: Readonly<Record<string, T>>, write: (entry: T) => string): string => {
  const pairs = Object.entries(entries).map(([key, entry]) => `${literal(key)}: ${write(entry)}`)
  return pairs.length > 0 ? `MAP {${pairs.join(', ')}}` : 'NULL'
}
