import { DEFAULT_MAX_QUARANTINE } from '../../facts/refuse.ts'
import { ALIASES, COLUMNS_OF, type Column } from '../../feeds/columns.ts'
import { defaultDelimiter } from '../../feeds/heading.ts'
import { nameScore, wordsOf } from '../columns/names.ts'
import { printedPrice } from '../columns/prices.ts'
import { filledOf, isBarcode, isDigits, isInteger, profile, shareOf } from '../columns/values.ts'
import { type Draft, guessed, reference, take, takeSql } from './draft.ts'
import * as messages from './messages.ts'

/** The columns that other steps map. */
const DECIDED: ReadonlySet<Column> = new Set<Column>([
  'platform',
  'country',
  'currency',
  'listing_id',
  'post_id',
  'observed_at',
  'collected_at',
  'scraped_at',
  'posted_at',
  'first_seen_at',
  'last_seen_at',
  'delisted_at',
  'price',
  'list_price',
  'availability',
  'promo_flag',
  'category_path',
  'category_root',
])

const COUNTS: ReadonlySet<Column> = new Set<Column>(['review_count', 'views', 'likes', 'comments', 'shares'])
const AMOUNT =
  /^(?:quantity|qty|amount|quantite|menge|cantidad|quantidade|quantita|hoeveelheid|mangd|maara|ilosc|mnozstvi|mennyiseg|cantitate|miktar|jumlah|kolicina|kiekis|数量|수량|количество)$/

/** Maps every other column that was guessed. */
export const describeOthers = (draft: Draft): void => {
  for (const { column } of draft.guesses.values()) {
    const source = guessed(draft, column)
    if (DECIDED.has(column) || source === undefined) continue
    // A quantity without a unit is the number sold.
    const isAmount = column === 'size_value' && AMOUNT.test(wordsOf(source.name).join(' '))
    if (isAmount && !draft.guesses.has('size_unit')) continue
    if (column === 'url' && source.values.some((value) => /^<a\s/i.test(value))) {
      takeSql(draft, column, `regexp_extract(${reference(source)}, 'href=["'']?([^"''> ]+)', 1)`, source)
      continue
    }
    // Counts are read without thousands separators.
    if (COUNTS.has(column) && source.values.some((value) => /\d,\d/.test(value)))
      takeSql(draft, column, `replace(${reference(source)}, ',', '')`, source)
    else take(draft, column, source)
  }
}

const TEXTS = new Set(['title', 'tag', 'description', 'caption', 'text', 'hashtag', 'titre', 'desc'])

/** Maps the category of posts and the texts that are searched for brands. */
export const describePosts = (draft: Draft): void => {
  if (draft.feed !== 'social_posts') return
  const source = guessed(draft, 'category_root')
  if (source === undefined) draft.decisions.push(messages.noCategoryRoot)
  else {
    const filled = filledOf(source.values)
    if (shareOf(filled, (value) => !/[/\s]/.test(value)) === 1) take(draft, 'category_root', source)
    else
      takeSql(
        draft,
        'category_root',
        `trim(regexp_replace(lower(${reference(source)}), '[^a-z0-9]+', '-', 'g'), '-')`,
        source,
      )
    if (shareOf(filled, isInteger) > 0.9)
      draft.decisions.push(
        messages.numberedCategories(
          source.name,
          filled.toSorted((a, b) => Number(a) - Number(b)),
        ),
      )
  }
  const texts = draft.columns.filter(
    ({ name, sql }) => sql === undefined && wordsOf(name).length === 1 && TEXTS.has(wordsOf(name)[0]!),
  )
  if (texts.length === 0) return
  for (const { name } of texts) draft.used.add(name)
  draft.description.brand_texts = texts.slice(0, 8).map(({ name }) => name)
}

/** Names of nested lists that may contain prices or dates. */
const RECORDS = /\b(?:price|offer|variant|history|record|observation|sku|stock)\b/

