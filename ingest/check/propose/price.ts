import { digitsOf, MAX_DECIMALS } from '../../../engine/index.ts'
import { unitsOf } from '../../feeds/currency-signs.ts'
import { currencyNamed, isCommaCountry } from '../columns/countries.ts'
import { percent, shareOf } from '../columns/kinds.ts'
import { hasWord, isNamed, nameScore, wordsOf } from '../columns/names.ts'
import { areWhole, asAmounts } from '../columns/prices.ts'
import type { SampledColumn } from '../read/sample.ts'
import {
  type Draft,
  decide,
  type FileColumn,
  guessed,
  isUsed,
  note,
  reference,
  sourceOf,
  take,
  takeSql,
} from './draft.ts'

/** The share of rows with two amounts above 0 whose first is not above the second; null without such rows. */
const shareBelow = (lower: SampledColumn, upper: SampledColumn): number | null => {
  const [first, second] = [sourceOf(lower).amounts(), sourceOf(upper).amounts()]
  const both = first.flatMap((amount, row) => (amount > 0 && second[row]! > 0 ? [amount <= second[row]!] : []))
  return both.length === 0 ? null : shareOf(both, (isBelow) => isBelow)
}

const MIN_LIST_NAME = 0.5
const isRegular = ({ name }: FileColumn): boolean => nameScore(name, 'list_price') > MIN_LIST_NAME

/** The only second price column, for sales or current beside a regular one, that is never above the first. */
const salePrice = (draft: Draft, price: FileColumn): SampledColumn | undefined => {
  const [sale, ...others] = draft.columns.filter((column) => {
    const { name } = column
    const isSale = hasWord(name, 'sale') && wordsOf(name).some((word) => isNamed(word, 'price'))
    if (!(isSale || (isRegular(price) && isNamed(name, 'price'))) || name === price.name || isUsed(draft, name))
      return false
    return (shareBelow(column, price) ?? 0) >= 0.95
  })
  // Several are for larger and larger orders.
  return others.length === 0 ? sale : undefined
}

const MIN_CENT_SHARE = 0.95

/** The share of list prices that are not below the price. */
const MIN_ABOVE = 0.85

const isAbove0 = (column: SampledColumn): string =>
  column.type && !/^VARCHAR/.test(column.type)
    ? `${reference(column)} > 0`
    : `regexp_matches(${reference(column)}, '[1-9]')`

const takeSale = (draft: Draft, price: SampledColumn, sale: SampledColumn): void => {
  const [full, reduced] = [reference(price), reference(sale)]
  takeSql(draft, 'price', `CASE WHEN ${isAbove0(sale)} THEN ${reduced} ELSE ${full} END`, sale, price)
  if (!draft.guesses.has('list_price'))
    takeSql(draft, 'list_price', `CASE WHEN ${isAbove0(sale)} THEN ${full} END`, sale, price)
  note(draft, 'saleOrFull', { sale: sale.name, full: price.name, columns: { price: price.name } })
}

/** Asks for the price; sales data may have totals and quantities instead. */
const askForPrice = (draft: Draft) => {
  const amountNamed = (kind: 'total' | 'quantity') =>
    draft.columns.find((column) => isNamed(column.name, kind) && sourceOf(column).price().positive > 0.5)
  const [total, quantity] = [amountNamed('total'), amountNamed('quantity')]
  if (!total || !quantity || total === quantity) return decide(draft, 'noPrice')
  const sql = `round(${reference(total)} / nullif(${reference(quantity)}, 0), 2)`
  draft.suggested.price = { sql }
  decide(draft, 'priceFromTotal', { total: total.name, quantity: quantity.name, columns: { price: { sql } } })
}

const PRICES = ['price', 'list_price', 'recommended_price', 'unit_price'] as const
const MIN_ROUNDED = 3
const MIN_EVEN = 0.25
/** Currencies in which most prices have cents. */
const WITH_CENTS = /^(?:USD|CAD|EUR|GBP|CHF|AUD|NZD)$/

/**
 * Reads whole prices as cents where unit prices are whole numbers, too: many are multiples of the price, others were rounded,
 * and whole units of the currency would not have been rounded to.
 */
