import type { Column } from '../../feeds/columns.ts'
import { plainText } from '../../text/plain.ts'
import type { SampledColumn, SampledFile } from '../read/sample.ts'
import { countryOf, isShop } from './countries.ts'
import { featuresOf } from './features.ts'
import { isOf, shareOf } from './kinds.ts'
import { withMonths } from './months.ts'
import { hasWord, isCurrencyCode, isNamed, isRate, isWordOfNames, nameScore, wordsBefore, wordsOf } from './names.ts'
import { printedPrice } from './prices.ts'
import { guessColumns } from './roles.ts'
import { guessTimes } from './times.ts'

/** Names of columns that are computed from the others, bounds of a range, or numbers of something else. */
const DERIVED =
  /^(?:high|mid(?:dle)?|low|open|close|高値|中値|安値)$|^(?:best|min(?:imum)?|max(?:imum)?|avg|average|mean|median|typical|total|sum|lowest|highest|最安|最高|平均|合計)(?:\b|_|値|$)/i
const NO_AMOUNT = /^column\d+$|(?:_num|_id|^id$|^lat|^lon|^lng)/i
const OTHERS =
  'listing_id gtin star_rating review_count availability size_value observed_at pack_count unit_price views likes comments shares'.split(
    ' ',
  ) as Column[]
const MIN_COLUMNS = 2
const MIN_SIGNED = 0.9
const MIN_READ = 0.2
/** The texts that a column of prices may have: a word for no price, and a link in the row below the names. */
const MAX_TEXTS = 2

/** The median of a column of amounts; null for anything else. */
const medianAmount = (column: SampledColumn, min_distinct = 3): number | null => {
  const { name, sql } = column
  const { filled, distinct, price, share } = featuresOf(column)
  if (sql !== undefined || name === '' || filled.length === 0 || DERIVED.test(name) || NO_AMOUNT.test(name)) return null
  const isRead = price().share >= (price().refused.length > MAX_TEXTS ? 0.9 : MIN_READ)
  if (!isRead || price().positive === 0 || share('year') === 1) return null
  if (distinct < Math.min(min_distinct, filled.length) || OTHERS.some((other) => nameScore(name, other) > 0.8))
    return null
  if (nameScore(name, 'observed_at') > 0.5 || hasWord(name, 'dimension')) return null
  const numbers = filled.map((value) => printedPrice(value, price().decimal_comma) ?? 0)
  // Where a shop has no price, some write 0.
  const amounts = wordsOf(name).some(isWordOfNames) ? numbers : numbers.filter((number) => number > 0)
  return amounts.sort((a, b) => a - b)[amounts.length >> 1] ?? null
}

export const namesIn = (name: string, values: readonly string[]): SampledColumn => withMonths({ name, values })

export const areDates = (names: readonly string[]): boolean =>
  names.length > 2 &&
  (guessTimes(namesIn('', names).values).share > 0.95 ||
    names.every((name) => /^(?:19|20)\d\d(?:[-_/]?\d\d)?$/.test(name)))

/** The date in a name: `2026-06-13` of `Price 2026-06-13`. */
export const DATE = String.raw`\d[\d._/ -]*\d`

export const dateIn = (name: string): string => new RegExp(DATE).exec(name)?.[0] ?? ''

const isDatedPrice = (column: SampledColumn): boolean => {
  const date = dateIn(column.name)
  return ownName(column.name) !== column.name && areDates([date, date, date]) && medianAmount(column) !== null
}

/** The longest run of neighbouring columns with amounts. */
const widest = (columns: readonly SampledColumn[]): readonly SampledColumn[] => {
  let [best, run]: [SampledColumn[], SampledColumn[]] = [[], []]
  for (const column of columns) {
    const { name } = column
    // A day on which nothing was sold ends no run of days.
    const isEmpty = run.length > 0 && featuresOf(column).filled.length === 0 && areDates([name, name, name])
    run = isEmpty || (medianAmount(column) ?? 0) > 0 ? [...run, column] : []
    if (run.length > best.length) best = run
  }
  return best
}

/** Those of these columns that dates name, if most have such names; else all. */
const datedOf = (columns: readonly SampledColumn[]): readonly SampledColumn[] => {
  const dated = columns.filter(({ name }) => areDates([name, name, name]))
  return dated.length > MIN_COLUMNS && 2 * dated.length > columns.length ? dated : columns
}

/** Those of these columns whose names have the currency that the first one with a currency in its name has, and those without one. */
const inOneCurrency = (columns: readonly SampledColumn[]): readonly SampledColumn[] => {
  // `RON 95` is a grade of fuel.
  const codeOf = ({ name }: SampledColumn) => wordsOf(name).findLast(isCurrencyCode)
  const first = columns.map(codeOf).find((code) => code !== undefined)
  return columns.filter((column) => [first, undefined].includes(codeOf(column)))
}