/** Adds encoding, delimiter and JSON path where they differ from the defaults, and reports what cannot be read. */
export const describeReading = (draft: Draft): void => {
  const [file] = draft.files
  const {
    path,
    format,
    encoding,
    delimiter,
    header,
    header_rows,
    skip_rows,
    json_path,
    record,
    unpivot,
    left_out = [],
  } = file!
  if (encoding !== undefined && encoding !== 'utf-8') draft.description.encoding = encoding
  if (format === 'csv' && delimiter !== undefined && delimiter !== defaultDelimiter(path))
    draft.description.delimiter = delimiter
  if (json_path !== undefined) draft.description.json_path = json_path
  if (unpivot !== undefined) draft.description.unpivot = unpivot
  if (record !== undefined) draft.description.record = record
  if (skip_rows !== undefined) draft.description.skip_rows = skip_rows
  if (header === false) draft.description.header = false
  else if (header_rows !== undefined) draft.description.header = header_rows
  for (const { path: part, records } of left_out) draft.notes.push(messages.leftOut(part, records))
  const outer = draft.columns.filter(({ name, isOuter }) => isOuter && !draft.used.has(name)).map(({ name }) => name)
  if (json_path !== undefined && draft.columns.some(({ isOuter }) => isOuter))
    draft.notes.push(messages.historyRead(json_path, outer))
  const nested = draft.columns.filter(
    ({ name, values }) =>
      !draft.used.has(name) && RECORDS.test(wordsOf(name).join(' ')) && /^\[\s*\{/.test(filledOf(values)[0] ?? ''),
  )
  for (const { name } of nested) draft.decisions.push(messages.nestedRecords(name))
}

/** Reports columns whose values do not match their names. */
export const describeDoubts = (draft: Draft): void => {
  const { description, feed } = draft
  const isStated = (column: Column) =>
    description.columns?.[column] !== undefined || description.constants?.[column] !== undefined
  for (const { name, values } of draft.columns) {
    if (draft.used.has(name)) continue
    const feedColumn = COLUMNS_OF[feed].find((column) =>
      (ALIASES[column] ?? [column]).some((alias) => alias === name.toLowerCase()),
    )
    if (feedColumn) draft.used.add(name)
    if (feedColumn && !isStated(feedColumn) && filledOf(values).length > 0)
      draft.decisions.push(messages.doubtful(feedColumn, name, filledOf(values)))
    const digits = filledOf(values).filter(isDigits)
    if (nameScore(name, 'gtin') > 0.8 && digits.length > 0)
      draft.notes.push(messages.badBarcodes(name, shareOf(digits, isBarcode)))
  }
}

const POST_ID = /^[A-Za-z0-9_-]{1,64}$/

/** The limit of refused rows that allows a share of them. */
const allowing = (share: number): number => Math.min(0.99, Math.ceil((share + 0.02) * 20) / 20)

/** Allows rows without a price, and asks about other rows that would be refused. */
export const describeRefusals = (draft: Draft): void => {
  const price = guessed(draft, 'price')
  const isComma = draft.description.decimal_comma === true
  const post = guessed(draft, 'post_id')
  const refuse = (why: string, share: number) => {
    if (share > DEFAULT_MAX_QUARANTINE / 2) draft.decisions.push(messages.rejected(why, share, allowing(share)))
  }
  if (price && draft.feed === 'price_observations') {
    const isPrice = (value: string) => (printedPrice(value, isComma) ?? 0) > 0
    const isBlank = (value: string) => filledOf([value]).length === 0 || printedPrice(value, isComma) === 0
    const [refused, blank] = [1 - shareOf(price.values, isPrice), shareOf(price.values, isBlank)]
    if (refused - blank > DEFAULT_MAX_QUARANTINE) refuse(`no price above 0 in "${price.name}"`, refused)
    else if (refused > DEFAULT_MAX_QUARANTINE / 2) {
      draft.description.max_quarantine = allowing(refused)
      draft.notes.push(messages.withoutPrice(price.name, refused))
    }
  }
  if (post && draft.feed === 'social_posts')
    refuse(`no post id in "${post.name}"`, 1 - shareOf(post.values, (value) => POST_ID.test(value)))
}

const MIN_PAIRS = 30

/** Requests a decision on whether rows are price changes if no listing ever repeats a price. */
export const describeKind = (draft: Draft): void => {
  const [price, id, time] = [guessed(draft, 'price'), guessed(draft, 'listing_id'), guessed(draft, 'observed_at')]
  if (!price || !id || !time || draft.feed !== 'price_observations') return
  const platform = guessed(draft, 'platform')
  const rows = price.values
    .map((value, index) => ({
      key: `${platform?.values[index] ?? ''}|${id.values[index]}`,
      time: time.values[index] ?? '',
      value,
    }))
    .sort((a, b) => (a.key === b.key ? (a.time < b.time ? -1 : 1) : a.key < b.key ? -1 : 1))
  const pairs = rows.flatMap((row, index) => {
    const before = rows[index - 1]
    return before && before.key === row.key && before.time !== row.time ? [before.value === row.value] : []
  })
  const repeated = pairs.filter((isSame) => isSame).length
  if (pairs.length < MIN_PAIRS || repeated > 0.05 * pairs.length || profile(time.values).distinct < 5) return
  draft.decisions.push(messages.changePoints)
}
