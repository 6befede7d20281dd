import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Engine } from '../../../../engine/index.ts'
import { answerPage } from '../../../../engine/show/cli/answer-page.ts'
import { cellWidth } from '../../../../engine/show/cli/cells.ts'
import { shortPage } from '../../../../engine/show/cli/short-page.ts'
import { pageWidth, styleOf } from '../../../../engine/show/cli/terminal.ts'
import { ask } from '../../../support/ask.ts'
import { sampleLake } from '../../../support/given.ts'
import { type SampleCommand, sampleCommands } from '../../../support/sample-commands.ts'

// The pages of every query over the sample lake, by width, for a person to read from top to bottom:
// `npm test -- test/engine/show/cli/captures -u` writes them.

const answers = new Map<SampleCommand, Record<string, unknown>>()
let engine: Engine
beforeAll(async () => {
  const { lake, as_of } = await sampleLake()
  engine = await Engine.open(lake, { as_of })
  for (const command of sampleCommands)
    answers.set(command, (await ask(engine, command.id, command.given)) as Record<string, unknown>)
})
afterAll(() => engine.close())

/** A page without what differs from one refresh of the same feeds to the next; what replaces it is as wide. */
const lasting = (text: string): string =>
  text
    .replace(/\b(\d{6})-[0-9a-f]{8}\b/g, '$1-xxxxxxxx')
    .replace(/(published)(\S*\s+)\d{4}-\d\d-\d\d \d\d:\d\d/gi, '$1$2YYYY-MM-DD hh:mm')

const pages = { short: shortPage, all: answerPage }

const linesOf = (command: SampleCommand, columns: number, hasColours: boolean, page = shortPage): string[] =>
  page(command.query, answers.get(command)!, columns, styleOf({ hasColours }))

const captureOf = (columns: number, hasColours = false, page: keyof typeof pages = 'short'): string =>
  sampleCommands
    .map((command) => {
      const text = linesOf(command, columns, hasColours, pages[page]).join('\n')
      const option = page === 'all' ? ' --all' : ''
      return `$ shelfmark ${command.argv.join(' ')}${option}\n${lasting(text.replaceAll('\x1b', '␛'))}\n`
    })
    .join('\n')

test.each([60, 80, 120, 200])('pages of %i columns', async (columns) => {
  await expect(captureOf(columns)).toMatchFileSnapshot(`captures/${columns}.txt`)
})

test('pages with everything', async () => {
  await expect(captureOf(80, false, 'all')).toMatchFileSnapshot('captures/80-all.txt')
  await expect(captureOf(120, false, 'all')).toMatchFileSnapshot('captures/120-all.txt')
})

test('pages with colours', async () => {
  await expect(captureOf(80, true)).toMatchFileSnapshot('captures/80-colours.txt')
})

test('pages of a terminal of 0 columns are those of 80', async () => {
  await expect(captureOf(pageWidth(0))).toMatchFileSnapshot('captures/80.txt')
})

describe.each([40, 53, 60, 80, 120, 200])('at %i columns', (columns) => {
  test('no line is wider than the terminal', () => {
    const wide = sampleCommands.flatMap((command) =>
      [shortPage, answerPage]
        .flatMap((page) => linesOf(command, columns, false, page))
        .filter((line) => cellWidth(line) > columns),
    )
    expect(wide).toEqual([])
  })

  test('colours change nothing but colours', () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is taken out
    const plain = (lines: readonly string[]) => lines.map((line) => line.replace(/\x1b\[\d+m/g, ''))
    for (const command of sampleCommands)
      expect(plain(linesOf(command, columns, true))).toEqual(linesOf(command, columns, false))
  })
})
