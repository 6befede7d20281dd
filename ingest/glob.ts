/** A folder as the start of a DuckDB glob, with its brackets, stars and question marks escaped. */
export const globOf = (folder: string): string => folder.replace(/[[*?]/g, '[$&]')
