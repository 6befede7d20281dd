import type { KeyEntry, Plot } from './plot.ts'
import { WIDE } from './plot.ts'
import { textWidth, wrapped } from './text.ts'
import { escaped } from './xml.ts'

/** The colours of the pages, for light and dark. */
const COLOURS: Record<string, readonly [light: string, dark: string]> = {
  paper: ['#fdfdfb', '#131619'],
  ink: ['#1b1e22', '#e7e6e1'],
  muted: ['#575d64', '#a4aab1'],
  grid: ['#e6e6e0', '#272c31'],
  hatch: ['#ebeae3', '#23282c'],
  accent: ['#0a5a9c', '#74b6f2'],
  second: ['#a8480a', '#f0a05c'],
  green: ['#23734a', '#6fcf97'],
  violet: ['#8a3a8f', '#d6a0e2'],
  olive: ['#6f6400', '#d3c452'],
  grey: ['#7a7f85', '#8e959c'],
}

// Attributes hold the light colours, so that programs without style sheets draw the plots, too.
const coloured = (svg: string): string => svg.replace(/var\(--(\w+)\)/g, (_, name: string) => COLOURS[name]![0])

/** The dark colours of those that a drawing has. */
const darkRules = (svg: string): string =>
  Object.entries(COLOURS)
    .filter(([name]) => svg.includes(`var(--${name})`))
    .flatMap(([, [light, dark]]) => [`[fill="${light}"]{fill:${dark}}`, `[stroke="${light}"]{stroke:${dark}}`])
    .join('')

const MARGIN = 24
const TITLE_SIZE = 16
const TEXT_SIZE = 13
const LINE_HEIGHT = 19
const PLOT_GAP = 44
const GLYPH_WIDTH = 16
const GLYPH_GAP = 6
const KEY_GAP = 18

/** A part of the file from the top downwards, and its height. */
type Block = { height: number; svg(top: number): string }

const textBlock = (text: string, fill: string, size = TEXT_SIZE, weight = ''): Block => {
  const lines = wrapped(text, size, WIDE)
  const lineHeight = (LINE_HEIGHT * size) / TEXT_SIZE
  return {
    height: lines.length * lineHeight,
    svg: (top) =>
      lines
        .map((line, i) => {
          const y = Math.round(top + i * lineHeight + size)
          return `<text x="${MARGIN}" y="${y}" font-size="${size}"${weight} fill="var(--${fill})">${escaped(line)}</text>`
        })
        .join(''),
  }
}

const glyphs: Record<KeyEntry['mark'], (x: number, y: number, colour: string) => string> = {
  line: (x, y, colour) => `<path d="M${x},${y}h${GLYPH_WIDTH}" stroke="${colour}" stroke-width="2.25"/>`,
  dashed: (x, y, colour) =>
    `<path d="M${x},${y}h${GLYPH_WIDTH}" stroke="${colour}" stroke-width="1.5" stroke-dasharray="5 4"/>`,
  band: (x, y, colour) =>
    `<rect x="${x}" y="${y - 5}" width="${GLYPH_WIDTH}" height="10" fill="${colour}" fill-opacity="0.17"/>`,
  bar: (x, y, colour) =>
    `<rect x="${x}" y="${y - 5}" width="${GLYPH_WIDTH}" height="10" fill="${colour}" fill-opacity="0.8"/>`,
  dot: (x, y, colour) => `<circle cx="${x + GLYPH_WIDTH / 2}" cy="${y}" r="4.5" fill="${colour}"/>`,
  hollow: (x, y, colour) =>
    `<circle cx="${x + GLYPH_WIDTH / 2}" cy="${y}" r="4" fill="var(--paper)" stroke="${colour}" stroke-width="1.75"/>`,
  hatch: (x, y) =>
    `<path d="M${x},${y + 5}l10,-10M${x + 6},${y + 5}l10,-10" stroke="var(--hatch)" stroke-width="2"/>` +
    `<rect x="${x}" y="${y - 5}" width="${GLYPH_WIDTH}" height="10" fill="none" stroke="var(--grid)"/>`,
}

const keyBlock = (key: readonly KeyEntry[]): Block => {
  let [x, row] = [0, 0]
  const placed = key.map((entry) => {
    const width = GLYPH_WIDTH + GLYPH_GAP + textWidth(entry.text, TEXT_SIZE) + KEY_GAP
    if (x > 0 && x + width > WIDE) [x, row] = [0, row + 1]
    const placed = { ...entry, x: Math.round(MARGIN + x), row }
    x += width
    return placed
  })
  return {
    height: key.length === 0 ? 0 : (row + 1) * LINE_HEIGHT + 4,
    svg: (top) =>
      placed
        .map(({ mark, colour, text, x, row }) => {
          const y = Math.round(top + row * LINE_HEIGHT + LINE_HEIGHT / 2)
          const textX = x + GLYPH_WIDTH + GLYPH_GAP
          return `${glyphs[mark](x, y, `var(--${colour})`)}<text x="${textX}" y="${y + 4}" font-size="${TEXT_SIZE}" fill="var(--muted)">${escaped(text)}</text>`
        })
        .join(''),
  }
}

/** Its texts may reach into the margin, where letters are wider than reckoned. */
const drawingBlock = ({ wide }: Plot): Block => ({
  height: Number(/ height="(\d+)"/.exec(wide)?.[1] ?? 0) + 12,
  svg: (top) => wide.replace('<svg class="wide"', `<svg x="${MARGIN}" y="${Math.round(top + 8)}" overflow="visible"`),
})

const blocksOf = (plot: Plot): Block[] => [
  textBlock(plot.title, 'ink', TITLE_SIZE, ' font-weight="600"'),
  textBlock(plot.unit, 'muted'),
  keyBlock(plot.key),
  drawingBlock(plot),
  ...(plot.note === undefined ? [] : [textBlock(plot.note, 'muted')]),
  { height: PLOT_GAP, svg: () => '' },
]

/**
 * All plots of an answer as one SVG file that needs nothing else: titles, units, keys and notes are texts, and colours are
 * light or dark as the reader prefers. `source` is a line below the plots, such as the query and its snapshot.
 */
export const svgFile = (plots: readonly Plot[], source = ''): string => {
  let top = MARGIN
  const parts = [...plots.flatMap(blocksOf), ...(source === '' ? [] : [textBlock(source, 'muted')])].map(
    ({ height, svg }) => {
      const part = svg(top)
      top += height
      return part
    },
  )
  const [width, height] = [WIDE + 2 * MARGIN, Math.round(top + MARGIN / 2)]
  const head =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
    'font-family="-apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif">'
  const body = `<rect width="${width}" height="${height}" fill="var(--paper)"/>${parts.join('\n')}`
  const style = `<style>@media (prefers-color-scheme:dark){${darkRules(body)}}</style>`
  const title = `<title>${escaped(plots.map((plot) => plot.title).join('; '))}</title>`
  return `${head}${title}${style}${coloured(body)}</svg>\n`
}