const readCents = (draft: Draft): void => {
  const [price, unit] = [guessed(draft, 'price'), guessed(draft, 'unit_price')]
  if (!price || !unit || !areWhole(price) || !areWhole(unit) || !WITH_CENTS.test(draft.currency ?? '')) return
  const units = unit.amounts()
  const pairs = price
    .amounts()
    .flatMap((amount, row) => (amount * units[row]! > 0 ? [[amount, units[row]!] as const] : []))
  const rounded = pairs.filter(([amount, of]) => of % amount > 0 && amount % of > 0)
  if (rounded.length < MIN_ROUNDED || shareOf(pairs, ([amount, of]) => of % amount === 0) < MIN_EVEN) return
  const sources = PRICES.map((column) => guessed(draft, column)?.name)
  draft.columns = draft.columns.map((column) =>
    sources.includes(column.name) && areWhole(column) ? asAmounts(column) : column,
  )
  note(draft, 'centsByUnit', { source: price.name, values: price.filled, unit: unit.name })
}

const MIN_CENTS = 200

/** Asks whether whole numbers are cents. */
const checkCents = (draft: Draft, price: FileColumn): void => {
  const { filled, name, share } = price
  const sql = `${reference(price)}::DECIMAL(12, 0) / 100`
  const isDollars = draft.currency === null || /^(?:USD|CAD)$/.test(draft.currency)
  const gaps = { source: name, values: filled, columns: { price: { sql } } }
  if (filled.length === 0 || !filled.every((value) => /^\d+$/.test(value))) return
  if (price.price().isWhole) {
    draft.description.integer_prices = 'units'
    if (isDollars) decide(draft, 'unitsOrCents', gaps)
  } else if (
    isDollars &&
    shareOf(filled, (value) => Number(value) >= MIN_CENTS) > 0.5 &&
    share('odd', (value) => /[1-9]$/.test(value)) > 0.5
  )
    decide(draft, 'dollarsOrCents', gaps)
}

/** The largest amount that is stored, in smallest units. */
const MAX_STORED = 2 ** 31 - 1

/** Whether points stand before thousands, as in `12.499` where the country has decimal commas: three digits follow each. */
const hasThousandPoints = ({ country, currency }: Draft, { filled, price }: FileColumn): boolean => {
  const pointed = filled.map((value) => /(\d*)\.(\d+)/.exec(value)).filter((match) => match !== null)
  const areThousands =
    pointed.every(([, , after]) => after!.length === 3) && pointed.some(([, before]) => before!.length > 1)
  const isComma = country !== null && isCommaCountry(country) && (currency === null || digitsOf(currency) < 3)
  return isComma && areThousands && !price().isTyped
}

/** Whether prices have more decimals than the currency has, or that of the country of their row. */
const isTooFine = (draft: Draft, price: FileColumn, digits: number): boolean => {
  const countries = guessed(draft, 'country')?.values ?? []
  const digitsIn = (row: number) => digitsOf(currencyNamed(countries[row] ?? '') ?? 'USD')
  const decimalsOf = (amount: number) => `${amount}`.split('.')[1]?.length ?? 0
  const isFinerThere = countries.length > 0 && price.amounts().some((amount, row) => decimalsOf(amount) > digitsIn(row))
  return isFinerThere || price.price().decimals > digits
}

