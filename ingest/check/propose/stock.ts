import { literal } from '../../feeds/sql-text.ts'
import { isOf, patternOf, stockOf } from '../columns/kinds.ts'
import { wordsOf } from '../columns/names.ts'
import { type Draft, type FileColumn, guessed, reference, sourceOf, take, takeMeant, takeSql } from './draft.ts'

const INVERSE = /^(?:is )?(?:unavailable|sold out|out of stock|indisponible|(?:en )?rupture(?: de stock)?|oos)$/
const MAX_WORDS = 40

const takeStock = (draft: Draft, stock: FileColumn) => {
  const { name, type, share } = stock
  if (INVERSE.test(wordsOf(name).join(' ')) && share('yes') > 0.9) {
    const text = reference(stock)
    const truth = type === 'BOOLEAN' ? text : `lower(${text}) IN ('true', 'yes', 'y', '1', 'oui')`
    return takeSql(draft, 'availability', `CASE WHEN ${truth} THEN 'out_of_stock' ELSE 'in_stock' END`, stock)
  }
  const isFew = stock.distinct <= MAX_WORDS
  takeMeant(draft, 'availability', stock, (word) => (isFew && !isOf('usual_stock', word) ? stockOf(word) : undefined))
}

const hasSql = (text: string, kind: string): string => `regexp_matches(${text}, ${literal(patternOf(kind))})`

const takePromo = (draft: Draft, promo: FileColumn) => {
  if (promo.share('yes') > 0.5) return take(draft, 'promo_flag', promo)
  const text = `lower(${reference(promo)})`
  const none = promo.share('no_promo') > 0 ? `WHEN ${hasSql(text, 'no_promo')} THEN 'false' ` : ''
  const sql = `CASE ${none}WHEN ${hasSql(text, 'promo')} THEN 'true' END`
  takeSql(draft, 'promo_flag', sql, promo)
}

const MIN_BADGES = 0.005

/** A column of badges such as `Rollback`, `Low Stock` and `Best seller`, found by its values alone. */
const badgesOf = (draft: Draft, kind: string, test?: (value: string) => boolean): FileColumn | undefined => {
  const guesses = new Set([...draft.guesses.values()].map(({ source }) => source))
  return draft.columns.map(sourceOf).find(({ name, filled, distinct, rows, share }) => {
    const isShort = share('badge', (value) => value.length <= 60) > 0.9 && distinct <= Math.max(20, rows / 4)
    return !guesses.has(name) && isShort && share(kind, test) >= Math.max(MIN_BADGES, 3 / filled.length)
  })
}

/** Maps availability and promotion, by name or from a column of badges. */
export const describeStock = (draft: Draft): void => {
  if (draft.feed !== 'price_observations') return
  // Anything may be high or low.
  const isStock = (value: string) => /^(?!(?:high|low|medium)$).{1,25}$/i.test(value) && stockOf(value) !== undefined
  const stock = guessed(draft, 'availability')
  const stockBadges = stock ? undefined : badgesOf(draft, 'stock badges', isStock)
  const promo = guessed(draft, 'promo_flag') ?? badgesOf(draft, 'promo')
  if (promo) takePromo(draft, promo)
  if (stock) takeStock(draft, stock)
  else if (stockBadges) {
    const text = `lower(${reference(stockBadges)})`
    const sql = `CASE WHEN ${hasSql(text, 'out_of_stock')} THEN 'out_of_stock' WHEN ${hasSql(text, 'in_stock')} THEN 'in_stock' END`
    takeSql(draft, 'availability', sql, stockBadges)
  }
}
