import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { FAULT_HINTS } from '../../ingest/feeds/fault-hints.ts'
import type { RefreshReport } from '../../ingest/report.ts'
import { REJECT_CODES } from '../../ingest/text/types.ts'
import { sized } from '../support/full-size.ts'
import { byFile, csv, type Lake, observationsOf, query, refusedRows, runFiles, single, table } from './feeds.ts'

const GOOD = 'acme,us,1,2026-01-05T10:00:00Z,10.00,USD'

type Refused = { file: string; line: number; code: string; field: string | null; value: string | null }

const refusedIn = async ({ quarantine }: RefreshReport): Promise<Refused[]> =>
  quarantine === null
    ? []
    : (await readFile(quarantine, 'utf8'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Refused)

const FAULTS: readonly (readonly [row: string, code: string, field: string | null, value: string | null])[] = [
  ['acme,uk,1,2026-01-05,1.00,USD', 'COUNTRY_UNKNOWN', 'country', 'uk'],
  ['acme,,1,2026-01-05,1.00,USD', 'COUNTRY_UNKNOWN', 'country', null],
  ['Acme Inc,us,1,2026-01-05,1.00,USD', 'PLATFORM_INVALID', 'platform', 'Acme Inc'],
  [',us,1,2026-01-05,1.00,USD', 'PLATFORM_INVALID', 'platform', null],
  ['acme,us,,2026-01-05,1.00,USD', 'LISTING_ID_MISSING', 'listing_id', null],
  ['acme,us,"  ",2026-01-05,1.00,USD', 'LISTING_ID_MISSING', 'listing_id', null],
  ['acme,us,1,,1.00,USD', 'OBSERVED_AT_MISSING', 'observed_at', null],
  ['acme,us,1,13.09,1.00,USD', 'OBSERVED_AT_INVALID', 'observed_at', '13.09'],
  ['acme,us,1,2026-02-30,1.00,USD', 'OBSERVED_AT_INVALID', 'observed_at', '2026-02-30'],
  ['acme,us,1,infinity,1.00,USD', 'OBSERVED_AT_INVALID', 'observed_at', 'infinity'],
  ['acme,us,1,1926-01-05,1.00,USD', 'OBSERVED_AT_INVALID', 'observed_at', '1926-01-05'],
  ['acme,us,1,2026-01-05,,USD', 'PRICE_MISSING', 'price', null],
  ['acme,us,1,2026-01-05,NA,USD', 'PRICE_NOT_A_NUMBER', 'price', 'NA'],
  ['acme,us,1,2026-01-05,$3.45,USD', 'PRICE_NOT_A_NUMBER', 'price', '$3.45'],
  ['acme,us,1,2026-01-05,NaN,USD', 'PRICE_NOT_A_NUMBER', 'price', 'NaN'],
  ['acme,us,1,2026-01-05,inf,USD', 'PRICE_NOT_A_NUMBER', 'price', 'inf'],
  ['acme,us,1,2026-01-05,"1,959",USD', 'PRICE_NOT_A_NUMBER', 'price', '1,959'],
  ['acme,us,1,2026-01-05,0,USD', 'PRICE_NOT_POSITIVE', 'price', '0'],
  ['acme,us,1,2026-01-05,0.004,USD', 'PRICE_NOT_POSITIVE', 'price', '0.004'],
  ['acme,us,1,2026-01-05,-3.45,USD', 'PRICE_NOT_POSITIVE', 'price', '-3.45'],
  ['acme,us,1,2026-01-05,-1e30,USD', 'PRICE_NOT_POSITIVE', 'price', '-1e30'],
  ['acme,us,1,2026-01-05,1000000,USD', 'PRICE_TOO_LARGE', 'price', '1000000'],
  ['acme,us,1,2026-01-05,1e30,USD', 'PRICE_TOO_LARGE', 'price', '1e30'],
  ['acme,us,1,2026-01-05,1.00,CAD', 'CURRENCY_MISMATCH', 'currency', 'CAD'],
  ['acme,ca,1,2026-01-05,1.00,USD', 'CURRENCY_MISMATCH', 'currency', 'USD'],
  ['acme,us,1,2026-01-05,1.00,GBP', 'CURRENCY_MISMATCH', 'currency', 'GBP'],
  ['acme,us,1,2026-01-05', 'ROW_MALFORMED', null, 'acme,us,1,2026-01-05'],
  ['acme,us,1,2026-01-05,1.00,USD,more', 'ROW_MALFORMED', null, 'acme,us,1,2026-01-05,1.00,USD,more'],
  ['acme,us,"1"1,2026-01-05,1.00,USD', 'ROW_MALFORMED', null, 'acme,us,"1"1,2026-01-05,1.00,USD'],
]

test('the codes of refused rows are those listed in data/mappings/README.md, each with a hint', async () => {
  const [statements, readme] = await Promise.all(
    ['ingest/tables.sql', 'data/mappings/README.md'].map((path) =>
      readFile(new URL(`../../${path}`, import.meta.url), 'utf8'),
    ),
  )
  const codes = [...new Set([...statements!.matchAll(/\('([A-Z_]+)'/g)].map(([, code]) => code!).concat(REJECT_CODES))]
  expect(readme!.match(/\b[A-Z]+_[A-Z_]+\b/g)!.sort()).toEqual(codes.sort())
  expect(Object.keys(FAULT_HINTS).sort()).toEqual(codes)
  for (const [, code] of FAULTS) expect(codes).toContain(code)
})

const SCRAPED = ['2026-01-05T10:00:00Z', '2026-01-05T09:59:59Z', 'never', '']
const JSON_GOOD = { platform: 'acme', country: 'us', listing_id: 7, observed_at: '2026-01-05T10:00:00Z', price: 3.5 }
const TORN = 'acme,us,torn,2026-01-05T10:00:00Z,10.00,USD'

// Files of one delivery, each with listings of its own.
const DELIVERY = {
  'faults.csv': csv(GOOD, ...FAULTS.map(([row]) => row)),
  'scraped.csv': [
    'platform,country,listing_id,observed_at,price,scraped_at',
    ...SCRAPED.map((scraped_at) => `acme,us,scraped,2026-01-05T10:05:00Z,1.00,${scraped_at}`),
    '',
  ].join('\n'),
  'torn.csv': csv(
    TORN,
    'torn',
    TORN,
    'acme,us,torn,2026-01-05,zero,USD',
    'torn,too',
    'torn',
    'acme,uk,torn,2026-01-05,1,USD',
  ),
  'quoted.csv': `platform,country,listing_id,observed_at,price,product_name
acme,us,quoted,2026-01-05,1.00,"A ""big"" mug,
of clay"
acme,us,quoted 2,2026-01-05,zero,
`,
  'lines.jsonl': [
    JSON.stringify(JSON_GOOD),
    'not json',
    '[1, 2]',
    '{"platform": "acme"',
    '',
    JSON.stringify({ ...JSON_GOOD, price: null }),
    '',
  ].join('\n'),
}

describe('a delivery with rows that break rules:', () => {
  let report: Lake
  let refused: Refused[]
  beforeAll(async () => {
    const files = Object.entries(DELIVERY).map(([name, text]) => [`price_observations/${name}`, text])
    report = await runFiles(Object.fromEntries(files))
    refused = await refusedIn(report)
  })
  const refusedOf = (name: string) => refused.filter(({ file }) => file === `price_observations/${name}`)

  test('each row of a CSV file that breaks a rule is refused with its line, code, field and value', () => {
    expect(refusedOf('faults.csv')).toEqual(
      FAULTS.map(([, code, field, value], index) => ({
        file: 'price_observations/faults.csv',
        line: index + 3,
        code,
        field,
        value,
      })),
    )
    const file = byFile(report).get('faults.csv')!
    expect(file).toMatchObject({ rows_read: FAULTS.length + 1, kept: 1 })
    expect(refusedRows(file)).toBe(FAULTS.length)
  })

  test('a row that was observed more than 5 minutes after it was scraped is refused', () => {
    expect(byFile(report).get('scraped.csv')).toMatchObject({
      quarantined: { OBSERVED_AFTER_SCRAPED: 1 },
      dropped_values: [{ field: 'scraped_at', reason: 'not_a_time', count: 1 }],
    })
    const late = [{ line: 3, field: 'observed_at', value: '2026-01-05T10:05:00Z' }]
    expect(refusedOf('scraped.csv')).toMatchObject(late)
  })

  test('a row has the right line number after lines that cannot be split', () => {
    expect(refusedOf('torn.csv').map(({ line, code }) => [line, code])).toEqual([
      [3, 'ROW_MALFORMED'],
      [5, 'PRICE_NOT_A_NUMBER'],
      [6, 'ROW_MALFORMED'],
      [7, 'ROW_MALFORMED'],
      [8, 'COUNTRY_UNKNOWN'],
    ])
    const duplicates = { same_key: 1, same_day: 0 }
    expect(byFile(report).get('torn.csv')).toMatchObject({ rows_read: 7, kept: 1, duplicates })
  })

  test('a row may contain delimiters, quotes and line breaks in quotes', async () => {
    const names = await query(`SELECT product_name FROM ${table(report, 'listings')} WHERE product_id = 'quoted'`)
    expect(names).toEqual([{ product_name: 'A "big" mug,\nof clay' }])
    // The record before spans two lines.
    expect(refusedOf('quoted.csv')).toMatchObject([{ line: 4, code: 'PRICE_NOT_A_NUMBER' }])
  })

  test('a line that is not a JSON object is refused with its line number', async () => {
    expect(refusedOf('lines.jsonl').map(({ line, code, value }) => [line, code, value])).toEqual([
      [2, 'ROW_MALFORMED', 'not json'],
      [3, 'ROW_MALFORMED', '[1, 2]'],
      [4, 'ROW_MALFORMED', '{"platform": "acme"'],
      [6, 'PRICE_MISSING', null],
    ])
    expect(byFile(report).get('lines.jsonl')).toMatchObject({ rows_read: 5, kept: 1 })
    const observed = (await observationsOf(report)).filter((line) => line.startsWith('acme us 7 '))
    expect(observed).toEqual(['acme us 7 uncategorized - 2026-01-05 36000 350 - - -'])
  })
})

describe('a taxonomy', () => {
  const observations = csv(GOOD)
  test('refuses nodes without their ancestors and invalid paths', async () => {
    const taxonomy = `path,name,parent_path
home,Home,
home/mugs,Mugs,home
home/lamps/desk,Desk Lamps,home/lamps
Home Garden,Garden,
garden,,
toys/dolls,Dolls,home
toys,Toys,home
`
    const report = await runFiles({ 'price_observations/a.csv': observations, 'category_taxonomy/t.csv': taxonomy })
    expect((await refusedIn(report)).map(({ line, code, value }) => [line, code, value])).toEqual([
      [4, 'PARENT_UNKNOWN', 'home/lamps'],
      [5, 'PATH_INVALID', 'Home Garden'],
      [6, 'NAME_MISSING', null],
      [7, 'PARENT_MISMATCH', 'home'],
      [8, 'PARENT_MISMATCH', 'home'],
    ])
    const paths = await query(`SELECT path FROM ${single(report, 'categories')} ORDER BY category_id`)
    expect(paths.map(({ path }) => path)).toEqual(['home', 'home/mugs', 'uncategorized'])
  })
})

const field = (good: string, ...bad: string[]) =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(good) }, fc.constantFrom('', ...bad))
const row = fc
  .tuple(
    field('acme', 'bolt', 'Nò', '"torn'),
    field('us', 'ca', 'mx', 'US '),
    fc.constantFrom('1', '2', '3', ' 4 ', ''),
    fc.constantFrom('2026-01-05', '2026-01-05T08:00:00Z', '2026-01-06', '2026-02-01T23:59:59.9Z', 'soon'),
    field('1.00', '2', '0', 'NA', '1e9', '1,5'),
    field('USD', 'CAD', '$', 'EUR'),
  )
  .map((fields) => fields.join(','))

test('every row is kept, a duplicate or refused, and every kept row is in the lake', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 120 }), async (rows) => {
      const report = await runFiles({ 'price_observations/a.csv': csv(GOOD, ...rows) })
      const [file] = report.files
      const { rows_read, kept, duplicates } = file!
      expect(rows_read).toBe(kept + duplicates.same_key + duplicates.same_day + refusedRows(file!))
      expect(await observationsOf(report)).toHaveLength(kept)
      expect(await refusedIn(report)).toHaveLength(refusedRows(file!))
      // A quotation mark that is never closed makes one row of all that follow.
      if (!rows.some((line) => line.includes('"'))) expect(rows_read).toBe(rows.length + 1)
    }),
    { numRuns: sized(2, 8) },
  )
})
