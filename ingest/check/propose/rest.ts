import { DEFAULT_MAX_QUARANTINE } from '../../facts/refuse.ts'
import { ALIASES, COLUMNS_OF, type Column } from '../../feeds/columns.ts'
import { countryOf, currencyOfCountry } from '../columns/countries.ts'
import { conflictShare, featuresOf } from '../columns/features.ts'
import { ROLES } from '../columns/fits.ts'
import { blankWordsOf, filledOf, isBarcode, isDigits, isOf, percent, shareOf } from '../columns/kinds.ts'
import { hasWord, isNamed, nameScore, POSSIBLE, wordsOf } from '../columns/names.ts'
import { printedPrice } from '../columns/prices.ts'
import type { SampledColumn } from '../read/sample.ts'
import {
  type Draft,
  decide,
  guessed,
  inBrackets,
  isUsed,
  note,
  reference,
  sourceOf,
  state,
  take,
  takeSql,
} from './draft.ts'

/** The columns that other steps map. */
const DECIDED: ReadonlySet<string> = new Set(
  'platform country currency listing_id post_id observed_at collected_at scraped_at posted_at first_seen_at last_seen_at delisted_at price list_price availability promo_flag category_path category_root'.split(
    ' ',
  ),
)

/** A variant shares its name, such as `Large`, with those of other products; what a category is around has one of its own. */
const MIN_SHARED = 0.05

/** Whether a column has varieties of what another names. */
const isVariety = ({ name, values }: SampledColumn): boolean =>
  hasWord(name, 'variant') && nameScore(name, 'product_name') === POSSIBLE && featuresOf({ values }).share('text') > 0.5

/** Maps the name to that of the product around a variant or of a variety, and its own. */
const takeWholeName = (draft: Draft): void => {
  const name = guessed(draft, 'product_name')
  if (!name || name.sql !== undefined) return
  const outer = draft.columns.find((column) => column.name === `outer.${name.name}`)
  const isOuter = outer && conflictShare([name], outer) >= MIN_SHARED
  const product = isVariety(name) ? draft.columns.find((column) => isNamed(column.name, 'product_name')) : name
  const [of, own] = isOuter ? [outer, name] : [product, draft.columns.find(isVariety)]
  if (of && own)
    takeSql(
      draft,
      'product_name',
      `concat_ws(' ', ${reference(of)}, nullif(${reference(own)}, ${reference(of)}))`,
      of,
      own,
    )
}

