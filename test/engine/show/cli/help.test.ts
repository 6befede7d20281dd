import { describe, expect, it } from 'vitest'
import { findQuery, groups, paramFields, queries } from '../../../../engine/index.ts'
import { readCommand } from '../../../../engine/show/cli/command.ts'
import { examplesOf, helpText } from '../../../../engine/show/cli/help.ts'
import { plain } from '../../../../engine/show/cli/terminal.ts'

const help = (line: string, width = 80) => {
  const command = readCommand(line.split(' ').filter(Boolean), {}, true)
  if (command.kind !== 'help') throw new Error(`${line} is a query`)
  return helpText(command, width, plain)
}
const queryOf = (group: string, name: string) => findQuery(group, name)!

describe('helpText', () => {
  it('lists every command with its summary', () => {
    const text = help('', 200)
    for (const { name, summary } of queries) expect(text).toContain(`  ${name.padEnd(24)}${summary}`)
    expect(text.at(-1)).toBe('Exit codes: 0 answered, 1 refused, 2 wrong usage, 3 internal failure.')
  })

  it('lists the commands of one group', () => {
    const text = help('analyst').join('\n')
    expect(text).toContain('Usage: npm run -s shelfmark -- analyst NAME')
    expect(text).toContain('  inflation ')
    expect(text).not.toContain('  share-of-shelf ')
  })

  it('describes each parameter with its values, bounds, default and example', () => {
    const text = help('analyst inflation --help', 400)
    expect(text).toContain('  --country us|ca         Country of the prices, which are in its currency. Default us.')
    expect(text).toContainEqual(expect.stringMatching(/^ {2}--category TEXT .* Example: coffee\.$/))
    expect(text).toContainEqual(expect.stringMatching(/^ {2}--days N .*at most 1826.* At least 1\.$/))
    expect(text).toContainEqual(expect.stringMatching(/^ {2}--granularity NAME .* One of daily, weekly, monthly\.$/))
    expect(text).toContainEqual(expect.stringMatching(/^ {2}--from TIME /))
    expect(text).not.toContainEqual(expect.stringContaining('GET /v1'))
  })

  it('explains what a query means and each field with its title, unit, headline or deprecation', () => {
    const text = help('analyst inflation --help', 400)
    expect(text).toContainEqual(expect.stringMatching(/^ {2}Null rule {3}lfl_change_pct is null below 10 matched/))
    expect(text).toContainEqual(
      expect.stringMatching(/^ {2}lfl_change_pct +Like-for-like change \(percent\)\. Headline\. Like-for-like change/),
    )
    expect(text).toContainEqual(
      expect.stringMatching(/^ {2}overall_change_pct +Chained change \(percent\)\. Deprecated\. Use lfl_change/),
    )
    expect(text).toContainEqual(expect.stringMatching(/^ {4}avg_price +Average price \(money\)\. Mean/))
    expect(text).toContainEqual(expect.stringMatching(/^ {2}money +An amount in the currency of the answer/))
  })

  it('lists every parameter of every command within 80 columns', () => {
    for (const query of queries) {
      const lines = help(`${query.group} ${query.name} --help`)
      for (const { name } of paramFields(query))
        expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^ {2}--${name}( |$)`)))
      for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80)
    }
    for (const group of groups) for (const line of help(group)) expect(line.length, line).toBeLessThanOrEqual(80)
  })
})

describe('examplesOf', () => {
  it('start with the required parameters alone, then add others', () => {
    expect(examplesOf(queryOf('analyst', 'inflation'))).toEqual([
      'npm run -s shelfmark -- analyst inflation --category coffee',
      'npm run -s shelfmark -- analyst inflation --category coffee --country ca --csv',
    ])
    const [shortest] = examplesOf(queryOf('public', 'stats'))
    expect(shortest).toBe('npm run -s shelfmark -- public stats')
  })

  it('are commands that are accepted', () => {
    for (const query of queries)
      for (const example of examplesOf(query)) {
        const args = example.match(/"[^"]*"|\S+/g)!.map((word) => word.replaceAll('"', ''))
        const command = readCommand(args.slice(4), {}, false)
        expect(command, example).toMatchObject({ kind: 'query', query })
      }
  })
})
