import { parseHTML } from 'linkedom'

export type ParsedElement = {
  id: string
  tagName: string
  textContent: string
  getAttribute(name: string): string | null
}
type ParsedDocument = {
  querySelectorAll(selector: string): Iterable<ParsedElement>
  querySelector(selector: string): ParsedElement | null
}
/** A page as a document. */
export const parse = (body: string): ParsedDocument =>
  (parseHTML(body) as unknown as { document: ParsedDocument }).document

/** What is wrong with the markup of a page: repeated ids, references to none, unlabelled controls, skipped headings. */
export const faultsOf = (body: string): string[] => {
  const document = parse(body)
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
  const repeated = ids.filter((id, i) => ids.indexOf(id) !== i)
  const referring = ['for', 'aria-labelledby', 'aria-describedby', 'list'].flatMap((name) =>
    [...document.querySelectorAll(`[${name}]`)].flatMap((element) => (element.getAttribute(name) ?? '').split(' ')),
  )
  const anchors = [...document.querySelectorAll('a[href^="#"]')].map((a) => (a.getAttribute('href') ?? '').slice(1))
  const unlabelled = [...document.querySelectorAll('input:not([type=hidden]), select')].filter(
    ({ id }) => !document.querySelector(`label[for="${id}"]`),
  )
  const levels = [...document.querySelectorAll('h1, h2, h3, h4')].map(({ tagName }) => Number(tagName[1]))
  const skipped = levels.filter((level, i) => level > (levels[i - 1] ?? 0) + 1)
  return [
    ...repeated.map((id) => `repeated id ${id}`),
    ...[...referring, ...anchors].filter((id) => !ids.includes(id)).map((id) => `no element ${id}`),
    ...unlabelled.map(({ id }) => `no label for ${id}`),
    ...skipped.map((level) => `heading of level ${level} after none above it`),
    ...(levels.filter((level) => level === 1).length === 1 ? [] : ['not one h1']),
    ...[...document.querySelectorAll('[style], [onclick], style')].map(
      ({ tagName }) => `inline style or script: ${tagName}`,
    ),
  ]
}
