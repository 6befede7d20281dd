/** A folder as the start of a glob of DuckDB: brackets, stars and question marks of its own stand for themselves. */
export const globOf = (folder: string): string => folder.replace(/[[*?]/g, '[$&]')
