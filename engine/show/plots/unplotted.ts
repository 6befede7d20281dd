/** Why the answers of a query have no plot, by the query's id. */
export const unplotted: ReadonlyMap<string, string> = new Map([
  ['public/stats', 'its counts are of different things, without a common scale'],
  ['reference/classify', 'it has codes and names, and no quantities'],
  ['reference/reverse', 'it has codes and names, and no quantities'],
  ['reference/brick-attributes', 'it has attributes and their values, and no quantities'],
])
