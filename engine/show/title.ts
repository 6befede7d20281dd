import { readFileSync } from 'node:fs'

/**
 * What people read in place of the names of fields, on terminals, on pages and in plots, each written by hand. One name has
 * one title, whatever the answer; a field that needs another has it from `field.titled`.
 */
export const titles: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL('titles.json', import.meta.url), 'utf8'),
)

/** A title inside a sentence; acronyms stay as they are. */
export const lowerFirst = (title: string): string =>
  /^[A-Z][a-z]/.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title

/** The title of a field in a record: `Best price discount`, and `Best price` where the record's says it already. */
export const titleIn = (record: string, title: string): string =>
  record.endsWith(` ${lowerFirst(title)}`) ? record : `${record} ${lowerFirst(title)}`
