import { fold } from '../../engine/index.ts'

const MIN_CODE_LENGTH = 5
const MIN_PART_NUMBER_LENGTH = 4

/** Units: a number with a unit is not a model code, such as `64gb`, `1080p`, `16-mile`, `2-part`. */
const UNITS =
  'gb|tb|mb|kb|gbps|mbps|[kmg]?hz|k?wh?|watts?|va|m?v|volts?|mah|ah|amps?|[cmk]?m|nm|in|inch|inches|ft|feet|foot|oz|ounces?' +
  '|lbs?|k?g|mg|m?l|cl|lit(?:er|re)s?|ltr|pk|packs?|ct|count|x|k|p|i|fps|mp|megapixels?|dpi|rpm|spin|btu|cu|cf|qt|quart|gal' +
  '|st|nd|rd|th|pcs?|pieces?|pin|bit|yrs?|years?|hrs?|hours?|mins?|secs?|ppm|lm|db|dbi|d|pt|gen|up|sheets?|pages?|speed' +
  '|buttons?|discs?|channels?|series|cores?|threads?|ports?|ways?|parts?|miles?|outlets?|slots?|bays?|drawers?|doors?' +
  '|keys?|cups?|position|shelf|tabs?|zones?|digits?|lines?|hole|ring|place|settings?|colou?rs?|users?|person|piece|day|days' +
  '|ply|gang|pair|device|devices|cd|dvd|head|axis|sided|stage|burner|blade|ers|s'
const AMOUNT = new RegExp(`^\\d+(?:[.,]\\d+)?-?(?:${UNITS})$`)
const AMOUNT_OF = new RegExp(`^\\d+(?:[.,]\\d+)?-(?:${UNITS})(?:-|$)`)

/** Standards and formats, which products of many manufacturers share. */
const SHARED = new RegExp(
  `^(?:mp[34]|mpeg\\d|h26[45]|usb\\w*\\d\\w*|g?ddr\\d\\w*|pc\\d+\\w*|cat\\d\\w?|80211\\w*|rj\\d+\\w?|rs\\d{3}|db\\d+|hd\\d+|sata\\w*|atx\\w*|lga\\w+` +
    `|socket\\w*|am\\d|ipv\\d|win(?:dows)?\\d+|ac\\d+|iso\\d+|\\d+(?:x\\d+)+\\w{0,2}|[ivx]+|(?:19|20)\\d\\d|ieee\\w+|en\\d+|ip\\d\\d|core\\w*)$`,
)

const isWeak = (token: string, code: string): boolean =>
  code.length < MIN_CODE_LENGTH ||
  AMOUNT.test(token) ||
  AMOUNT_OF.test(token) ||
  SHARED.test(code) ||
  // Apertures; numbers with a fraction, a range or sides: `f/4.5`, `4.5-5.6`, `1920/1080`.
  /^f\/\d/.test(token) ||
  (/^[\d./x,-]+$/.test(token) && /[./x,]/.test(token)) ||
  token.split(/[-/.]/).every((part) => AMOUNT.test(part) || /^\d{0,3}$/.test(part))

/** The model codes of a title, in lower case without punctuation: letters with digits, or at least five digits. */
export const codesIn = (title: string): string[] => {
  const codes = new Set<string>()
  for (const word of title.toLowerCase().split(/[\s,;:()|"'[\]*!?]+/)) {
    // Skips most words at a tenth of the cost.
    if (word.length < MIN_CODE_LENGTH || !/\d/.test(word)) continue
    const token = word.replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, '')
    const code = token.replace(/[^a-z0-9]/g, '')
    if (!isWeak(token, code)) codes.add(code)
  }
  return [...codes]
}

/** A part number without punctuation and brand; null if it is too short, too long or has no digit. */
export const readPartNumber = (text: string | null, brand: string | null): string | null => {
  if (text === null) return null
  const whole = fold(text).replaceAll(' ', '')
  const prefix = fold(brand ?? '').replaceAll(' ', '')
  const isPrefixed = prefix !== '' && whole.startsWith(prefix) && whole.length - prefix.length >= MIN_PART_NUMBER_LENGTH
  const code = isPrefixed ? whole.slice(prefix.length) : whole
  const isPartNumber =
    code.length >= MIN_PART_NUMBER_LENGTH && code.length <= 40 && /\d/.test(code) && !/^(.)\1*$/.test(code)
  return isPartNumber ? code : null
}