/** States how prices are written. */
const describeForm = (draft: Draft, price: FileColumn, list: FileColumn | undefined): void => {
  const { description, currency } = draft
  const form = price.price()
  const forms = list ? [form, list.price()] : [form]
  const multiples = multiplesOf(draft, price)
  if (multiples) description.price_text = true
  // If some values are not prices at all, others that the sample lacks may be printed ones.
  if (forms.some(({ price_text, refused, isTyped }) => price_text || (refused.length > 0 && !isTyped)))
    description.price_text = true
  const digits = currency === null ? 2 : digitsOf(currency)
  // Whole amounts are stored as such where cents would leave no room for them.
  if (form.decimals === 0 && digits > 0 && price.amounts().some((amount) => amount * 10 ** digits > MAX_STORED))
    description.decimals = 0
  // Many decimals are noise of computing; as many are stored as all amounts leave room for, four at most.
  const room = Math.floor(Math.log10(MAX_STORED / Math.max(1, ...price.amounts())))
  if (isTooFine(draft, price, digits) && (form.decimal_comma || !hasThousandPoints(draft, price)))
    description.decimals = Math.max(digits, Math.min(form.decimals, MAX_DECIMALS, room))
  if (forms.some(({ decimal_comma }) => decimal_comma) || hasThousandPoints(draft, price))
    description.decimal_comma = true
  const source = price.name
  const word = [...form.signs, ...(multiples?.filled ?? [])].find((sign) => unitsOf(sign) !== 1)
  if (word !== undefined) note(draft, 'multiples', { word, units: String(unitsOf(word)), currency: currency ?? '' })
  if (form.isMixed) {
    const mixed = [/,\d{1,2}\D*$/, /\.\d{1,2}\D*$/].map((mark) => price.values.find((value) => mark.test(value)) ?? '')
    note(draft, 'mixedDecimals', { source, values: mixed })
  }
  if (form.share < 0.99) note(draft, 'notPrices', { source, share: percent(1 - form.share), values: form.refused })
}

/** A reduction beside a price makes the list price. */
const takeDecrease = (draft: Draft, price: FileColumn): void => {
  const decrease = draft.columns.find(({ name }) => nameScore(name, 'price_decrease') > 0.8)
  if (!decrease || isUsed(draft, decrease.name) || price.price().decimal_comma) return
  const sql = `CASE WHEN ${isAbove0(decrease)} THEN ${reference(price)} + abs(${reference(decrease)}) END`
  takeSql(draft, 'list_price', sql, decrease, price)
}

/** The list price, which is not below the price; a price of another amount, such as of a kilogram, is. */
const listPrice = (draft: Draft, price: FileColumn): FileColumn | undefined => {
  const list = guessed(draft, 'list_price')
  return list && (shareBelow(price, list) ?? 1) > MIN_ABOVE ? list : undefined
}

/** The column of cents beside one of whole amounts: `price_whole` and `price_fraction`. */
const fractionOf = (draft: Draft, price: FileColumn): SampledColumn | undefined =>
  price.price().decimals > 0
    ? undefined
    : draft.columns.find((column) => {
        const isOfPrice = hasWord(column.name, 'fraction') && column.name !== price.name
        return isOfPrice && sourceOf(column).share('cents', (value) => /^\d\d$/.test(value)) > MIN_CENT_SHARE
      })

/** A column of currencies that are counted several at a time, such as tomans, beside prices without marks. */
const multiplesOf = (draft: Draft, price: FileColumn): FileColumn | undefined => {
  const column = guessed(draft, 'currency')
  return column?.filled.some((word) => unitsOf(word) !== 1) && price.price().signed === 0 ? column : undefined
}

const MIN_NET_NAME = 0.5
const EXTREME = /^(?:min|max|low|high|lowest|highest|avg|average|mean|best|cheapest)$/

/** Maps the price and the list price and how they are written. */
export const describePrices = (draft: Draft) => {
  if (draft.feed !== 'price_observations') return
  readCents(draft)
  const price = guessed(draft, 'price')
  if (price === undefined) return askForPrice(draft)
  const fraction = fractionOf(draft, price)
  const list = listPrice(draft, price)
  const multiples = multiplesOf(draft, price)
  if (multiples) takeSql(draft, 'price', `concat(${reference(price)}, ' ', ${reference(multiples)})`, price, multiples)
  else if (fraction)
    takeSql(draft, 'price', `concat(${reference(price)}, '.', ${reference(fraction)})`, price, fraction)
  else take(draft, 'price', price)
  if (list) take(draft, 'list_price', list)
  else if (!draft.description.columns?.list_price) takeDecrease(draft, price)
  const sale = salePrice(draft, price)
  if (sale) takeSale(draft, price, sale)
  else {
    checkCents(draft, price)
    if (isRegular(price) || wordsOf(price.name).some((word) => EXTREME.test(word)))
      note(draft, 'doubtfulPrice', { source: price.name })
  }
  if (nameScore(price.name, 'net') > MIN_NET_NAME) note(draft, 'netPrice', { source: price.name })
  describeForm(draft, price, list)
}
