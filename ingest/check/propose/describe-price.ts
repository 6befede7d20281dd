import { digitsOf, MAX_DECIMALS } from '../../../engine/index.ts'
import { nameScore, wordsOf } from '../columns/names.ts'
import { guessPrices, type PriceForm, printedPrice } from '../columns/prices.ts'
import { profile, shareOf } from '../columns/values.ts'
import type { SampledColumn } from '../read/sample.ts'
import { type Draft, guessed, reference, take, takeSql } from './draft.ts'
import * as messages from './messages.ts'

const SALE = new Set(
  'sale promo promotional promotion special discount discounted deal solde reduit rabais oferta promocional offerta angebot aktion'.split(
    ' ',
  ),
)
const PRICE = new Set('price prix amount precio preco prezzo preis'.split(' '))

type Pair = readonly [number, number]

/** The amounts of two columns in the rows where both have one. */
const pairsOf = (left: SampledColumn, right: SampledColumn, isComma: boolean): Pair[] =>
  left.values.flatMap((value, index) => {
    const pair = [printedPrice(value, isComma) ?? 0, printedPrice(right.values[index] ?? '', isComma) ?? 0] as const
    return pair[0] > 0 && pair[1] > 0 ? [pair] : []
  })

/** A second price column, for sales, that is never above the first. */
const salePrice = (draft: Draft, price: SampledColumn, isComma: boolean): SampledColumn | undefined =>
  draft.columns.find((column) => {
    const words = wordsOf(column.name)
    const isNamed = words.some((word) => SALE.has(word)) && words.some((word) => PRICE.has(word))
    if (!isNamed || column.name === price.name || draft.used.has(column.name)) return false
    const pairs = pairsOf(column, price, isComma)
    return pairs.length > 0 && pairs.filter(([sale, full]) => sale <= full).length >= 0.95 * pairs.length
  })

const isAbove0 = (column: SampledColumn): string =>
  column.type && !/^VARCHAR/.test(column.type)
    ? `${reference(column)} > 0`
    : `regexp_matches(${reference(column)}, '[1-9]')`

const takeSale = (draft: Draft, price: SampledColumn, sale: SampledColumn): void => {
  const [full, reduced] = [reference(price), reference(sale)]
  takeSql(draft, 'price', `CASE WHEN ${isAbove0(sale)} THEN ${reduced} ELSE ${full} END`, sale, price)
  if (!draft.guesses.has('list_price'))
    takeSql(draft, 'list_price', `CASE WHEN ${isAbove0(sale)} THEN ${full} END`, sale, price)
  draft.notes.push(messages.saleOrFull(sale.name, price.name))
}

const TOTAL =
  /^(?:sales? value|total(?: price| amount)?|line total|extended (?:price|amount)|revenue|net sales?|gross sales?|sales?|sales? amount|montant total|amount)$/
const QUANTITY = /^(?:quantity|qty|units?(?: sold)?|quantity sold|quantite|qte)$/

/** The message for a file without prices; sales data may have totals and quantities instead. */
const missing = (draft: Draft): string => {
  const columnLike = (pattern: RegExp) =>
    draft.columns.find(
      ({ name, values }) => pattern.test(wordsOf(name).join(' ')) && guessPrices(values).positive > 0.5,
    )
  const [total, quantity] = [columnLike(TOTAL), columnLike(QUANTITY)]
  if (!total || !quantity) return messages.noPrice
  const sql = `${reference(total)} / nullif(${reference(quantity)}, 0)`
  draft.suggested.price = { sql }
  return messages.priceFromTotal(total.name, quantity.name, sql)
}

const medianOf = (values: readonly string[]): number =>
  values.map(Number).sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const isDollars = (draft: Draft): boolean => {
  const { currency } = draft
  return currency === null || currency === 'USD' || currency === 'CAD'
}

/** Reads whole numbers as cents where the name says so, and asks where they may be. */
const checkCents = (draft: Draft, price: SampledColumn, form: PriceForm): void => {
  const { filled } = profile(price.values)
  const cents = `${reference(price)}::DECIMAL(12, 0) / 100`
  const isNamed = wordsOf(price.name).some((word) => /^(?:cents?|cts|minor)$/.test(word))
  const isWhole = filled.length > 0 && filled.every((value) => /^\d+$/.test(value))
  if (!isWhole) return
  if (isNamed) takeSql(draft, 'price', cents, price)
  else if (form.isWhole) {
    draft.description.integer_prices = 'units'
    if (isDollars(draft)) draft.decisions.push(messages.unitsOrCents(price.name, filled, cents))
  } else if (isDollars(draft) && medianOf(filled) >= 200 && shareOf(filled, (value) => /[1-9]$/.test(value)) > 0.5)
    draft.decisions.push(messages.dollarsOrCents(price.name, filled, cents))
}

const isPrinted = (form: PriceForm | undefined): boolean =>
  // If some values are not prices at all, others that the sample lacks may be printed ones.
  form !== undefined && (form.price_text || (form.refused.length > 0 && !form.isTyped))

const describeForm = (draft: Draft, price: SampledColumn, form: PriceForm, list: PriceForm | undefined): void => {
  const { description } = draft
  if (isPrinted(form) || isPrinted(list)) description.price_text = true
  const digits = draft.currency === null ? 2 : digitsOf(draft.currency)
  // Many decimals are noise of computing; four are stored at most.
  if (form.decimals > digits) description.decimals = Math.min(form.decimals, MAX_DECIMALS)
  if (form.decimal_comma || list?.decimal_comma) description.decimal_comma = true
  if (form.isMixed) draft.notes.push(messages.mixedDecimals(price.name, mixedExamples(price)))
  if (form.share < 0.99) draft.notes.push(messages.notPrices(price.name, 1 - form.share, form.refused))
}

/** A reduction beside a price makes the list price. */
const takeDecrease = (draft: Draft, price: SampledColumn, isComma: boolean): void => {
  const decrease = draft.columns.find(({ name }) => nameScore(name, 'price_decrease') > 0.8)
  if (!decrease || draft.used.has(decrease.name) || isComma) return
  const [amount, reduction] = [reference(price), reference(decrease)]
  const sql = `CASE WHEN ${isAbove0(decrease)} THEN ${amount} + abs(${reduction}) END`
  takeSql(draft, 'list_price', sql, price, decrease)
}

const mixedExamples = ({ values }: SampledColumn): string[] =>
  [/,\d{1,2}\D*$/, /\.\d{1,2}\D*$/].flatMap((pattern) => values.find((value) => pattern.test(value)) ?? [])

const DASHED = /\d[.,]\s?[-–—]+\D*$/

/** Maps the price and the list price and how they are written. */
export const describePrices = (draft: Draft): void => {
  const price = guessed(draft, 'price')
  if (draft.feed !== 'price_observations') return
  if (price === undefined) {
    draft.decisions.push(missing(draft))
    return
  }
  const form = guessPrices(price.values, price.type)
  const list = guessed(draft, 'list_price')
  const listForm = list && guessPrices(list.values, list.type)
  // `5,-` is a whole amount, which readers do not know.
  const isDashed = price.values.some((value) => DASHED.test(value))
  if (isDashed) takeSql(draft, 'price', `regexp_replace(${reference(price)}, '[.,]\\s?[-–—]+', '')`, price)
  else take(draft, 'price', price)
  if (list) take(draft, 'list_price', list)
  else takeDecrease(draft, price, form.decimal_comma)
  const sale = salePrice(draft, price, form.decimal_comma)
  if (sale) takeSale(draft, price, sale)
  else checkCents(draft, price, form)
  describeForm(draft, price, form, listForm)
}
