import { MAX_LINE_BYTES } from '../text/limits.ts'

const TIME = 'expected an RFC 3339 time or a date, from 1990 on; other forms need a "timestamp_format" in the mapping'
const IN_FUTURE = 'expected a time at most one day after the refresh, whose time --as-of sets'
const CONSTANT_TIME = 'expected a time; one for the whole file can be in "constants" or be read by "name_pattern"'

/** What a row needs in order not to be refused, by the code of the rule that it breaks. */
export const FAULT_HINTS: Readonly<Record<string, string>> = {
  ROW_MALFORMED: 'expected as many fields as the header has, or one JSON object on a line',
  ROW_TOO_LONG: `expected at most ${MAX_LINE_BYTES.toLocaleString('en')} bytes; look for a quotation mark that is not closed`,
  QUOTE_UNCLOSED: 'double quotation marks inside quoted fields, or close them',
  ENCODING_INVALID: 'add the encoding of the file to its mapping, such as "encoding": "latin-1"; check finds it',
  COUNTRY_UNKNOWN: 'expected a code of ISO 3166 such as us, ca or gb; "values" in the mapping translates other names',
  PLATFORM_INVALID:
    'expected 1 to 64 letters, digits, hyphens or underscores, and for posts tiktok or youtube; "values" in the mapping translates other names',
  LISTING_ID_MISSING: 'expected an id; without one, name the columns that identify a listing in "listing_id_from"',
  OBSERVED_AT_MISSING: CONSTANT_TIME,
  OBSERVED_AT_INVALID: TIME,
  OBSERVED_IN_FUTURE: IN_FUTURE,
  OBSERVED_AFTER_SCRAPED: 'expected observed_at at most 5 minutes after scraped_at; check their time zones',
  PRICE_MISSING: 'expected a price; if a missing one means no offer, raise "max_quarantine" in the mapping',
  PRICE_NOT_A_NUMBER:
    'expected a number; "price_text": true reads one amount inside a text, and "decimal_comma": true reads 1,99; if such rows ' +
    'are no offers, raise "max_quarantine" in the mapping',
  PRICE_NOT_POSITIVE: 'expected a price of at least the smallest unit that is stored, 0.01 in us',
  PRICE_TOO_LARGE:
    'expected a price below 1,000,000, outside us and ca 2^31 of the smallest unit; check whether these are cents',
  PRICE_TOO_FINE:
    'expected no more decimals than the country is stored with; "decimals": 3 (up to 4) in the mapping stores them, unless the ' +
    'lake holds the country already, and the number that it has rounds them; 1.234 as a thousand needs "decimal_comma": true',
  CURRENCY_MISSING:
    'expected a currency, since the lake does not hold the country yet: add "currency": "EUR" to "constants" or name its column in "columns"',
  CURRENCY_MISMATCH:
    'expected the currency of the country, USD for us and CAD for ca: set "country" in "constants" to the country of these ' +
    'prices; a column that is wrong is overridden by "columns": {"currency": {"sql": "\'USD\'"}}',
  PATH_INVALID: 'expected 1 to 8 lower-case names without spaces, separated by /, such as home/mugs',
  NAME_MISSING: 'expected a name',
  PARENT_MISMATCH: 'expected path without its last name, or nothing',
  PARENT_UNKNOWN: 'add a row for the parent',
  POST_ID_MISSING: 'expected an id',
  POST_ID_INVALID: 'expected 1 to 64 letters, digits, hyphens or underscores',
  CATEGORY_ROOT_INVALID: 'expected the name of a department, without spaces and /',
  COLLECTED_AT_MISSING: CONSTANT_TIME,
  COLLECTED_AT_INVALID: TIME,
  COLLECTED_IN_FUTURE: IN_FUTURE,
  POSTED_AT_INVALID: TIME,
  POSTED_AFTER_COLLECTED: 'expected posted_at at most 5 minutes after collected_at; check their time zones',
  MARKETPLACE_UNKNOWN: 'expected a code of ISO 3166, such as us',
  BROWSE_ID_INVALID: 'expected 1 to 20 digits',
  SOURCE_INVALID: 'expected 1 to 64 letters, digits, hyphens or underscores, such as bls or statcan',
  SERIES_INVALID: 'expected an id of 1 to 64 letters, digits, dots, hyphens or underscores',
  PERIOD_INVALID:
    'expected a month, such as 2026-10, or its first day; other forms need a "timestamp_format" in the mapping',
  VALUE_INVALID: 'expected a number above 0',
  RELEASED_ON_MISSING:
    'expected the day on which the office released the value; one for the whole file can be in "constants" or be read by "name_pattern"',
  RELEASED_ON_INVALID: 'expected a day, such as 2026-11-12; other forms need a "timestamp_format" in the mapping',
  RELEASED_BEFORE_PERIOD: 'expected a day in the month of the value or later',
  RELEASED_IN_FUTURE: 'expected a day that is over or the next one at the time of the refresh, which --as-of sets',
}

const INTEGER_PRICES =
  'whole numbers in Parquet need "integer_prices" outside us and ca: "units", or "minor" if they are cents'
const OF_INTEGERS: readonly string[] = ['PRICE_MISSING', 'PRICE_NOT_A_NUMBER', 'PRICE_TOO_LARGE']

/** What the rows of a file that break a rule need, after a separator; an empty text if nothing is to be said. */
export const hintAfter = (separator: string, code: string, file: string): string => {
  const isOfIntegers = OF_INTEGERS.includes(code) && /\.parquet$/i.test(file)
  const hints = [FAULT_HINTS[code] ?? [], isOfIntegers ? INTEGER_PRICES : []].flat()
  return hints.length === 0 ? '' : `${separator}${hints.join('; ')}`
}