/** Whether most of these are fuels, which have prices in columns of their own. */
const areFuels = (columns: readonly SampledColumn[]): boolean =>
  (columns.some((column) => featuresOf(column).price().decimals > 1) ||
    columns.every(({ name }) => wordsOf(name).some(isCurrencyCode))) &&
  shareOf(columns, ({ name }) => isOf('fuel', name.replaceAll('_', ' '))) >= 0.5

export const hasPriceWord = (texts: readonly string[]): boolean =>
  texts.some((text) => wordsBefore(text, 'price').some(isPriceWord))

export const nameOf = ({ name }: SampledColumn): string => name

export const isSigned = (columns: readonly SampledColumn[]): boolean =>
  columns.every((column) => featuresOf(column).price().signed > MIN_SIGNED)

const MAX_SPREAD = 1.6
const MIN_AMOUNTS = 9

/** Whether most rows have similar amounts in these columns, as shops ask for one product. */
const areSimilar = (columns: readonly SampledColumn[]): boolean => {
  const amounts = columns.map((column) => featuresOf(column).amounts())
  const rows = (amounts[0] ?? []).map((_, row) => amounts.map((each) => each[row]!).filter((amount) => amount > 0))
  const pairs = rows.filter((amounts) => amounts.length > 1)
  return pairs.length > 2 && shareOf(pairs, (amounts) => Math.max(...amounts) / Math.min(...amounts) < MAX_SPREAD) > 0.7
}

const haveCents = (columns: readonly SampledColumn[]): boolean =>
  columns.some(({ values }) => values.some((value) => /\d[.,]\d\d(?:$|\s?\D{1,4}$)/.test(plainText(value.trim()))))

const MIN_ROUND = 0.75
const MIN_WHOLE = 1000

/** Whether amounts end as prices do, in 0, 5 or 9, in the digits that they have. */
export const areRound = (columns: readonly SampledColumn[]): boolean => {
  const all = columns.flatMap((column) => featuresOf(column).amounts()).filter((amount) => amount > 0)
  const decimals = Math.max(0, ...all.map((amount) => `${amount}`.split('.')[1]?.length ?? 0))
  const isRound = (amount: number) => [0, 5, 9].includes(Math.round(amount * 10 ** decimals) % 10)
  return all.length >= MIN_AMOUNTS && decimals < 3 && shareOf(all, isRound) > MIN_ROUND
}

/** `price`, or a currency as in `acme_eur`. */
const isPriceWord = (word: string): boolean => isNamed(word, 'price') || isCurrencyCode(word)

/** The words beside the price word that a column is called after: of `precio_acme` it is `acme`. */
export const ownName = (name: string): string => {
  const words = wordsBefore(name, 'price')
  return [words.at(0), words.at(-1)].some((word) => word && isPriceWord(word))
    ? words.filter((word) => !isPriceWord(word)).join(' ')
    : name
}

const withoutDigits = (name: string): string => name.replace(/\d/g, '')

/** Prices of countries are in currencies of their own: `UKPrice`. */
const isCountry = (word: string): boolean => /^(?:eu|uk)$/.test(word) || countryOf(word) !== undefined

/** The columns of prices that differ by a name of their own, not by number, which no language has in its names of columns. */
const pricesByName = (columns: readonly SampledColumn[]): SampledColumn[] =>
  columns.filter((column) => {
    const name = ownName(column.name)
    const isName = (word: string) =>
      !isWordOfNames(word) && !isCountry(word) && (isShop(word) || /\p{L}{2}/u.test(word))
    const isOwn = name !== column.name && name.split(' ').some(isName)
    const isNumbered = columns.some(
      (other) => other !== column && withoutDigits(ownName(other.name)) === withoutDigits(name),
    )
    return isOwn && !isNumbered && nameScore(column.name, 'list_price') < 0.5 && medianAmount(column, 1) !== null
  })

const STATISTIC = /\b(?:min|max|avg|average|mean|median)\b/

/** Of several statistics of the prices of one thing the mean ones, or the first; all other columns. */
const withoutExtremes = (columns: readonly SampledColumn[]): SampledColumn[] => {
  const named = columns.map((column) => ({ column, name: wordsOf(column.name).join(' ') }))
  const thingOf = ({ name }: { name: string }) => name.replace(STATISTIC, '')
  return named.flatMap((entry) => {
    const alike = named.filter((other) => STATISTIC.test(other.name) && thingOf(other) === thingOf(entry))
    const best = alike.find(({ name }) => /\b(?:avg|average|mean)\b/.test(name)) ?? alike[0]
    return STATISTIC.test(entry.name) && best !== entry ? [] : [entry.column]
  })
}

const isUnnamed = (names: readonly string[]): boolean => !names.some((name) => wordsOf(name).some(isWordOfNames))

