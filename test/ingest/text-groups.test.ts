import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { byFile, csv, HEADER, observationsOf, refusedRows, runFiles } from './feeds.ts'

const DAYS = ['2026-01-05', '2026-02-05', '2026-03-05', '2026-04-05'] as const
const SHOPS = [
  ['us', 'USD'],
  ['ca', 'CAD'],
] as const

const lineOf = (listing: number, day: string, price: string, [country, currency] = SHOPS[listing % 2]!): string =>
  `acme,${country},${listing},${day}T10:00:00Z,${price},${currency}`

const LINES = DAYS.map((day, index) => [1, 2, 3].map((listing) => lineOf(listing, day, `${10 * listing + index}.00`)))

const json = (lines: readonly string[]): string =>
  lines
    .map((line) => {
      const values = line.split(',')
      return `${JSON.stringify(Object.fromEntries(HEADER.split(',').map((name, index) => [name, values[index]])))}\n`
    })
    .join('')

const refusedIn = async ({ lake, quarantine }: { lake: string; quarantine: string | null }) => {
  const text = await readFile(join(quarantine!.startsWith('/') ? quarantine! : join(lake, quarantine!)), 'utf8')
  const rows = text
    .trim()
    .split('\n')
    .map((row) => JSON.parse(row) as { file: string; line: number; code: string; value: string })
  return rows.map(
    ({ file, line, code, value }) => `${file.replace('price_observations/', '')}:${line} ${code} ${value}`,
  )
}

test.each([
  ['csv', (lines: readonly string[]) => csv(...lines)],
  ['jsonl', json],
] as const)('rows are the same in one file and in several of one form: %s', async (extension, write) => {
  const all = await runFiles({ [`price_observations/all.${extension}`]: write(LINES.flat()) })
  const files = LINES.map((lines, index) => [`price_observations/${index}.${extension}`, write(lines)] as const)
  const several = await runFiles(Object.fromEntries(files))
  expect(several.files.map(({ rows_read, kept }) => [rows_read, kept])).toEqual([
    [3, 3],
    [3, 3],
    [3, 3],
    [3, 3],
  ])
  expect(several.digest).toBe(all.digest)
  expect(await observationsOf(several)).toEqual(await observationsOf(all))
})

test('files whose months are mixed are read together too', async () => {
  const mixed = [0, 1, 2].map((file) => DAYS.map((day) => lineOf(file + 1, day, `${file + 1}.00`)))
  const files = mixed.map((lines, index) => [`price_observations/${index}.csv`, csv(...lines)] as const)
  const several = await runFiles(Object.fromEntries(files))
  const all = await runFiles({ 'price_observations/all.csv': csv(...mixed.flat()) })
  expect(several.counts.observations).toBe(12)
  expect(several.digest).toBe(all.digest)
})

test('refused rows of files of one form have their files and lines', async () => {
  const report = await runFiles({
    'price_observations/1.csv': csv(lineOf(1, '2026-01-05', '1.00'), lineOf(2, '2026-01-05', 'one')),
    'price_observations/2.csv': csv('', lineOf(1, '2026-01-06', '1.00'), '', lineOf(2, '2026-01-06', 'two')),
    'price_observations/3.csv': csv('too,few', lineOf(1, '2026-01-07', 'three'), lineOf(2, '2026-01-07', '2.00')),
    'price_observations/4.csv': csv(),
    'price_observations/5.csv': csv(lineOf(1, '2026-01-08', 'four')),
    'price_observations/6.jsonl': `${json([lineOf(1, '2026-01-09', '1.00')])}{"platform"\n`,
    'price_observations/7.jsonl': `\n${json([lineOf(1, '2026-01-10', 'five')])}[1]\n`,
  })
  expect(await refusedIn(report)).toEqual([
    '1.csv:3 PRICE_NOT_A_NUMBER one',
    '2.csv:5 PRICE_NOT_A_NUMBER two',
    '3.csv:2 ROW_MALFORMED too,few',
    '3.csv:3 PRICE_NOT_A_NUMBER three',
    '5.csv:2 PRICE_NOT_A_NUMBER four',
    '6.jsonl:2 ROW_MALFORMED {"platform"',
    '7.jsonl:2 PRICE_NOT_A_NUMBER five',
    '7.jsonl:3 ROW_MALFORMED [1]',
  ])
  expect([...byFile(report)].map(([name, file]) => [name, file.rows_read, refusedRows(file)])).toEqual([
    ['1.csv', 2, 1],
    ['2.csv', 2, 1],
    ['3.csv', 3, 2],
    ['4.csv', 0, 0],
    ['5.csv', 1, 1],
    ['6.jsonl', 2, 1],
    ['7.jsonl', 2, 2],
  ])
})

test('what files of one form lack is said of each', async () => {
  const text = csv(lineOf(1, '2026-01-05', '1.00')).replace('price', 'amount_paid')
  const report = await runFiles({
    'price_observations/1.csv': text,
    'price_observations/2.csv': text,
    'price_observations/3.csv': csv(lineOf(1, '2026-01-06', '1.00')),
  })
  expect(report.reasons.map((reason) => reason.slice(0, 46))).toEqual([
    'price_observations/1.csv has no column price; ',
    'price_observations/2.csv has no column price; ',
  ])
})

test('a column that a later line of one file has first is read', async () => {
  const later = Array.from({ length: 1001 }, (_, index) => lineOf(index + 1, '2026-01-05', '1.00', SHOPS[0]))
  const [last] = json([lineOf(2000, '2026-01-05', '1.00', SHOPS[0])]).split('}')
  const report = await runFiles({
    'price_observations/1.jsonl': json([lineOf(1, '2026-01-04', '1.00', SHOPS[0])]),
    'price_observations/2.jsonl': `${json(later)}${last},"product_name":"Acme Lamp"}\n`,
  })
  expect(report.files.map(({ kept }) => kept)).toEqual([1, 1002])
  expect(report.counts.listings).toBe(1002)
})
