import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Engine, type Plot, plotsOf, queries, queryId, svgFile } from '../../../../engine/index.ts'
import { unplotted } from '../../../../engine/show/plots/unplotted.ts'
import { ask } from '../../../support/ask.ts'
import { sampleLake } from '../../../support/given.ts'
import { type SampleCommand, sampleCommands } from '../../../support/sample-commands.ts'
import { parseSvg, type SvgElement, type TextBox, textBoxes, within } from '../../../support/svg.ts'

let engine: Engine
const answers = new Map<SampleCommand, unknown>()
const drawings = new Map<SampleCommand, readonly Plot[]>()
beforeAll(async () => {
  const { lake, as_of } = await sampleLake()
  engine = await Engine.open(lake, { as_of })
  for (const command of sampleCommands) {
    const answer = await ask(engine, command.id, command.given)
    answers.set(command, answer)
    drawings.set(command, await plotsOf(command.query, answer))
  }
})
afterAll(() => engine.close())

const plotted = sampleCommands.filter(({ id }) => !unplotted.has(id))
const cases = plotted.map((command) => [command.argv.join(' '), command] as const)

/** From below the widths of the letters of usual fonts: a text that is too long by this is too long. */
const widthOf = (text: string): number =>
  [...text].reduce((sum, letter) => sum + (/[iljtfr]|[^\w+−%$]/.test(letter) ? 0.22 : 0.52), 0)

const bothOf = ({ wide, narrow }: Plot): [SvgElement, SvgElement] => [parseSvg(wide), parseSvg(narrow)]

const overlap = (a: TextBox, b: TextBox): boolean =>
  a.left < b.right && b.left < a.right && a.top + 1 < b.bottom && b.top + 1 < a.bottom

test('every query has a plot or a reason for none', async () => {
  for (const [command, plots] of drawings) expect(plots.length === 0, command.id).toBe(unplotted.has(command.id))
  for (const id of unplotted.keys()) expect(queries.map(queryId)).toContain(id)
})

describe.each(cases)('%s', (_, command) => {
  test('is well-formed, for any page and its policy', () => {
    for (const plot of drawings.get(command)!)
      for (const [kind, width, svg] of [
        ['wide', 772, parseSvg(plot.wide)],
        ['narrow', 354, parseSvg(plot.narrow)],
      ] as const) {
        expect(svg.attributes).toMatchObject({ class: kind, role: 'img', width: String(width) })
        expect(svg.attributes.viewBox).toBe(`0 0 ${width} ${svg.attributes.height}`)
        expect(svg.attributes['aria-label']).toMatch(/^[A-Z].*\.$/s)
        for (const { name, attributes } of within(svg).slice(1)) {
          expect(name).not.toBe('style')
          expect(Object.keys(attributes)).not.toContain('id')
          expect(Object.keys(attributes).filter((key) => /^(class|style|aria|on|href|xlink)/.test(key))).toEqual([])
          for (const key of ['fill', 'stroke'])
            if (attributes[key] && attributes[key] !== 'none') expect(attributes[key]).toMatch(/^var\(--[a-z]+\)$/)
        }
        expect(plot[kind]).not.toMatch(/NaN|Infinity|undefined|null|\[object/)
      }
  })

  test('says what is drawn, in which unit, and where', () => {
    for (const { title, unit, key, note = '' } of drawings.get(command)!) {
      expect(title).not.toBe('')
      if (!command.id.startsWith('public/') && !command.id.startsWith('social/'))
        expect(unit).toMatch(/United States|Canada/)
      for (const text of [title, unit, note, ...key.map((entry) => entry.text)])
        expect(text).not.toMatch(/NaN|undefined|null|Infinity| {2}|;\s*;/)
    }
  })

  test('has its labels within the drawing, and none over another', () => {
    for (const svg of drawings.get(command)!.flatMap(bothOf)) {
      const { width, height } = svg.attributes
      const boxes = textBoxes(svg, widthOf)
      expect(boxes.length).toBeGreaterThan(2)
      const outside = boxes.filter(
        ({ left, right, top, bottom }) =>
          left < -1 || top < -1 || right > Number(width) + 1 || bottom > Number(height) + 1,
      )
      expect(outside).toEqual([])
      const covered = boxes.flatMap((a, i) => boxes.slice(i + 1).flatMap((b) => (overlap(a, b) ? [[a, b]] : [])))
      expect(covered).toEqual([])
    }
  })

  test('has the same bytes each time', async () => {
    expect(await plotsOf(command.query, structuredClone(answers.get(command)))).toEqual(drawings.get(command))
  })

  test('is a file that needs nothing else', () => {
    const plots = drawings.get(command)!
    const file = svgFile(plots, 'Shelfmark')
    const svg = parseSvg(file.replace(/<style>.*?<\/style>/, ''))
    expect(svg.attributes.xmlns).toBe('http://www.w3.org/2000/svg')
    expect(file).not.toMatch(/var\(|href|@import|url\(|script/)
    const texts = within(svg).map(({ text }) => text)
    for (const { title } of plots) expect(texts.join(' ')).toContain(title.split(' ')[0])
    expect(svg.children.filter(({ name }) => name === 'svg')).toHaveLength(plots.length)
    const boxes = svg.children.filter(({ name }) => name === 'svg').map(({ attributes }) => attributes)
    for (const { y, height } of boxes) expect(Number(y) + Number(height)).toBeLessThan(Number(svg.attributes.height))
  })
})
