import { join } from 'node:path'
import { test } from 'vitest'
import { csv, givenFiles, run } from '../ingest/feeds.ts'
import { expectMessages, type Line, named } from './expect-messages.ts'

const AS_OF = new Date('2026-11-21T00:00:00Z')
const GOOD = 'acme,us,1,2026-01-05T10:00:00Z,10.00,USD'

type Content = string | Uint8Array

/** A row of price_observations that breaks a rule, by the rule. */
const ROWS: Readonly<Record<string, string>> = {
  COUNTRY_UNKNOWN: 'acme,uk,1,2026-01-05,1.00,USD',
  PLATFORM_INVALID: 'Acme Inc,us,1,2026-01-05,1.00,USD',
  LISTING_ID_MISSING: 'acme,us,,2026-01-05,1.00,USD',
  OBSERVED_AT_MISSING: 'acme,us,1,,1.00,USD',
  OBSERVED_AT_INVALID: 'acme,us,1,13.09,1.00,USD',
  OBSERVED_IN_FUTURE: 'acme,us,1,2027-01-05,1.00,USD',
  PRICE_MISSING: 'acme,us,1,2026-01-05,,USD',
  PRICE_NOT_A_NUMBER: 'acme,us,1,2026-01-05,$3.45,USD',
  PRICE_NOT_POSITIVE: 'acme,us,1,2026-01-05,-3.45,USD',
  PRICE_TOO_LARGE: 'acme,us,1,2026-01-05,1000000,USD',
  CURRENCY_MISMATCH: 'acme,us,1,2026-01-05,1.00,CAD',
  ROW_MALFORMED: 'acme,us,1,2026-01-05',
  ROW_TOO_LONG: `acme,us,${'1'.repeat(2_000_001)},2026-01-05,1.00,USD`,
  QUOTE_UNCLOSED: 'acme,us,"1,2026-01-05,1.00,USD',
}

/** The file of one feed whose rows break the rule that names it. */
const fileOf = (feed: string, code: string, content: Content, ending = 'csv') => [`${feed}/${code}.${ending}`, content]

const post = (code: string, fields: object) => {
  const good = { platform: 'tiktok', post_id: 'p1', collected_at: '2026-11-01', category_root: 'grocery' }
  return fileOf('social_posts', code, `${JSON.stringify({ ...good, ...fields })}\n`, 'jsonl')
}
const taxonomy = (code: string, row: string) => fileOf('category_taxonomy', code, `path,name,parent_path\n${row}\n`)
const node = (code: string, row: string) => fileOf('browse_nodes', code, `marketplace,browse_id,name\n${row}\n`)
const observation = (code: string, content: Content) => fileOf('price_observations', code, content)

/** For each rule a file with a row that breaks it. */
const brokenRules: Readonly<Record<string, Content>> = Object.fromEntries([
  ...Object.entries(ROWS).map(([code, row]) => observation(code, csv(row))),
  observation(
    'OBSERVED_AFTER_SCRAPED',
    'platform,country,listing_id,observed_at,price,scraped_at\nacme,us,1,2026-01-05T10:00:00Z,1.00,2026-01-05T09:00:00Z\n',
  ),
  observation('ENCODING_INVALID', Buffer.from(csv(GOOD.replace('acme', 'caf\xe9')), 'latin1')),
  taxonomy('PATH_INVALID', 'Home Garden,Garden,'),
  taxonomy('NAME_MISSING', 'garden,,'),
  taxonomy('PARENT_MISMATCH', 'toys,Toys,home'),
  taxonomy('PARENT_UNKNOWN', 'home/lamps/desk,Desk Lamps,home/lamps'),
  post('POST_ID_MISSING', { post_id: '' }),
  post('POST_ID_INVALID', { post_id: 'a b' }),
  post('CATEGORY_ROOT_INVALID', { category_root: '' }),
  post('COLLECTED_AT_MISSING', { collected_at: null }),
  post('COLLECTED_AT_INVALID', { collected_at: 'soon' }),
  post('COLLECTED_IN_FUTURE', { collected_at: '2027-11-01' }),
  post('POSTED_AT_INVALID', { posted_at: 'soon' }),
  post('POSTED_AFTER_COLLECTED', { posted_at: '2026-11-03' }),
  node('MARKETPLACE_UNKNOWN', 'uk,1,Home'),
  node('BROWSE_ID_INVALID', 'us,x,Home'),
])

