import { fold, nameKey, slug } from '../contract/text.ts'

/** One way to split an input into the parts of a path or breadcrumb. */
export type Split = { readonly parts: readonly string[]; slugs(): readonly string[]; keys(): readonly string[] }

/** The category param in the forms by which it is matched, each computed on first use. */
export type CategoryInput = { readonly text: string; name(): string; key(): string; splits(): readonly Split[] }

/** Longer inputs are cut; the longest breadcrumbs in practice have some 250 characters. */
const MAX_CHARACTERS = 400

const lazy = <T>(compute: () => T): (() => T) => {
  let computed: T | undefined
  return () => {
    computed ??= compute()
    return computed
  }
}

const splitAt = (text: string, separator: RegExp): Split => {
  const parts = text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const names = lazy(() => parts.map(fold))
  return { parts, slugs: lazy(() => names().map(slug)), keys: lazy(() => names().map(nameKey)) }
}

const splitsOf = (text: string): readonly Split[] => {
  const atEverySlash = splitAt(text, /[>»|/]/)
  if (!text.includes('/')) return [atEverySlash]
  // A slash may be part of a name (`AM/FM Radios`) if the text has an unambiguous separator too.
  const atSpacedSlashes = splitAt(text, /[>»|]|\s\/\s/)
  return atSpacedSlashes.parts.length === atEverySlash.parts.length ? [atEverySlash] : [atSpacedSlashes, atEverySlash]
}

/** Parses a category in bounded time for any input; parts may be separated by `/`, `>`, `»` or `|`. */
export const parseCategoryInput = (input: string): CategoryInput => {
  const text = input.slice(0, MAX_CHARACTERS).trim().toLowerCase()
  const name = lazy(() => fold(text))
  return { text, name, key: lazy(() => nameKey(name())), splits: lazy(() => splitsOf(text)) }
}
