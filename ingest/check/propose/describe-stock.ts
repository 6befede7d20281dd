import { wordsOf } from '../columns/names.ts'
import { filledOf, isInteger, isPromo, isYesNo, profile, shareOf, stockOf } from '../columns/values.ts'
import type { SampledColumn } from '../read/sample.ts'
import { type Draft, guessed, reference, take, takeSql } from './draft.ts'

/** Availability words that need no mapping. */
const STANDARD =
  /^(?:https?:\/\/schema\.org\/)?(?:in[ _-]?stock|out[ _-]?of[ _-]?stock|sold[ _-]?out|limited(?:availability)?|low[ _-]?stock|pre[ _-]?order|back[ _-]?order|discontinued)$/i
const INVERSE = /^(?:is )?(?:unavailable|sold out|out of stock|indisponible|(?:en )?rupture(?: de stock)?|oos)$/

const isStandard = (value: string): boolean => STANDARD.test(value) || isYesNo(value) || isInteger(value)

const stockWords = (values: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    [...new Set(filledOf(values))].flatMap((word) => {
      const meaning = isStandard(word) ? undefined : stockOf(word)
      return meaning ? [[word, meaning]] : []
    }),
  )

const MAX_WORDS = 40

const takeStock = (draft: Draft, stock: SampledColumn): void => {
  const { filled } = profile(stock.values)
  if (INVERSE.test(wordsOf(stock.name).join(' ')) && shareOf(filled, isYesNo) > 0.9) {
    const truth =
      stock.type === 'BOOLEAN' ? reference(stock) : `lower(${reference(stock)}) IN ('true', 'yes', 'y', '1', 'oui')`
    takeSql(draft, 'availability', `CASE WHEN ${truth} THEN 'out_of_stock' ELSE 'in_stock' END`, stock)
    return
  }
  take(draft, 'availability', stock)
  const words = stockWords(stock.values)
  if (Object.keys(words).length > 0 && Object.keys(words).length <= MAX_WORDS)
    draft.description.values = { ...draft.description.values, availability: words }
}

const OUT_SQL = 'out.of.stock|sold.out|unavailable|rupture|indisponible'
const IN_SQL = 'in.stock|low.stock|limited|only \\d+ left|en stock'
const PROMO_SQL =
  '\\b(sale|rollback|save|savings|clear|clearance|deal|special|reduced|promo|promotion|discount|solde|rabais|aubaine|liquidation)\\b'

const promoSql = (promo: SampledColumn): string =>
  `CASE WHEN regexp_matches(lower(${reference(promo)}), '${PROMO_SQL}') THEN 'true' END`

const MIN_BADGES = 0.005

/** A column of badges such as `Rollback`, `Low Stock` and `Best seller`, found by its values alone. */
const badgesOf = (draft: Draft, test: (value: string) => boolean): SampledColumn | undefined =>
  draft.columns.find(({ name, values }) => {
    const { filled, distinct, rows } = profile(values)
    const isGuessed = [...draft.guesses.values()].some(({ source }) => source === name)
    const isShort = shareOf(filled, (value) => value.length <= 60) > 0.9
    return (
      !isGuessed &&
      isShort &&
      distinct <= Math.max(20, rows / 4) &&
      shareOf(filled, test) >= Math.max(MIN_BADGES, 3 / filled.length)
    )
  })

const takeBadges = (draft: Draft): void => {
  const stock = draft.guesses.has('availability')
    ? undefined
    : badgesOf(draft, (value) => value.length <= 25 && stockOf(value) !== undefined)
  if (stock) {
    const text = `lower(${reference(stock)})`
    const sql = `CASE WHEN regexp_matches(${text}, '${OUT_SQL}') THEN 'out_of_stock' WHEN regexp_matches(${text}, '${IN_SQL}') THEN 'in_stock' END`
    takeSql(draft, 'availability', sql, stock)
  }
  const promo = draft.guesses.has('promo_flag') ? undefined : badgesOf(draft, isPromo)
  if (promo) takeSql(draft, 'promo_flag', promoSql(promo), promo)
}

const takePromo = (draft: Draft, promo: SampledColumn): void => {
  const { filled } = profile(promo.values)
  if (shareOf(filled, isYesNo) > 0.5) take(draft, 'promo_flag', promo)
  else takeSql(draft, 'promo_flag', promoSql(promo), promo)
}

/** Maps availability and promotion, by name or from a column of badges. */
export const describeStock = (draft: Draft): void => {
  if (draft.feed !== 'price_observations') return
  const stock = guessed(draft, 'availability')
  if (stock) takeStock(draft, stock)
  const promo = guessed(draft, 'promo_flag')
  if (promo) takePromo(draft, promo)
  takeBadges(draft)
}
