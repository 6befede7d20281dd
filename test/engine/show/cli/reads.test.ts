import { describe, expect, it } from 'vitest'
import { explanation, explanationPage } from '../../../../engine/show/cli/explanation.ts'
import { readsOf } from '../../../../engine/show/cli/reads.ts'
import { plain } from '../../../../engine/show/cli/terminal.ts'

const scan = (files: string, names: string, rows: number) => ({
  operator_type: 'TABLE_SCAN',
  operator_cardinality: rows,
  extra_info: { Function: 'READ_PARQUET', 'Total Files Read': files, 'Filename(s)': names },
  children: [],
})
const months = ['2026-08', '2026-09', '2026-10', '2026-11', '2026-12']
const many = months.map((month) => `/a lake/snapshots/000001-a/observations/country=us/month=${month}/part-0.parquet`)
const profile = {
  latency: 0.01234,
  extra_info: {},
  children: [
    {
      operator_type: 'HASH_JOIN',
      operator_cardinality: 7,
      extra_info: { Conditions: ['a = b'] },
      children: [
        scan('12', `${many.join(', ')}, ...`, 1500),
        { operator_type: 'CTE_SCAN', operator_cardinality: 9, extra_info: {}, children: [] },
        scan('1', '/a lake/snapshots/000001-a/brands.parquet', 300),
        scan('2', many.slice(0, 2).join(', '), 10),
      ],
    },
  ],
}
const explained = [{ explain_key: 'analyzed_plan', explain_value: JSON.stringify(profile) }]

describe('readsOf', () => {
  it('totals by table what the scans read', () => {
    expect(readsOf([explained])).toEqual({
      scans: 3,
      files: 15,
      rows: 1810,
      by_table: {
        observations: { scans: 2, files: 14, rows: 1510 },
        brands: { scans: 1, files: 1, rows: 300 },
      },
    })
  })

  it('throws for anything that is not an analysed plan', () => {
    expect(() => readsOf([[]])).toThrow()
    expect(() => readsOf([[{ explain_key: 'analyzed_plan', explain_value: '{}' }]])).toThrow()
  })
})

describe('explanation', () => {
  const plan = {
    query: 'analyst/inflation',
    params: { category: 'coffee' },
    bindings: { country: 'us', first: 6, retailer_id: null },
    context: { echo: { category: 'grocery/coffee' }, resolved: { alternates: [{}, {}] } },
    may_be_empty: false,
    snapshot_id: '000001-aaaaaaaa',
    as_of: '2026-11-21T00:00:00.000Z',
  }

  const definition = {
    population: 'Every `listing`.',
    formula: 'Their mean.',
    null_rule: 'Null without any.',
    sources: ['Prices.', 'A manual.'],
  }
  const statements = [{ reads: 'prices', sql: 'SELECT 1\n', bindings: {} }]
  const macro = { kind: 'MACRO', name: 'half', body: '(in_n) AS in_n / 2', comment: '-- One of two.\n' } as const

  it('says that the answer is from memory where nothing was read', () => {
    const explains = explanation({ definition }, plan, { statements, definitions: [], profiles: null })
    expect(explains).toMatchObject({ from_memory: true, reads: { files: 0, rows: 0, by_table: {} }, milliseconds: 0 })
    expect(explanationPage(explains, 80, plain).slice(-3)).toEqual([
      'reads',
      'From memory: no statement is run for this answer, and nothing is read. The SQL',
      'returns the same rows.',
    ])
  })

  it('contains the definition, plan, values, macros, SQL, reads and time', () => {
    const explains = explanation({ definition }, plan, { statements, definitions: [macro], profiles: [explained] })
    expect(explains).toMatchObject({
      definition,
      plan,
      from_memory: false,
      sql: '-- prices\nSELECT 1',
      macros: { half: '-- One of two.\nCREATE MACRO half(in_n) AS in_n / 2;' },
      reads: { files: 15, rows: 1810 },
      milliseconds: 12.3,
    })
    expect(explanationPage(explains, 80, plain)).toEqual([
      'definition',
      'population    Every listing.',
      'formula       Their mean.',
      'null_rule     Null without any.',
      'sources       Prices. A manual.',
      '',
      'plan',
      'query         analyst/inflation',
      'params        category coffee',
      'may_be_empty  false',
      'snapshot_id   000001-aaaaaaaa',
      'as_of         2026-11-21T00:00:00.000Z',
      'echo          category grocery/coffee',
      'resolved      alternates 2 entries',
      '',
      'values',
      "$country            'us' · country",
      '$first              6 · first category_id that is read; a category and what is',
      '                    below it are an interval (from memory)',
      '$retailer_id        NULL · the retailer; null: all (from memory)',
      '',
      'macros',
      '-- One of two.',
      'CREATE MACRO half(in_n) AS in_n / 2;',
      '',
      'sql',
      '-- prices',
      'SELECT 1',
      '',
      'reads',
      'table         scans  files   rows',
      'observations      2     14  1,510',
      'brands            1      1    300',
      'total             3     15  1,810',
      'Files are counted once per scan. Rows are those that passed the filters pushed',
      'into the scans; DuckDB does not report how many it looked at.',
      '12.3 ms in DuckDB, one cold run',
    ])
  })
})
