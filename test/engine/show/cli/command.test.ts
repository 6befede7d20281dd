import { describe, expect, it } from 'vitest'
import { paramFields, queries } from '../../../../engine/index.ts'
import { readCommand } from '../../../../engine/show/cli/command.ts'
import { globalOptions } from '../../../../engine/show/cli/global-options.ts'
import { zodWords } from '../../../support/refusal-words.ts'

const read = (line: string, settings = {}, isTerminal = false) =>
  readCommand(line.split(' ').filter(Boolean), settings, isTerminal)
const ask = (options: string, settings = {}, isTerminal = false) =>
  read(`analyst inflation --category coffee ${options}`, settings, isTerminal)

describe('readCommand', () => {
  it('reads parameters as the query does, including defaults', () => {
    expect(ask('--days 90')).toMatchObject({
      kind: 'query',
      query: { group: 'analyst', name: 'inflation' },
      // The engine fills in the country, by what the lake holds.
      params: { category: 'coffee', days: 90, country: '' },
      explain: false,
    })
  })

  it('prints a page to a terminal and JSON elsewhere unless an option says otherwise', () => {
    expect(ask('', {}, true)).toMatchObject({ output: { format: 'page' } })
    expect(ask('', {}, false)).toMatchObject({ output: { format: 'json' } })
    expect(ask('--json', {}, true)).toMatchObject({ output: { format: 'json' } })
    expect(ask('--csv', {}, false)).toMatchObject({ output: { format: 'csv' } })
    expect(ask('--arrow', {}, false)).toMatchObject({ output: { format: 'arrow' } })
    expect(ask('--parquet prices.parquet', {}, true)).toMatchObject({ output: { parquet: 'prices.parquet' } })
    expect(ask('--csv=false', {}, true)).toMatchObject({ output: { format: 'page' } })
  })

  it('reads the lake and as_of from the command line, then the environment, then the defaults', () => {
    const settings = { lake: 'from-environment', as_of: '2026-01-31' }
    expect(ask('--lake here --as-of 2026-02-01T10:00:00+02:00', settings)).toMatchObject({
      lake: 'here',
      as_of: new Date('2026-02-01T08:00:00Z'),
    })
    expect(ask('', settings)).toMatchObject({ lake: 'from-environment', as_of: new Date('2026-01-31T00:00:00Z') })
    expect(ask('', { lake: '', as_of: '' })).toMatchObject({ lake: 'data/lake', as_of: undefined })
  })

  it.each([
    ['', {}],
    ['--help', {}],
    ['analyst', { group: 'analyst' }],
    ['analyst --help', { group: 'analyst' }],
    ['analyst inflation --help --nonsense', { group: 'analyst', query: { name: 'inflation' } }],
  ])('prints help for "%s"', (line, expected) => {
    expect(read(line)).toMatchObject({ kind: 'help', ...expected })
  })

  it.each([
    ['analist', 'unknown group analist; did you mean analyst?'],
    ['analyst inflaton', 'unknown analyst command inflaton; did you mean inflation?'],
    ['analyst inflation --categry coffee', 'unknown option --categry; did you mean --category?'],
    ['analyst inflation --cat coffee', 'unknown option --cat; did you mean --category?'],
    ['--lkae x', 'unknown option --lkae; did you mean --lake?'],
    ['analyst inflation --xyzzy 1', /^unknown option --xyzzy$/],
    ['analyst inflation --category ground coffee', 'unexpected argument "coffee"; quote values that contain spaces'],
    ['analyst inflation', /^category: required/],
    ['analyst inflation --category a --category b', 'category: is given more than once'],
    ['analyst inflation --category coffee --days ten', /^days: /],
    ['analyst inflation --category coffee --lake a --lake b', 'lake: is given more than once'],
    ['analyst inflation --category coffee --lake=', 'lake: is empty'],
    ['analyst inflation --category', 'category: is empty'],
    ['analyst inflation --category coffee --csv=maybe', 'csv: expected true or false, got "maybe"'],
    ['analyst inflation --category coffee --jsn', 'unknown option --jsn; did you mean --json?'],
    ['analyst inflation --category coffee --as-of yesterday', '--as-of "yesterday" is not a time'],
    ['analyst inflation --category coffee --json --csv', '--json and --csv cannot be combined'],
    [
      'analyst inflation --category coffee --explain --csv',
      '--explain and --csv cannot be combined; send --explain --json',
    ],
  ])('refuses "%s"', (line, message) => {
    expect(() => read(line)).toThrow(
      expect.objectContaining({ code: 'INVALID_PARAMS', message: expect.stringMatching(message) }),
    )
  })

  it('names the environment variable that is wrong', () => {
    expect(() => ask('', { as_of: 'yesterday' })).toThrow(
      /^SHELFMARK_AS_OF "yesterday" is not a time; send one such as /,
    )
  })

  it('refuses every invalid value of every option in Shelfmark’s own words', () => {
    for (const query of queries)
      for (const { name } of paramFields(query))
        for (const value of ['', 'x y', '-1', '0x1', '9e9', '2026-13-01', 'x'.repeat(2000)])
          try {
            readCommand([query.group, query.name, `--${name}=${value}`], {}, false)
          } catch (error) {
            expect((error as Error).message).not.toMatch(zodWords)
            expect((error as Error).message).toMatch(/send|expected/)
          }
  })

  it('refuses to write Arrow to a terminal', () => {
    expect(() => ask('--arrow', {}, true)).toThrow('--arrow cannot write to a terminal; redirect it')
  })

  it('shares no option name with a query parameter except as_of', () => {
    const options = Object.keys(globalOptions).filter((name) => name !== 'as_of')
    expect(queries.flatMap(paramFields).filter(({ name }) => options.includes(name))).toEqual([])
  })
})