const ENTITY = /&(?:[a-z]{2,6}|#\d{2,5}|#x[\da-f]{2,4});/i

/** Maps every other column that was guessed. */
export const describeOthers = (draft: Draft): void => {
  for (const { column } of draft.guesses.values()) {
    const source = guessed(draft, column)
    if (DECIDED.has(column) || source === undefined) continue
    const words = blankWordsOf(source.values)
    if (source.filled.length === 0 && words.length > 0) continue
    // Numbers without a unit are no sizes, and a unit of its own belongs to bare numbers.
    const isBare = guessed(draft, 'size_value')?.share('number') === 1
    if (column === 'size_value' && isBare && !draft.guesses.has('size_unit')) continue
    if (column === 'size_unit' && !isBare) continue
    const text = reference(source)
    // Counts are read without thousands separators.
    if (ROLES[column]?.fit === 'count' && source.values.some((value) => /\d,\d/.test(value)))
      takeSql(draft, column, `replace(${text}, ',', '')`, source)
    else if (words.length > 0) {
      const list = words.map((word) => `'${word}'`).join(', ')
      takeSql(draft, column, `CASE WHEN ${text} NOT IN (${list}) THEN ${text} END`, source)
    } else if (source.filled.some((value) => ENTITY.test(value)))
      takeSql(draft, column, `html_unescaped(${text})`, source)
    else take(draft, column, source)
  }
  takeWholeName(draft)
}

/** Maps the category of posts and the texts that are searched for brands. */
export const describePosts = (draft: Draft): void => {
  if (draft.feed !== 'social_posts') return
  const source = guessed(draft, 'category_root')
  if (source === undefined) decide(draft, 'noCategoryRoot')
  else if (source.share('key', (value) => !/[/\s]/.test(value)) === 1) take(draft, 'category_root', source)
  else {
    const sql = `trim(regexp_replace(lower(${reference(source)}), '[^a-z0-9]+', '-', 'g'), '-')`
    takeSql(draft, 'category_root', sql, source)
  }
  const texts = draft.columns.filter(
    ({ name, sql }) => sql === undefined && wordsOf(name).length === 1 && hasWord(name, 'text'),
  )
  if (texts.length > 0) draft.description.brand_texts = texts.slice(0, 8).map(({ name }) => name)
}

/** The most parts of a file that are named as left out. */
const MAX_PARTS = 5

/** States how the files are read where that differs from the defaults, and reports what is not read. */
export const describeReading = (draft: Draft): void => {
  const { options, isDoubtful, left_out = [] } = draft.files[0]!
  if (isDoubtful) decide(draft, 'unnamedPrices', { names: options.unpivot!.columns, target: options.unpivot!.name_to })
  Object.assign(draft.description, options)
  for (const { kind, ...gaps } of left_out.slice(0, MAX_PARTS)) note(draft, `${kind}LeftOut`, gaps)
  if (left_out.length > MAX_PARTS) note(draft, 'partsLeftOut', { count: left_out.length - MAX_PARTS })
  const outer = draft.columns.filter(({ isOuter }) => isOuter)
  const unused = outer.filter(({ name }) => !isUsed(draft, name)).map(({ name }) => `"${name}"`)
  if (options.json_path !== undefined && outer.length > 0)
    note(draft, 'historyRead', { path: options.json_path, unused: inBrackets(unused) })
}

/** Reports columns whose values do not match their names. */
export const describeDoubts = (draft: Draft): void => {
  const { description, feed } = draft
  for (const column of draft.columns) {
    const { name, filled } = sourceOf(column)
    const target = COLUMNS_OF[feed].find((wanted) => (ALIASES[wanted] ?? [wanted]).includes(name.toLowerCase()))
    const isStated = target && (description.columns?.[target] ?? description.constants?.[target]) !== undefined
    // Titles in a column called brand are no brands.
    if (target === 'brand' && !draft.reads.has(target) && draft.reads.get('product_name')?.includes(name))
      state(draft, 'columns', { brand: { sql: 'NULL' } })
    if (isUsed(draft, name)) continue
    if (target && !isStated) draft.reads.set(target, [name])
    if (target && !isStated && filled.length > 0)
      decide(draft, 'doubtful', {
        column: target,
        source: name,
        values: filled,
        columns: { [target]: { sql: 'NULL' } },
      })
    const digits = filled.filter(isDigits)
    if (nameScore(name, 'gtin') > 0.8 && digits.length > 0)
      note(draft, 'badBarcodes', { source: name, share: percent(shareOf(digits, isBarcode)) })
  }
}

const POST_ID = /^[A-Za-z0-9_-]{1,64}$/

/** The limit of refused rows that allows a share of them. */
export const allowing = (share: number): number => Math.min(0.99, Math.ceil((share + 0.02) * 20) / 20)

/** Allows rows of countries whose prices have another currency than all prices are stated to have. */
const allowOtherCurrency = (draft: Draft): void => {
  const code = draft.description.constants?.currency
  const isOther = (value: string) => {
    const country = countryOf(value)
    return (country === 'us' || country === 'ca') && currencyOfCountry(country) !== code
  }
  const share = code === undefined ? 0 : shareOf(guessed(draft, 'country')?.values ?? [], isOther)
  if (share <= DEFAULT_MAX_QUARANTINE / 2) return
  draft.description.max_quarantine = allowing(share)
  note(draft, 'otherCurrency', { share: percent(share), code: code! })
}

/** Allows rows without a price, and asks about other rows that would be refused. */
export const describeRefusals = (draft: Draft): void => {
  const { feed, description } = draft
  const [price, post] = [guessed(draft, 'price'), guessed(draft, 'post_id')]
  const refuse = (why: string, share: number) =>
    decide(draft, 'rejected', { why, share: percent(share), allowed: allowing(share) })
  if (price && feed === 'price_observations') {
    const amountOf = (value: string) => printedPrice(value, description.decimal_comma === true)
    // A file that is put together from several may repeat its header; a shop without a price may have words or a link instead.
    const isBlank = (value: string) =>
      filledOf([value]).length === 0 ||
      amountOf(value) === 0 ||
      [price.name, price.alias].includes(value.trim()) ||
      isOf('out_of_stock', value) ||
      (description.unpivot !== undefined && (isOf('url', value) || !/\d/.test(value)))
    const refused = shareOf(price.values, (value) => (amountOf(value) ?? 0) <= 0)
    if (refused - shareOf(price.values, isBlank) > DEFAULT_MAX_QUARANTINE)
      refuse(`no price above 0 in "${price.name}"`, refused)
    else if (refused > DEFAULT_MAX_QUARANTINE / 2) {
      description.max_quarantine = allowing(refused)
      note(draft, 'withoutPrice', { source: price.name, share: percent(refused) })
    }
  }
  allowOtherCurrency(draft)
  const noId = shareOf(post?.values ?? [], (value) => !POST_ID.test(value))
  if (feed === 'social_posts' && noId > DEFAULT_MAX_QUARANTINE / 2) refuse(`no post id in "${post!.name}"`, noId)
}

const MIN_PAIRS = 30
const MIN_TIMES = 5
const MAX_REPEATED = 0.05

/** Requests a decision on whether rows are price changes if no listing ever repeats a price. */
export const describeKind = (draft: Draft): void => {
  const wanted: Column[] = ['price', 'listing_id', 'observed_at', 'platform']
  const [price, id, time, platform] = wanted.map((column) => guessed(draft, column))
  if (!price || !id || !time || draft.feed !== 'price_observations' || time.distinct < MIN_TIMES) return
  const rows = price.values
    .map((value, row) => ({ key: `${platform?.values[row] ?? ''}|${id.values[row]}`, time: time.values[row]!, value }))
    .sort((a, b) => (a.key === b.key ? (a.time < b.time ? -1 : 1) : a.key < b.key ? -1 : 1))
  const pairs = rows.flatMap((row, index) => {
    const before = rows[index - 1]
    return before && before.key === row.key && before.time !== row.time ? [before.value === row.value] : []
  })
  const repeated = pairs.filter((isSame) => isSame).length
  if (pairs.length >= MIN_PAIRS && repeated <= MAX_REPEATED * pairs.length) decide(draft, 'changePoints')
}
