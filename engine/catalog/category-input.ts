import { fold, nameKey, slug } from './text.ts'

/** One way to split an input into the parts of a path or breadcrumb. */
export type Reading = { readonly parts: readonly string[]; slugs(): readonly string[]; keys(): readonly string[] }

/** A category as asked for, in the forms it may be found by: each is worked out when first needed. */
export type Asked = { readonly text: string; name(): string; key(): string; readings(): readonly Reading[] }

/** Longer inputs are cut: the longest breadcrumbs known have some 250 characters. */
const INPUT_LIMIT = 400

const once = <T>(compute: () => T): (() => T) => {
  let computed: T | undefined
  return () => {
    computed ??= compute()
    return computed
  }
}

const read = (text: string, separator: RegExp): Reading => {
  const parts = text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const names = once(() => parts.map(fold))
  return { parts, slugs: once(() => names().map(slug)), keys: once(() => names().map(nameKey)) }
}

const readParts = (text: string): readonly Reading[] => {
  const possible = read(text, /[>»|/]/)
  if (!text.includes('/')) return [possible]
  // Names hold slashes (`AM/FM Radios`): beside a surer separator, a bare slash may be part of a name.
  const sure = read(text, /[>»|]|\s\/\s/)
  return sure.parts.length === possible.parts.length ? [possible] : [sure, possible]
}

/** Reads a category in bounded time, whatever is asked: parts may be separated by `/`, `>`, `»` or `|`. */
export const readInput = (input: string): Asked => {
  const text = input.slice(0, INPUT_LIMIT).trim().toLowerCase()
  const name = once(() => fold(text))
  return { text, name, key: once(() => nameKey(name())), readings: once(() => readParts(text)) }
}
