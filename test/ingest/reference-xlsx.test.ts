import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { release, releaseOf } from '../support/reference.ts'
import { csv, query, runFiles, single } from './feeds.ts'

const prices = { 'price_observations/a.csv': csv('acme,us,1,2026-01-05T10:00:00Z,10.00,USD') }
const COLUMNS = [
  ...['Segment', 'Family', 'Class'].flatMap((level) => [`${level}Code`, `${level}Title`, `${level}Definition`]),
  ...['BrickCode', 'BrickTitle', 'BrickDefinition_Includes', 'BrickDefinition_Excludes'],
  ...['Attribute', 'AttributeValue'].flatMap((level) => [`${level}Code`, `${level}Title`, `${level}Definition`]),
]

type Node = (typeof release)[number]

/** The paths of a release, a row each, as the official sheet has them: a path ends where nothing is below. */
const rowsOf = (nodes: readonly Node[], above: readonly string[] = []): string[][] =>
  nodes.flatMap(({ code, title, below = [] }) => {
    const excludes = above.length === 9 ? [''] : []
    const path = [...above, code, title, `What is ${title.toLowerCase()}.`, ...excludes]
    return below.length > 0 ? rowsOf(below, path) : [path]
  })

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const letter = (column: number) => String.fromCharCode(65 + column)

/** A workbook as Excel writes it: codes are numbers, texts are shared, empty cells are left out. */
const workbook = (rows: readonly (readonly string[])[]): Buffer => {
  const strings = [...new Set(rows.flat())]
  const cell = (text: string, row: number, column: number) => {
    const name = `r="${letter(column)}${row + 1}"`
    if (text === '') return ''
    if (/^\d+$/.test(text)) return `<c ${name}><v>${text}</v></c>`
    return `<c ${name} t="s"><v>${strings.indexOf(text)}</v></c>`
  }
  const sheet = rows.map(
    (row, index) => `<row r="${index + 1}">${row.map((text, column) => cell(text, index, column)).join('')}</row>`,
  )
  const parts = {
    'xl/workbook.xml':
      '<workbook><sheets><sheet name="About" r:id="rId1"/><sheet name="Schema" r:id="rId2"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/>
      <Relationship Id="rId2" Target="worksheets/sheet2.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': '<worksheet><sheetData/></worksheet>',
    'xl/worksheets/sheet2.xml': `<worksheet><sheetData>${sheet.join('')}</sheetData></worksheet>`,
    'xl/sharedStrings.xml': `<sst>${strings.map((text) => `<si><t>${escaped(text)}</t></si>`).join('')}</sst>`,
  }
  return Buffer.from(zipSync(Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)]))))
}

const run = (rows: readonly (readonly string[])[]) =>
  runFiles({ ...prices, 'gpc_release/v20260201.xlsx': workbook(rows) })

describe('a GPC release in XLSX', () => {
  test.each([
    ['as published', (row: readonly string[]) => row],
    [
      'in another order',
      (row: readonly string[]) => COLUMNS.map((_, column) => row[COLUMNS.length - 1 - column] ?? ''),
    ],
  ])('gives the same nodes as in JSON with its columns %s', async (_, order) => {
    const fromXlsx = await run([COLUMNS, ...rowsOf(release)].map(order))
    const fromJson = await runFiles({ ...prices, 'gpc_release/v20260201.json': releaseOf(release) })
    for (const name of ['gpc_nodes', 'gpc_attributes'])
      expect(await query(`FROM ${single(fromXlsx, name)}`)).toEqual(await query(`FROM ${single(fromJson, name)}`))
    expect(fromXlsx.digest).toBe(fromJson.digest)
    expect(fromXlsx.files.find(({ feed }) => feed === 'gpc_release')).toMatchObject({ rows_read: 18, kept: 18 })
  })

  test('without a required column is refused with the name of the column', async () => {
    await expect(run([COLUMNS.filter((name) => name !== 'FamilyCode')])).rejects.toThrow(
      /gpc_release\/v20260201\.xlsx is not a GPC release: the sheet Schema has no column FamilyCode;/,
    )
  })

  test('with a gap in a path is refused with the row', async () => {
    const [path = []] = rowsOf(release)
    await expect(run([COLUMNS, path.with(3, '')])).rejects.toThrow(
      /the row of ClassCode 50202600 in segment 50000000 has no FamilyCode/,
    )
  })

  test('that is not a workbook is refused', async () => {
    const files = { ...prices, 'gpc_release/v20260201.xlsx': 'SegmentCode' }
    await expect(runFiles(files)).rejects.toThrow(/v20260201\.xlsx is not a GPC release: invalid zip data/)
  })
})
