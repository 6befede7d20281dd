/** The state of what is sold; `used` includes like new. */
export type ArticleCondition = 'new' | 'open_box' | 'refurbished' | 'used' | 'for_parts'

/** The values of a condition field: terms of schema.org and Google Merchant feeds, and eBay's condition ids. */
const FIELD_VALUES: readonly (readonly [ArticleCondition, string])[] = [
  ['new', 'new|brand new|1000'],
  ['open_box', 'open box|openbox|new other|1500|1750'],
  ['refurbished', 'refurbished|renewed|2000|2010|2020|2030|2500'],
  ['used', 'used|like new|excellent|very good|good|fair|acceptable|2750|2990|3000|3010|4000|5000|6000'],
  ['for_parts', 'damaged|for parts|7000'],
]

const CONDITION_BY_FIELD: ReadonlyMap<string, ArticleCondition> = new Map(
  FIELD_VALUES.flatMap(([condition, values]) => values.split('|').map((value) => [value, condition] as const)),
)

/** The words of a title for each condition, the most specific first. RE2 syntax: no look-around. */
const TITLE_WORDS: readonly (readonly [ArticleCondition, string])[] = [
  [
    'for_parts',
    String.raw`for (?:spare )?parts(?: (?:or|and|only|not)\b| ?[^\w ]| ?$)|parts only\b|no[nt][- ]working\b`,
  ],
  ['for_parts', String.raw`as-is\b|sold as is\b`],
  ['refurbished', String.raw`(?:renewed|refurb(?:ished)?|reconditioned|re-?manufactured|re-?certified)\b`],
  ['refurbished', String.raw`certified pre-?owned\b|factory serviced\b`],
  ['open_box', String.raw`open[- ]?box\b|box damaged\b|damaged box\b|new \(other\b`],
  ['open_box', String.raw`(?:display|floor) model\b|scratch (?:and|&|n) dent\b`],
  ['used', String.raw`(?:pre-?owned|pre-?loved|second-?hand|used)\b|like new(?: condition\b|[^\w ]|$)`],
]

/** RE2 source that matches, in any case, every title that `condition` may read as other than new. */
export const CONDITION_HINT = String.raw`\b(?:${TITLE_WORDS.map(([, words]) => words).join('|')})`

const TITLE_PATTERNS = TITLE_WORDS.map(
  ([condition, words]) => [condition, new RegExp(String.raw`\b(?:${words})`, 'i')] as const,
)

/** "Used" as a purpose, not a condition: `filter used with mowers`, `most used tools`, `used oil tank`. */
const USED_FOR =
  /\b(?:be|never|not|most|often|commonly|widely)[- ]used\b|\bused (?:with|for|by|in|on|as|to|at|oil|car)\b/gi

const findIn = (text: string): ArticleCondition | undefined => {
  // A mark, rather than nothing, keeps the words on either side apart.
  const claims = text.replace(USED_FOR, ';')
  return TITLE_PATTERNS.find(([, pattern]) => pattern.test(claims))?.[0]
}

const readField = (field: string): ArticleCondition | undefined => {
  const value = field
    .trim()
    .toLowerCase()
    .replace(/^(?:https?:\/\/)?schema(?:\.org)?[:/]/, '')
    .replace(/condition$/, '')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
  return CONDITION_BY_FIELD.get(value) ?? findIn(field)
}

/**
 * The condition of a listing. The field decides, unless it is new, missing or unknown and the title names another
 * condition. `basis` says which of them decided, `default` if neither did. Never throws.
 */
export const condition = (
  field: string | null,
  title: string | null,
): { condition: ArticleCondition; basis: 'field' | 'title' | 'default' } => {
  const fromField = readField(field ?? '')
  if (fromField && fromField !== 'new') return { condition: fromField, basis: 'field' }
  const fromTitle = findIn(title ?? '')
  if (fromTitle) return { condition: fromTitle, basis: 'title' }
  return { condition: 'new', basis: fromField ? 'field' : 'default' }
}
