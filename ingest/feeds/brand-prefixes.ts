/** Matches any first word. */
const ANY = '*'

const firstWord = (prefix: string): string => /^[\p{L}\p{N}]*/u.exec(prefix.toLowerCase())![0]

/**
 * Brands that may begin a name, by their first word in lower case, the longest first: of several that begin a name the
 * longest counts. A look-up by the first word avoids a comparison with all of them.
 */
export const prefixesByWord = (prefixes: readonly string[]): Record<string, string[]> => {
  const byWord: Record<string, string[]> = {}
  const distinct = new Set(prefixes.map((prefix) => prefix.trim()))
  for (const prefix of [...distinct].sort((a, b) => b.length - a.length || (a < b ? -1 : 1))) {
    const word = prefix === ANY ? ANY : firstWord(prefix)
    byWord[word] = [...(byWord[word] ?? []), prefix]
  }
  return byWord
}
