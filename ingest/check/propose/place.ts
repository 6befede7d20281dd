import { groupBy } from '../../../engine/index.ts'
import { currenciesOf } from '../../feeds/currency-signs.ts'
import {
  type CountryHint,
  commaHint,
  countryOf,
  currencyNamed,
  currencyOfCountry,
  hintOf,
  languageOfLetters,
  likelyCountry,
  shopHint,
} from '../columns/countries.ts'
import { hostsIn, isCurrency } from '../columns/kinds.ts'
import { languagesOf, nameScore, wordsOf } from '../columns/names.ts'
import {
  type Draft,
  decide,
  type FileColumn,
  guessed,
  inBrackets,
  meaningsOf,
  note,
  noteUnused,
  sourceOf,
  state,
  takeMeant,
} from './draft.ts'
import { commonWords, describeNetwork, describePlatform, hasUnsignedShop, hostsOf, platformKey } from './platform.ts'

/** The currencies that files state, most likely first, where, and whether for the prices of some shops alone. */
type Stated = { codes: readonly string[]; seen: string; isOfSome?: boolean } | null

/** The currencies that a name of a column states, by its longest word first: `Fr` may be a day where `Euro` is a currency. */
const currenciesInName = (name: string): string[] =>
  name
    .split(/[\s_()[\]/,.-]+/)
    .sort((a, b) => b.length - a.length)
    .flatMap((word) => (word.length > 1 || /\p{Sc}/u.test(word) ? currenciesOf(word) : []))

/** The currencies that units such as `₹/kg` state. */
const currenciesOfUnits = ({ columns }: Draft): Stated => {
  const isOfUnits = ({ name }: FileColumn) =>
    (['size_unit', 'unit_price_measure'] as const).some((column) => nameScore(name, column) > 0)
  for (const { name, filled } of columns.map(sourceOf).filter(isOfUnits)) {
    const units = [...new Set(filled)]
    const codes = units.map((unit) => (isCurrency(unit.split('/', 1)[0]!) ? currenciesOf(unit.split('/', 1)[0]!) : []))
    const shared = (codes[0] ?? []).filter((code) => codes.every((others) => others.includes(code)))
    if (shared.length > 0) return { codes: shared, seen: `"${name}" is ${units.slice(0, 3).join(', ')}` }
  }
  return null
}

const titlesOf = ({ files }: Draft): readonly string[] => files[0]?.titles ?? []

