import { withMonths } from '../columns/months.ts'
import { isNamed } from '../columns/names.ts'
import { daysIn } from '../columns/times.ts'
import type { Draft } from './draft.ts'

/** The value if all are equal. */
const only = <Value>(values: readonly Value[]): Value | undefined =>
  new Set(values).size === 1 ? values[0] : undefined

const shopIn = (titles: readonly string[]): string | undefined => {
  const pairs = titles.map(
    (title, at) => /^(.{2,40}?)\s*[:：]\s*(\S.*)$/u.exec(title)?.slice(1) ?? [title, titles[at + 1]],
  )
  return pairs.find(([label, shop]) => shop && isNamed(label!, 'platform'))?.[1]
}

/** The retailer that a line above the table of every file names, in its cell or the next: `Store: Acme`. */
export const shopOfTitles = ({ files }: Draft): string | undefined =>
  only(files.map(({ titles = [] }) => shopIn(titles)))

/** A day in a text: in numbers, or with the month in letters after, between or before them. */
const DAYS = new RegExp(
  [
    String.raw`\d{4}([-./]) ?\d\d?\1 ?\d\d?`,
    String.raw`\d\d?([-./]) ?\d\d?\2 ?\d{4}`,
    String.raw`\d\d?(?:st|nd|rd|th|er|\.|º)?\s(?:d[eo]l?\s|of\s)?\p{L}{3,}\.?,?\s(?:d[eo]l?\s)?\d{4}`,
    String.raw`\p{L}{3,}\.?\s\d\d?(?:st|nd|rd|th)?,?\s\d{4}`,
    String.raw`\d{4}\. \p{L}{3,}\s\d\d?`,
    '\\d{4} ?[年년] ?\\d\\d? ?[月월] ?\\d\\d? ?[日일]',
  ]
    .map((form) => String.raw`(?<![\d\p{L}])${form}(?!\d)`)
    .join('|'),
  'gu',
)

const dayIn = (titles: readonly string[], country: string | null): string | undefined => {
  const texts = titles.flatMap((title) => title.match(DAYS) ?? [])
  const days = texts.flatMap((text) => {
    const plain = text.replace(/(?<=\d)(?:st|nd|rd|th|er|º)/, '').replace(/\s(?:d[eo]l?|of)(?=\s)/g, '')
    const possible = daysIn(withMonths({ name: '', values: [plain] }).values[0]!)
    // Only Americans write the month first, in numbers.
    return possible.at(country === 'us' ? -1 : 0) ?? []
  })
  return only(days)
}

/** The only day in the lines above the table of every file. */
export const dayOfTitles = ({ files, country }: Draft): string | undefined =>
  only(files.map(({ titles = [] }) => dayIn(titles, country)))
