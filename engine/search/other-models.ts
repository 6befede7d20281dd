import type { ParsedCandidate, ParsedQuery } from './parsed-query.ts'
import { searchUnit } from './units.ts'

const BARE_NUMBER = /^\d+$/

/**
 * Whether a candidate has another number where the query has one: the parts of `s8` stand together in the name, and what the
 * name has after `iphone` is no other number than that of the query.
 */
const isOtherModel = ({ name: { order } }: ParsedCandidate, { keywords }: ParsedQuery): boolean =>
  keywords.some((keyword, index) => {
    const before = keywords[index - 1]
    if (before === undefined || !(keyword.isNumber || before.isNumber)) return false
    const followers = order.flatMap((word, place) => (before.words.has(word) ? (order[place + 1] ?? '') : []))
    if (followers.length === 0 || followers.some((word) => keyword.words.has(word))) return false
    return (
      keyword.term === before.term ||
      (BARE_NUMBER.test(keyword.word) && followers.some((word) => BARE_NUMBER.test(word)))
    )
  })

/** What a number before it measures or counts: in `12 mp`, `6x` and `3864 pixels` it is no model. */
const MEASURES: ReadonlySet<string> = new Set(
  'mp megapixel x zoom pixel core thread port programme program place fps mah ah nm rpm'.split(' '),
)

/** Whether the name has a number of the query only where it measures something, which the query does not say. */
const isMeasured = ({ name: { order } }: ParsedCandidate, { keywords, has }: ParsedQuery): boolean =>
  keywords.some(({ word, words }, index) => {
    if (index === 0 || !BARE_NUMBER.test(word)) return false
    const next = order.flatMap((each, place) => (words.has(each) ? (order[place + 1] ?? '') : []))
    const measures = (follower: string) => MEASURES.has(follower) || searchUnit(follower) !== undefined
    return next.length > 0 && next.every((follower) => measures(follower) && !has(follower))
  })

/** Words that make what has a number another model. */
const VARIANTS: ReadonlySet<string> = new Set('plus pro max mini lite ultra air ti super xl xt fe se slim'.split(' '))

/** Whether the name has such a word after a number of the query: `S8 Plus` is no `S8`. */
const isVariant = ({ name: { order } }: ParsedCandidate, { keywords, has }: ParsedQuery): boolean =>
  keywords.some(
    ({ words, isNumber }) =>
      isNumber &&
      order.some((word, place) => {
        const next = order[place + 1] ?? ''
        return words.has(word) && VARIANTS.has(next) && !has(next)
      }),
  )

/** The candidates without other models than that of the query; of variants of it, only where there is nothing else. */
export const withoutOtherModels = (
  found: readonly ParsedCandidate[],
  query: ParsedQuery,
): readonly ParsedCandidate[] => {
  const models = found.filter((one) => one.is_exact_name || !(isOtherModel(one, query) || isMeasured(one, query)))
  const basic = models.filter((one) => one.is_exact_name || !isVariant(one, query))
  return basic.length > 0 ? basic : models
}