/** Names and signs of currencies in a text, and codes in brackets or after `in`: `TOP` may be no currency elsewhere. */
const MONEY = /\p{L}{4,}|[^\0-\x7f\P{L}]{3}|[円元원]|\p{Sc}|(?<=[([]|\b(?:em|en|in)\s)[A-Z]{3}\b/gu

/** The currencies that a text above the table states. */
const currenciesOfTitles = (draft: Draft): Stated => {
  const words = titlesOf(draft).flatMap((title) => title.match(MONEY) ?? [])
  const word = words.find((one) => currenciesOf(one).length > 0)
  return word === undefined ? null : { codes: currenciesOf(word), seen: `the text above the table has ${word}` }
}

/** The currencies that a column, the signs of prices, the names of their columns, their units, or the text above them state. */
const statedCurrencies = (draft: Draft): Stated => {
  const [column, price] = [guessed(draft, 'currency'), guessed(draft, 'price')]
  const words = [...new Set(column?.filled ?? [])]
  const meant = words.length === 1 ? currenciesOf(words[0]!) : words.flatMap((word) => currenciesOf(word).slice(0, 1))
  if (column && meant.length > 0)
    return { codes: [...new Set(meant)], seen: `"${column.name}" is ${words.slice(0, 3).join(', ')}` }
  if (price === undefined) return null
  const { currencies, signs } = price.price()
  if (currencies.length > 0) {
    const isOfSome = hasUnsignedShop(price, guessed(draft, 'platform'))
    return { codes: currencies, seen: `prices have ${signs.join(', ')}`, isOfSome }
  }
  const names = draft.files[0]?.options.unpivot?.columns ?? [price.name]
  const inNames = names.map(currenciesInName)
  const [first = []] = inNames
  const shared = first.filter((code) => inNames.every((codes) => codes.includes(code)))
  if (shared.length > 0) return { codes: shared, seen: `the name "${names[0]}"` }
  return currenciesOfUnits(draft) ?? currenciesOfTitles(draft)
}

/** Texts of several words, unlike links and markup. */
const PROSE = /^(?!\w+:\/\/|[{[<]).*\p{L}{2}\P{L}+\p{L}{2}/u

/** The languages that letters show for want of another one of their script. */
const SHARED_SCRIPTS = /^(?:ar|hi|ru|zh)$/

/** The language of a file: of its column names, unless they are English, else of its titles, or its other texts. */
const languageOf = (draft: Draft): string | null => {
  const nameOf = (source: string) => draft.columns.find(({ name }) => name === source)?.alias ?? source
  const named = [...draft.guesses.values()].flatMap(({ column, source }) => languagesOf(nameOf(source), column))
  const votes = groupBy(named, (code) => (code === 'en' ? [] : code))
  const [best] = [...votes].sort((a, b) => b[1].length - a[1].length)
  const names = draft.columns.map(({ name }) => nameOf(name))
  const others = draft.columns.map(sourceOf).filter(({ share }) => share('prose', (value) => PROSE.test(value)) > 0.5)
  const ofListings = [guessed(draft, 'product_name')?.filled, guessed(draft, 'platform')?.filled, names]
  const texts = [...ofListings, ...others.map(({ filled }) => filled)]
  const letters = texts.map((some = []) => languageOfLetters(some)).find((code) => code !== null) ?? null
  // Languages share names of columns, as Japanese and Chinese do; letters tell them apart.
  const isSure = best?.[1].length === 1 && !SHARED_SCRIPTS.test(letters ?? '')
  const isOneOf = letters !== null && (isSure || votes.get(letters)?.length === best?.[1].length)
  return best === undefined || isOneOf || (best[0] === 'zh' && letters === 'ja') ? letters : best[0]
}

const MIN_ENDING = 0.3
/** Endings of countries that hosts of pictures have for their sound. */
const OF_NO_COUNTRY = /\.(?:ai|am|cc|co|fm|gg|im|io|is|la|ly|me|sh|st|to|tv|ws)$/

/** The ending of hosts that is a country's: the only one of them, which not only a few hosts have. */
const endingOf = (hosts: readonly string[]): string | undefined => {
  const endings = hosts.map((host) => host.split('.').at(-1)!).filter((ending) => countryOf(ending) !== undefined)
  const [ending, ...others] = new Set(endings)
  return others.length === 0 && endings.length >= MIN_ENDING * hosts.length ? ending : undefined
}

/** A sign that could mean more currencies than these, such as `$`, states none. */
const MAX_MEANINGS = 6

/** The country of a column of locales such as `it-IT`. */
const localesOf = ({ columns }: Draft): { code: string | undefined; seen: string }[] => {
  const isLocale = (value: string) => /^[a-z]{2}[-_][A-Z]{2}$/.test(value)
  const column = columns.map(sourceOf).find(({ distinct, share }) => distinct === 1 && share('locale', isLocale) === 1)
  const locale = column?.filled[0]
  return locale ? [{ code: countryOf(locale.slice(3)), seen: `"${column.name}" is ${locale}` }] : []
}

/** What may be names of shops: parts of hosts, words of paths, and the shops of rows or of columns. */
const shopNames = (draft: Draft, hosts: readonly string[]): string[] => {
  const shops = guessed(draft, 'platform')?.filled ?? []
  const keys = [...new Set(shops)].flatMap((shop) => [...platformKey(shop).split('-'), wordsOf(shop).join('')])
  return [...hosts.flatMap((host) => host.split(/[.-]/)), ...commonWords(draft), ...keys]
}

/** Hints in the files that suggest a country. */
const hintsOf = (draft: Draft, stated: Stated): CountryHint[] => {
  const codes = stated?.codes ?? []
  const pages = hostsOf(draft)
  const links = draft.columns.map(sourceOf).filter(({ share }) => share('url') > 0.5)
  // Where no page has an address, pictures do.
  const hosts = pages.length > 0 ? pages : hostsIn(links.flatMap(({ filled }) => filled))
  const ending = endingOf(pages.length > 0 ? pages : hosts.filter((host) => !OF_NO_COUNTRY.test(host)))
  const placeWords = commonWords(draft).filter((word) => word.length > 3 || ['us', 'usa', 'ca', 'uk'].includes(word))
  const clues = [
    ...(ending ? [{ code: countryOf(ending), seen: `URLs end in .${ending}` }] : []),
    ...localesOf(draft),
    ...placeWords.map((word) => ({ code: countryOf(word), seen: `the file name contains ${word}` })),
  ]
  const titleWords = titlesOf(draft).flatMap((title) => title.match(/\p{L}{4,}/gu) ?? [])
  const language = languageOf(draft)
  const languageName = language && new Intl.DisplayNames(['en'], { type: 'language' }).of(language)
  // Of the countries with dollars or pesos, some write `$1.974,00`.
  const isComma = codes.length > MAX_MEANINGS && guessed(draft, 'price')?.price().decimal_comma
  return [
    ...codes.map((code) => hintOf(code, stated!.seen, codes.length === 1 ? 3 : 1.5)),
    ...(isComma ? [commaHint(0.5)] : []),
    ...titleWords.flatMap((word) => {
      const code = countryOf(word)
      return code ? [{ countries: [code], seen: `the text above the table has ${word}`, weight: 1 }] : []
    }),
    ...clues.flatMap(({ code, seen }) => (code ? [{ countries: [code], seen, weight: 2 }] : [])),
    ...(language ? [hintOf(language, `texts are in ${languageName}`, 1)] : []),
    ...shopHint(shopNames(draft, hosts), 2),
  ]
}

/** The currency that the files state, or that a country has; null if neither is known. */
const currencyIn = (country: string | null, stated: Stated): string | null => {
  const usual = (country && currencyOfCountry(country)) || null
  if (!stated || stated.codes.length === 0) return usual
  return usual && stated.codes.includes(usual) ? usual : stated.codes[0]!
}

/** The country that a column states first, or else the likely one. */
const countryIn = (draft: Draft, hints: readonly CountryHint[]) => {
  const first = guessed(draft, 'country')
    ?.filled.map(countryOf)
    .find((code) => code !== undefined)
  return first ? { country: first, isOnly: true } : likelyCountry(hints)
}

/** The likely country and currency of the prices, by what the files state, and what suggests the country. */
const placeOf = (draft: Draft) => {
  const stated = draft.feed === 'price_observations' ? statedCurrencies(draft) : null
  const hints = hintsOf(draft, stated)
  const { country = null, isOnly = false } = draft.given.country
    ? { country: draft.given.country, isOnly: true }
    : (countryIn(draft, hints) ?? {})
  // A currency begins with the country that issues it: USD is of us, though others use it.
  const isIssuer = country !== null && stated?.codes.length === 1 && stated.codes[0]!.toLowerCase().startsWith(country)
  return { stated, hints, country, isOnly: isOnly || isIssuer, currency: currencyIn(country, stated) }
}

/** Finds the likely country and the currency of the prices, which decides how their numbers are read. */
export const guessCurrency = (draft: Draft): void => {
  const { country, currency } = placeOf(draft)
  Object.assign(draft, { country, currency })
}

/** The country that issues the currency of a word. */
const issuerOf = (word: string): string | undefined => {
  const [code] = currenciesOf(word)
  return code && likelyCountry([hintOf(code, word, 1)])?.country
}

/**
 * Maps a column of currencies, and what is no code to the currency that it may mean: that of a country beside it, or the likely
 * one, if it may be that.
 */
const takeCurrency = (draft: Draft, column: FileColumn, likely: string | null): void => {
  const countries = guessed(draft, 'country')
  const codeOf = (word: string) => {
    const meant = currenciesOf(word)
    const beside = countries?.values.filter((_, row) => column.values[row] === word).map(currencyNamed) ?? []
    return [...beside, likely].find((code) => code && meant.includes(code)) ?? meant[0]
  }
  takeMeant(draft, 'currency', column, codeOf)
}

const isUsualCountry = (country?: string | null): boolean => country === 'us' || country === 'ca'

/** Maps the currency by the country of each row; not where that of a country is missing, or is usual. */
const takeCurrencyOf = (draft: Draft, countries: FileColumn): boolean => {
  const pairs = meaningsOf(countries, currencyNamed)
  const codes = [...new Set(pairs.map(([, code]) => code))]
  if (pairs.length < countries.distinct || pairs.every(([word]) => isUsualCountry(countryOf(word)))) return false
  if (codes.length === 1) state(draft, 'constants', { currency: codes[0]! })
  else takeMeant(draft, 'currency', countries, currencyNamed)
  note(draft, 'currencyFromCountry', { source: countries.name, codes })
  return true
}

const describeCountry = (draft: Draft) => {
  const [source, column] = [guessed(draft, 'country'), guessed(draft, 'currency')]
  const { stated, hints, country, isOnly, currency } = placeOf(draft)
  const isStated = column !== undefined || (stated !== null && !stated.isOfSome && stated.codes.length <= MAX_MEANINGS)
  if (stated?.isOfSome)
    decide(draft, 'currencyOfSome', { seen: stated.seen, constants: { currency: currency ?? '...' } })
  // Dollars are the currency of these countries, which need none in a mapping.
  const isUsual = isUsualCountry(country)
  if (column) takeCurrency(draft, column, currency)
  else if (isStated && currency) {
    state(draft, 'constants', { currency })
    const others = stated!.codes.filter((code) => code !== currency).join(', ')
    if (others !== '') note(draft, 'currencyFromSign', { seen: stated!.seen, code: currency, others })
  }
  if (source) {
    noteUnused(draft, 'country', source)
    takeMeant(draft, 'country', source, countryOf)
    const isPriced = draft.feed === 'price_observations'
    if (isPriced && !isStated && !isUsual && !takeCurrencyOf(draft, source))
      decide(draft, 'noCurrency', { constants: { currency: currency ?? '...' } })
    return
  }
  if (!isStated && currency && !isUsual) draft.suggested.currency = currency
  const issuers = column ? meaningsOf(column, issuerOf) : []
  if (column && issuers.length === column.distinct && new Set(issuers.map(([, of]) => of)).size > 1) {
    takeMeant(draft, 'country', column, issuerOf)
    const countries = issuers.map(([code, of]) => `${code} as ${of}`).join(', ')
    return note(draft, 'countryFromCurrency', { source: column.name, countries })
  }
  const missing = isStated || isUsual || !currency ? {} : { currency }
  if (draft.given.country) return state(draft, 'constants', { country: draft.given.country, ...missing })
  if (country) draft.suggested.country = country
  draft.isOnlyCountry = isOnly
  const seen = inBrackets([...new Set(hints.map((hint) => hint.seen))])
  decide(draft, 'noCountry', { hints: seen, constants: { country: country ?? '...', ...missing } })
}

/** Maps the retailer, country and currency, or requests a decision. */
export const describePlace = (draft: Draft) => {
  if (draft.feed === 'social_posts') return describeNetwork(draft)
  describePlatform(draft)
  describeCountry(draft)
}