/** Files that cannot be read as a whole, by what is wrong with them. */
const brokenFiles: Readonly<Record<string, Content>> = {
  'price_observations/only-a-header.csv': csv(),
  'price_observations/a-column-twice.csv': `${csv(GOOD).replace('currency', 'price')}`,
  'price_observations/no-column.csv': 'platform,country\nacme,us\n',
  'price_observations/not-compressed.csv.gz': csv(GOOD),
  'price_observations/not-an-object.json': '"text"',
  'price_observations/not-json.json': '[{"platform": "acme",',
  'price_observations/not-parquet.parquet': csv(GOOD),
  'price_observations/nul-bytes.csv': Buffer.alloc(100),
  'browse_nodes/not-a-table.csv': '\n\n',
}

/** The reasons why a refresh of files publishes nothing, each by its file. */
const reasonsOf = async (files: Readonly<Record<string, Content>>): Promise<Line[]> => {
  const feeds = await givenFiles(files)
  const { status, reasons } = await run(feeds, { as_of: AS_OF, max_quarantine: 0.01 })
  return reasons.map((reason) => [/^[^\s:,]+/.exec(reason)?.[0] ?? '', status, named(reason, { FEEDS: feeds })])
}

/** Mappings that are refused, as written in a file. */
const mappings: readonly string[] = [
  'not json',
  '[]',
  '{"prices": {"files": ["*.csv"]}}',
  '{"price_observations": {}}',
  '{"price_observations": {"files": ["*.csv"], "colums": {}}}',
  '{"price_observations": {"files": ["*.csv"], "columns": {"prise": "p"}}}',
  '{"price_observations": {"files": ["*.csv"], "columns": {"price": 3}}}',
  '{"price_observations": {"files": ["*.csv"], "columns": {"price": {"sql": "getenv(\'HOME\')"}}}}',
  '{"price_observations": {"files": ["*.csv"], "columns": {"price": {"sql": "prise +"}}}}',
  '{"price_observations": {"files": ["*.csv"], "kind": "changes"}}',
  '{"price_observations": {"files": ["*.csv"], "max_quarantine": 2}}',
  '{"price_observations": {"files": ["*.csv"], "timestamp_format": ""}}',
  '{"price_observations": {"files": ["*.csv"], "name_pattern": "("}}',
  '{"price_observations": {"files": ["*.csv"], "encoding": "ebcdic"}}',
  '{"price_observations": {"files": ["*.csv"], "delimiter": ";;"}}',
  '{"price_observations": {"files": ["*.json"], "json_path": "items[]]"}}',
  '{"price_observations": {"files": {"*.csv": {}, "a*": {}}}}',
]

const refusalsOfMappings = async (): Promise<Line[]> => {
  const folder = await givenFiles({ 'a.csv': csv(GOOD), 'a.json': '[]' })
  const lines: Line[] = []
  for (const mapping of mappings) {
    const path = join(await givenFiles({ 'mapping.json': mapping }), 'mapping.json')
    const message = await run(folder, { mappings: [path] }).then(
      ({ status, reasons }) => [status, ...reasons].join('\n'),
      (error: Error) => error.message,
    )
    lines.push([mapping, 'INVALID_PARAMS', named(message, { MAPPING: path, FEEDS: folder })])
  }
  return lines
}

test('refusals of feeds', async () => {
  await expectMessages('feeds', {
    'rows in the quarantine': await reasonsOf(brokenRules),
    'files that cannot be read': await reasonsOf(brokenFiles),
    mappings: await refusalsOfMappings(),
  })
})
