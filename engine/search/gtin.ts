/**
 * A parsed barcode. `gtin14` is null unless the check digit is right; `anchor` is whether it may identify a product, and
 * `reason` why it is invalid or may not. `format` is the form in which it was written.
 */
export type Gtin = {
  valid: boolean
  gtin14: string | null
  format: string | null
  anchor: boolean
  reason: string | null
  repaired?: 'leading_zero'
  package_level?: 'case'
  base_gtin13?: string
}

type ReadDigits = { digits: string; format: string; repaired?: 'leading_zero' }

/** Prefixes of the 13-digit form that do not identify a product (GS1 General Specifications, section 1.4). */
const PREFIXES: readonly (readonly [first: number, last: number, reason: string])[] = [
  [20, 29, 'restricted_in_store'],
  [40, 49, 'restricted_in_store'],
  [50, 59, 'coupon'],
  [200, 299, 'restricted_in_store'],
  [977, 977, 'serial_publication'],
  [980, 980, 'refund_receipt'],
  [981, 984, 'coupon'],
  [990, 999, 'coupon'],
]

const SAMPLE_BODIES = ['1234567890123', '12345678910'] as const
const MIN_SAMPLE_LENGTH = 7

const invalidGtin = (reason: string): Gtin => ({ valid: false, gtin14: null, format: null, anchor: false, reason })

/** The modulo-10 check digit: weights 3 and 1 from the right. */
const checkDigit = (body: string): string => {
  let sum = 0
  for (let position = 0; position < body.length; position += 1)
    sum += Number(body.at(-1 - position)) * (position % 2 === 0 ? 3 : 1)
  return String((10 - (sum % 10)) % 10)
}

const isChecked = (digits: string): boolean => digits.at(-1) === checkDigit(digits.slice(0, -1))

/** ISBN-10: weights 10 to 1, modulo 11, X is ten. */
const isIsbn = (isbn: string): boolean => {
  let sum = 0
  for (let position = 0; position < 10; position += 1)
    sum += (10 - position) * (isbn[position] === 'X' ? 10 : Number(isbn[position]))
  return sum % 11 === 0
}

/** The 12 digits of a zero-suppressed UPC-E, whose sixth digit determines where the zeros were. */
const expandUpcE = (digits: string): string => {
  const body = digits.slice(1, 7)
  const last = Number(body[5])
  const zeros = '0'.repeat(last < 3 ? 4 : 5)
  if (last < 3) return `0${body.slice(0, 2)}${last}${zeros}${body.slice(2, 5)}${digits[7]}`
  if (last === 3) return `0${body.slice(0, 3)}${zeros}${body.slice(3, 5)}${digits[7]}`
  if (last === 4) return `0${body.slice(0, 4)}${zeros}${body[4]}${digits[7]}`
  return `0${body.slice(0, 5)}0000${last}${digits[7]}`
}

const readEightDigits = (digits: string): ReadDigits => {
  const expanded = expandUpcE(digits)
  return digits.startsWith('0') && isChecked(expanded)
    ? { digits: expanded, format: 'UPC-E' }
    : { digits, format: 'GTIN-8' }
}

const readDigits = (digits: string): ReadDigits | undefined => {
  if (digits.length === 8) return readEightDigits(digits)
  // Spreadsheets drop a leading zero; the check digit shows it.
  if (digits.length === 11) {
    return isChecked(digits) ? { digits: `0${digits}`, format: 'GTIN-12', repaired: 'leading_zero' } : undefined
  }
  return [12, 13, 14].includes(digits.length) ? { digits, format: `GTIN-${digits.length}` } : undefined
}

/** One digit repeated, or counting up: typical placeholders for a missing barcode. */
const isSample = (digits: string): boolean => {
  const body = digits.slice(0, -1).replace(/^0+/, '')
  if (body === '') return true
  if (body.length < MIN_SAMPLE_LENGTH) return false
  return body === body[0]!.repeat(body.length) || SAMPLE_BODIES.some((sample) => sample.startsWith(body))
}

const noAnchorReason = (gtin14: string): string | null => {
  if (gtin14.startsWith('9')) return 'variable_measure'
  const core = gtin14.slice(1)
  // Five zeros and eight digits are a GTIN-8, whose prefixes 000-099 and 200-299 are for in-store use.
  if (core.startsWith('00000')) return /^[02]/.test(core.slice(5)) ? 'restricted_in_store' : null
  const prefix = Number(core.slice(0, 3))
  return PREFIXES.find(([first, last]) => prefix >= first && prefix <= last)?.[2] ?? null
}

const validGtin = ({ digits, ...written }: ReadDigits, typed: string): Gtin => {
  const gtin14 = digits.padStart(14, '0')
  const reason = isSample(gtin14) || isSample(typed) ? 'placeholder' : noAnchorReason(gtin14)
  const answer: Gtin = { valid: true, gtin14, anchor: reason === null, reason, ...written }
  if (!/^[1-8]/.test(gtin14)) return answer
  const base = gtin14.slice(1, 13)
  return { ...answer, package_level: 'case', base_gtin13: base + checkDigit(base) }
}

/**
 * Parses a barcode as printed: GTIN-8, 12, 13, 14, UPC-E, ISBN-10, with spaces or dashes. Never throws.
 * Reasons: not_digits, bad_length, bad_check_digit (not valid); placeholder, restricted_in_store, coupon,
 * serial_publication, refund_receipt, variable_measure (valid, but no anchor). Indicators 1 to 8 are cases: they are anchors
 * of their own, and `base_gtin13` is the product inside.
 */
export const gtin = (raw: string): Gtin => {
  const typed = raw.replace(/[\s\-\u2010-\u2015]/g, '').toUpperCase()
  if (/^\d{9}[\dX]$/.test(typed)) {
    if (!isIsbn(typed)) return invalidGtin('bad_check_digit')
    const body = `978${typed.slice(0, 9)}`
    return validGtin({ digits: body + checkDigit(body), format: 'ISBN-10' }, typed)
  }
  if (!/^\d+$/.test(typed)) return invalidGtin('not_digits')
  const written = readDigits(typed)
  if (!written) return invalidGtin('bad_length')
  return isChecked(written.digits) ? validGtin(written, typed) : invalidGtin('bad_check_digit')
}