/** What the names of amounts are: dates, shops or variants where rows name products, else products; null if nothing tells. */
const nameTarget = (
  { path, columns, titles = [] }: Pick<SampledFile, 'path' | 'columns' | 'titles'>,
  amounts: readonly SampledColumn[],
  isSure: boolean,
): Column | 'variant' | null => {
  const others = columns.filter((column) => !amounts.includes(column))
  const guesses = new Set(guessColumns(others).map(({ column }) => column))
  const names = amounts.map(nameOf)
  const isPriced = isSigned(amounts) || hasPriceWord([path, ...titles, ...others.map(nameOf)])
  const isOfProducts = guesses.has('product_name') || guesses.has('listing_id')
  if (areDates(names))
    return isPriced || (isOfProducts && (haveCents(amounts) || areRound(amounts))) ? 'observed_at' : null
  if (areFuels(amounts)) return 'product_name'
  // Of shops there are other numbers, too, such as shares of a market.
  const isOfPrices = isOfProducts || isPriced || hasPriceWord(names)
  if (names.some((name) => isShop(ownName(name))) && (isOfPrices || areSimilar(amounts))) return 'platform'
  if (guesses.has('product_name') && ((isPriced && isSure) || areSimilar(amounts))) return 'platform'
  // Ages or grades of what rows name, if they are prices at all.
  if (guesses.has('product_name')) return !isPriced && isUnnamed(names) && areRound(amounts) ? 'variant' : null
  if (!isPriced && !hasPriceWord(names)) {
    // Beside dates alone, cents or thousands that end as those of prices do show them.
    const isAlone = guesses.has('observed_at') && others.length === 1 && amounts.length > MIN_COLUMNS
    const areAmounts = haveCents(amounts) || amounts.every((column) => medianAmount(column)! >= MIN_WHOLE)
    return isAlone && areAmounts && areRound(amounts) ? 'product_name' : null
  }
  // Shops ask for one product what products cost in no shop.
  return !isOfProducts && hasPriceWord(names) && areSimilar(amounts) ? 'platform' : 'product_name'
}

/** The columns of a table that have its amounts, and what their names are; null unless something calls them prices. */
export const amountsOf = (
  file: Pick<SampledFile, 'columns' | 'format' | 'path' | 'titles'>,
): { wide: readonly SampledColumn[]; name_to: Column | 'variant' } | null => {
  const { format, path } = file
  const named = file.columns.map((column) => ({ ...column, name: column.alias ?? column.name }))
  const columns = withoutExtremes(named)
  const dated = columns.filter(isDatedPrice)
  if (dated.length > MIN_COLUMNS)
    return { wide: file.columns.filter((_, at) => dated.includes(named[at]!)), name_to: 'observed_at' }
  const isPrice = (column: SampledColumn) => isNamed(column.name, 'price')
  const priced = columns.some(isPrice) ? [] : pricesByName(columns)
  const isByName = priced.length >= MIN_COLUMNS
  const rates = columns.filter((column) => isRate(column.name) && medianAmount(column) !== null)
  const areRates = !isByName && rates.length >= MIN_COLUMNS
  const wide = inOneCurrency(isByName ? priced : areRates ? rates : datedOf(widest(columns)))
  // The only sign of a price may be the currency of its values, which all columns of a wide table have.
  const isOther = (name: string) => nameScore(name, 'price') > 0 || !wide.some((column) => column.name === name)
  // Beside a price of another kind, such as a total, other numbers are none.
  const isOtherPrice = (column: SampledColumn) =>
    !wide.includes(column) && hasPriceWord([column.name]) && featuresOf(column).price().share > MIN_SIGNED
  const guesses = guessColumns(columns)
  const isPriced = guesses.some(({ column, source }) => column === 'price' && isOther(source))
  if (!isByName && !areRates && (isPriced || columns.some(isOtherPrice))) return null
  const isMany = wide.length > MIN_COLUMNS || /^json/.test(format)
  // Of two columns in a file of prices, names that no language has for columns are those of shops.
  const areShops = isUnnamed(wide.map(nameOf)) && haveCents(wide)
  const isSure = !isByName && (isMany || areShops)
  const isOfFuels = areFuels(wide)
  if (wide.length < MIN_COLUMNS || !(isMany || isByName || isOfFuels || hasPriceWord([path]))) return null
  const name_to = nameTarget({ ...file, columns: named }, wide, isSure)
  const isTaken = columns.some(({ name }) => name === name_to || name === 'price')
  // Rows that name a product and its shop have no prices of other shops.
  const has = (wanted: Column) => guesses.some(({ column }) => column === wanted)
  const isOffer = name_to === 'platform' && has('platform') && has('product_name')
  if (name_to === null || isTaken || isOffer) return null
  return { wide: file.columns.filter((_, at) => wide.includes(named[at]!)), name_to }
}

/** The columns of amounts in a list of a file with one for each product or shop. */
export const wideIn = (columns: readonly SampledColumn[], path: string): readonly SampledColumn[] =>
  amountsOf({ path, format: 'json', columns })?.wide ?? []
