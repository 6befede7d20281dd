import { type Draft, guessed, reference, take, takeSql } from './draft.ts'
import * as messages from './messages.ts'
import { wordsOf } from './names.ts'
import { guessPrices, type PriceForm, printedPrice } from './prices.ts'
import type { SampledColumn } from './sample.ts'
import { profile, shareOf } from './values.ts'

const SALE = [
  'sale',
  'promo',
  'promotional',
  'promotion',
  'special',
  'discount',
  'discounted',
  'deal',
  'solde',
  'reduit',
  'rabais',
]
const PRICE = ['price', 'prix', 'amount']

/** A second price column, for sales, that is never above the first. */
const salePrice = (draft: Draft, price: SampledColumn, isComma: boolean): SampledColumn | undefined =>
  draft.columns.find((column) => {
    const words = wordsOf(column.name)
    const isNamed = SALE.some((word) => words.includes(word)) && PRICE.some((word) => words.includes(word))
    if (!isNamed || column.name === price.name || draft.used.has(column.name)) return false
    const pairs = column.values.map((value, index) => [
      printedPrice(value, isComma),
      printedPrice(price.values[index] ?? '', isComma),
    ])
    const both = pairs.filter(([sale, full]) => (sale ?? 0) > 0 && (full ?? 0) > 0)
    return both.length > 0 && both.filter(([sale, full]) => sale! <= full!).length >= 0.95 * both.length
  })

const isAbove0 = (column: SampledColumn): string =>
  column.type && !/^VARCHAR/.test(column.type)
    ? `${reference(column)} > 0`
    : `regexp_matches(${reference(column)}, '[1-9]')`

/** An expression without the currency code that is printed with the number. */
const withoutCode = (sql: string, { code }: PriceForm): string =>
  code === null ? sql : `trim(regexp_replace(${sql}, '(USD|CAD|CDN)', '', 'i'))`

const takeSale = (draft: Draft, price: SampledColumn, sale: SampledColumn, form: PriceForm): void => {
  const either = `CASE WHEN ${isAbove0(sale)} THEN ${reference(sale)} ELSE ${reference(price)} END`
  takeSql(draft, 'price', withoutCode(either, form), sale, price)
  const full = `CASE WHEN ${isAbove0(sale)} THEN ${reference(price)} END`
  if (!draft.guesses.has('list_price')) takeSql(draft, 'list_price', withoutCode(full, form), sale, price)
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

const checkCents = (draft: Draft, price: SampledColumn, form: PriceForm): void => {
  const { filled } = profile(price.values)
  const sql = `${reference(price)}::DECIMAL(12, 0) / 100`
  const isNamed = wordsOf(price.name).some((word) => word === 'cent' || word === 'cents' || word === 'cts')
  const isWhole = filled.length > 0 && filled.every((value) => /^\d+$/.test(value))
  if (form.isCents && !isNamed && medianOf(filled) < 100)
    draft.decisions.push(messages.centsOrDollars(price.name, filled, `${reference(price)}::DECIMAL(9, 2)`))
  else if (form.isCents) draft.notes.push(messages.readAsCents(price.name))
  else if (isWhole && isNamed) takeSql(draft, 'price', sql, price)
  else if (isWhole && medianOf(filled) >= 200 && shareOf(filled, (value) => /[1-9]$/.test(value)) > 0.5)
    draft.decisions.push(messages.dollarsOrCents(price.name, filled, sql))
}

/** Maps a price, without the currency code if one is printed with it. */
const takeCoded = (draft: Draft, column: 'price' | 'list_price', source: SampledColumn, form: PriceForm): void => {
  if (form.code === null) take(draft, column, source)
  else takeSql(draft, column, withoutCode(reference(source), form), source)
}

const checkSymbols = (draft: Draft, price: SampledColumn): void => {
  const foreign = profile(price.values).filled.filter((value) => /(?![$¢])\p{Sc}/u.test(value))
  if (foreign.length > 0)
    draft.decisions.push(messages.foreignCurrency(price.name, foreign.length / price.values.length, foreign))
}

const isPrinted = (form: PriceForm | undefined): boolean =>
  // If some values are not prices at all, others that the sample lacks may be printed ones.
  form !== undefined && (form.price_text || (form.refused.length > 0 && !form.isTyped))

const describeForm = (draft: Draft, price: SampledColumn, form: PriceForm, list: PriceForm | undefined): void => {
  const { description } = draft
  if (form.code !== null) description.constants = { ...description.constants, currency: form.code }
  // Without its currency code a price may be a plain number.
  const bare = form.code === null ? form : guessPrices(price.values.map((value) => value.replace(/USD|CAD|CDN/gi, '')))
  if (isPrinted(bare) || isPrinted(list)) description.price_text = true
  if (form.decimal_comma) description.decimal_comma = true
  if (form.isMixed) draft.decisions.push(messages.mixedDecimals(price.name, mixedExamples(price), form.decimal_comma))
  if (form.share < 0.99) draft.notes.push(messages.notPrices(price.name, 1 - form.share, form.refused))
}

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
  takeCoded(draft, 'price', price, form)
  if (list && listForm) takeCoded(draft, 'list_price', list, listForm)
  const sale = salePrice(draft, price, form.decimal_comma)
  if (sale) takeSale(draft, price, sale, form)
  else if (form.code === null) checkCents(draft, price, form)
  describeForm(draft, price, form, listForm)
  checkSymbols(draft, price)
}

const mixedExamples = ({ values }: SampledColumn): string[] =>
  [/,\d{1,2}\D*$/, /\.\d{1,2}\D*$/].flatMap((pattern) => values.find((value) => pattern.test(value)) ?? [])
