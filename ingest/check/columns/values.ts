import { gtin } from '../../../engine/index.ts'
import { currenciesOf } from '../../feeds/currency-signs.ts'

/** How files write a missing value. */
const BLANK = /^(?:|na|n\/a|#n\/a|nan|null|none|nil|-+|\?|unknown|inconnu|\[\]|\{\})$/i

/** The non-blank values, trimmed. */
export const filledOf = (values: readonly string[]): string[] =>
  values.map((value) => value.trim()).filter((value) => !BLANK.test(value))

/** The share of values that pass a test, from 0 to 1; 0 if there are none. */
export const shareOf = <T>(values: readonly T[], test: (value: T) => boolean): number =>
  values.length === 0 ? 0 : values.filter(test).length / values.length

export const percent = (share: number): string => {
  const rounded = share < 0.1 ? Math.round(share * 1000) / 10 : Math.round(share * 100)
  if (rounded === 0 && share > 0) return 'under 0.1 %'
  return rounded === 100 && share < 1 ? 'over 99 %' : `${rounded} %`
}

/** A sample of a column in numbers; `fill` is the share of non-blank values. */
export type Profile = { filled: readonly string[]; rows: number; distinct: number; fill: number }

export const profile = (values: readonly string[]): Profile => {
  const filled = filledOf(values)
  const fill = values.length === 0 ? 0 : filled.length / values.length
  return { filled, rows: values.length, distinct: new Set(filled).size, fill }
}

export const isNumber = (value: string): boolean => /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(value)
/** Whether a text is a count, with or without thousands separators. */
export const isCount = (value: string): boolean => isInteger(value) || /^\d{1,3}(?:,\d{3})+$/.test(value)
export const isInteger = (value: string): boolean => /^\d+(?:\.0+)?$/.test(value)
/** Whether a text is an address or a link in HTML. */
export const isUrl = (value: string): boolean =>
  /^<a\s[^>]*href=/i.test(value) || /^(?:https?:)?\/\/\S+$|^www\.\S+$|^\/\S*[a-z]\S*\/\S+$/i.test(value)
export const hasLetters = (value: string): boolean => /\p{L}{2}/u.test(value)
export const isId = (value: string): boolean =>
  /^[\p{L}\p{N}._:/#=-]{1,64}$/u.test(value) && (/[\p{N}_-]/u.test(value) || !/^\p{Lu}?\p{Ll}+$/u.test(value))
/** Whether a text is a list or an object of JSON. */
export const isNested = (value: string): boolean => /^(?:\[\s*[[{]|\{\s*")/.test(value)
export const isRating = (value: string): boolean => isNumber(value) && Number(value) >= 0 && Number(value) <= 5
export const isBreadcrumb = (value: string): boolean =>
  /\S\s*(?:>|»|›|\|)\s*\S|\S \/ \S|\S\/\S+\/\S/.test(value) && hasLetters(value)
export const isYesNo = (value: string): boolean => /^(?:true|false|yes|no|y|n|t|f|0|1|oui|non|vrai|faux)$/i.test(value)

/** The digit runs in a text or a list of texts that may be barcodes. */
const codesIn = (value: string): string[] =>
  value.match(/\d[\d -]{5,17}\d|\d{6,14}/g)?.map((code) => code.replace(/\D/g, '')) ?? []

/** Whether a text holds a barcode with a valid check digit; lost leading zeros are allowed. */
export const isBarcode = (value: string): boolean =>
  codesIn(value).some((code) => code.length <= 14 && (gtin(code).valid || gtin(code.padStart(12, '0')).valid))

/** Whether a text holds enough digits for a barcode; `3.76002E+12` does not. */
export const isDigits = (value: string): boolean => codesIn(value).length > 0 && !/\de\+?\d/i.test(value)

const UNITS =
  /^(?:fl\.? ?oz|oz|lbs?|g|gr|kg|mg|ml|cl|dl|l|lt|ltr|qt|pt|gal|ea|each|ct|count|pk|pack|un|unit|units|unite|piece|pieces?|pc|pcs|stk|dozen|doz|in|ft|m|cm|sq ft|per lb|per kg|lb|litres?|liters?|grams?|ounces?|pounds?)\.?$/i
export const isUnit = (value: string): boolean => UNITS.test(value)

/** Whether a text is a size: `375g`, `12 x 355 mL`, `0.75`, `22 LB`. */
export const isSize = (value: string): boolean =>
  /^\d+(?:[.,]\d+)?$/.test(value) || (/\d\s*-?\s*\p{L}/u.test(value) && value.length <= 40)

export const isCurrencyCode = (value: string): boolean =>
  currenciesOf(value).length > 0 && (value.length > 1 || /\p{Sc}/u.test(value))

const OUT =
  /out[ _-]*of[ _-]*stock|sold[ _-]*out|unavailable|not[ _-]*(?:available|in[ _-]*stock)|indisponible|rupture|[ée]puis[ée]|non disponible|oos\b/i
const IN =
  /in[ _-]*stock|instore|\bavailable|en[ _-]*stock|disponible|low[ _-]*stock|limited|few left|only \d+ left|\d+ left|^(?:high|low|medium|plenty)$/i

/** The availability that a word means, in the terms of the feed format. */
export const stockOf = (
  value: string,
): 'in_stock' | 'out_of_stock' | 'preorder' | 'backorder' | 'discontinued' | undefined => {
  if (/pre[ _-]*order|pr[ée]commande/i.test(value)) return 'preorder'
  if (/back[ _-]*order/i.test(value)) return 'backorder'
  if (/discontinu/i.test(value)) return 'discontinued'
  if (OUT.test(value)) return 'out_of_stock'
  return IN.test(value) ? 'in_stock' : undefined
}

export const isPromo = (value: string): boolean =>
  /\b(?:sale|rollback|save|savings|clear(?:ance| out)|deal|special|reduced|promo(?:tion)?|discount|markdown|solde|rabais|aubaine|liquidation|en promotion)\b/i.test(
    value,
  )

export const isCondition = (value: string): boolean =>
  /^(?:https?:\/\/schema\.org\/)?(?:brand )?(?:new|used|refurbished|renewed|open[ _-]?box|for parts|like new|pre-?owned|neuf|usag[ée]|(?:new|used|refurbished|damaged)condition)/i.test(
    value,
  )
