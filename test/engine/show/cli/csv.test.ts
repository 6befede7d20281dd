import { expect, test } from 'vitest'
import type { Table } from '../../../../engine/show/cli/table.ts'
import { csv } from '../../../../engine/show/formats/csv.ts'

const tableOf = (...values: unknown[]): Table => ({
  name: 'values',
  columns: [{ name: 'value', kind: 'text' }] as unknown as Table['columns'],
  rows: values.map((value) => [value]),
})

const cellOf = async (value: unknown): Promise<string> =>
  (await csv(tableOf(value))).replace(/^value\r\n/, '').replace(/\r\n$/, '')

test.each([
  ['=cmd|"/c calc"!A0', `"'=cmd|""/c calc""!A0"`],
  ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
  ['+1-800', "'+1-800"],
  ['-5% off', "'-5% off"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', `'\\x0d=1`],
])('a CSV cell that a spreadsheet would evaluate is written as text: %j', async (text, cell) => {
  expect(await cellOf(text)).toBe(cell)
})

test.each([
  [-5, '-5'],
  [-0.25, '-0.25'],
  [1e21, '1e+21'],
  [null, ''],
  [true, 'true'],
  ['', ''],
  ['Café, "large" 5-pack = 2 kg', '"Café, ""large"" 5-pack = 2 kg"'],
  [['a', 'b'], '"[""a"",""b""]"'],
])('a CSV cell of %j is written unchanged', async (value, cell) => {
  expect(await cellOf(value)).toBe(cell)
})

test.each([
  ['\x1b[31mred\x1b[0m', '\\x1b[31mred\\x1b[0m'],
  ['bell\x07, null\0', '"bell\\x07, null\\x00"'],
  ['csi\x9b2J', 'csi\\x9b2J'],
  ['gnp.\u202egpj', 'gnp.\\u{202e}gpj'],
  ['two\nlines', '"two\nlines"'],
  ['two\r\nlines', '"two\nlines"'],
  ['over\rwritten', 'over\\x0dwritten'],
])('control characters of %j are written as escapes', async (text, cell) => {
  expect(await cellOf(text)).toBe(cell)
})
