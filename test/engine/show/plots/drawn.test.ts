import { afterAll, beforeAll, expect, test } from 'vitest'
import { Engine, type Plot, plotsOf } from '../../../../engine/index.ts'
import {
  type Answer,
  brandBreakdown,
  inflation,
  priceDispersion,
  priceHistory,
  retailerIndex,
  shareOfShelf,
} from '../../../../engine/library.ts'
import { sampleLake } from '../../../support/given.ts'
import { originOf, parseSvg, type SvgElement, within } from '../../../support/svg.ts'

type History = Answer<typeof priceHistory>

let engine: Engine
let trend: Answer<typeof inflation>
beforeAll(async () => {
  const { lake, as_of } = await sampleLake()
  engine = await Engine.open(lake, { as_of })
  trend = await engine.ask(inflation, { category: 'electronics', days: 365 })
})
afterAll(() => engine.close())

const SIGN = /^([+−]?)(?:C?\$)?([\d,.]+)%?$/
const figureOf = (label: string): number | null => {
  const [, sign, digits] = SIGN.exec(label) ?? []
  return digits === undefined ? null : Number(digits.replaceAll(',', '')) * (sign === '−' ? -1 : 1)
}

/** The values at heights, by the two outermost labels of the y axis; labels of figures are elsewhere. */
const scaleOf = (svg: SvgElement): ((y: number) => number) => {
  const labels = within(svg).flatMap((element) => {
    const value = element.name === 'text' && element.children.length === 0 ? figureOf(element.text) : null
    const [x, y] = originOf(element)
    return value === null || x > 60 ? [] : [{ value, y }]
  })
  const [a, b] = [labels[0]!, labels.at(-1)!]
  return (y) => a.value + ((y - a.y) * (b.value - a.value)) / (b.y - a.y)
}

const pathsOf = (svg: SvgElement, is: (attributes: SvgElement['attributes']) => boolean): [number, number][][] =>
  within(svg)
    .filter(({ name }) => name === 'path')
    .filter((element) => is({ ...element.parent?.attributes, ...element.attributes }))
    .map(({ attributes }) =>
      [...attributes.d!.matchAll(/(-?[\d.]+),(-?[\d.]+)/g)].map(
        ([, x, y]) => [Number(x), Number(y)] as [number, number],
      ),
    )

/** How far a tenth of a pixel is, in values. */
const tolerance = (scale: (y: number) => number): number => Math.abs(scale(0) - scale(0.2))

const expectNear = (actual: readonly number[], expected: readonly number[], within: number): void => {
  expect(actual).toHaveLength(expected.length)
  for (const [i, value] of expected.entries()) expect(Math.abs(actual[i]! - value)).toBeLessThan(within)
}

const widthsOf = ({ wide, narrow }: Plot): SvgElement[] => [parseSvg(wide), parseSvg(narrow)]

test('the band of the like-for-like change has the bounds of the answer, and the line its changes', async () => {
  const [plot] = await plotsOf(inflation, trend)
  const points = trend.time_series.map(({ lfl }) => lfl ?? { change_pct: 0, low: 0, high: 0 })
  for (const svg of widthsOf(plot!)) {
    const scale = scaleOf(svg)
    const valuesOf = (path: [number, number][]) => path.map(([, y]) => scale(y))
    const [band] = pathsOf(svg, ({ 'fill-opacity': opacity }) => opacity === '0.17')
    const bounds = [...points.map(({ high }) => high!), ...points.map(({ low }) => low!).reverse()]
    expectNear(valuesOf(band!), bounds, tolerance(scale))
    const [line] = pathsOf(svg, ({ 'stroke-width': width }) => width === '2.3')
    expectNear(
      valuesOf(line!),
      points.map(({ change_pct }) => change_pct!),
      tolerance(scale),
    )
    const label = within(svg)
      .filter(({ name }) => name === 'tspan')
      .map(({ text }) => text)
    expect(label).toContain(`+${trend.lfl_change_pct!.toFixed(2)}%`)
  }
})

test('the interval of a method is where its axis says', async () => {
  const plots = await plotsOf(inflation, trend)
  const svg = parseSvg(plots[2]!.wide)
  const ticks = within(svg).flatMap((element) => {
    const isTick = element.name === 'text' && /^([+−]\d+|0)%$/.test(element.text)
    return isTick ? [{ value: figureOf(element.text)!, x: originOf(element)[0] }] : []
  })
  const [a, b] = [ticks[0]!, ticks.at(-1)!]
  const valueAt = (x: number) => a.value + ((x - a.x) * (b.value - a.value)) / (b.x - a.x)
  const [bar] = within(svg).filter(
    (element) => element.name === 'line' && element.parent?.attributes['stroke-opacity'] === '0.35',
  )
  const { low, high } = trend.lfl_ci!
  expectNear([valueAt(Number(bar!.attributes.x1)), valueAt(Number(bar!.attributes.x2))], [low, high], 0.02)
})

const gappy = (answer: Answer<typeof inflation>, left: readonly number[]): Answer<typeof inflation> => ({
  ...answer,
  time_series: answer.time_series.filter((_, i) => !left.includes(i)),
})

test('a period without observations breaks the line, and so does a withheld value', async () => {
  const [whole] = await plotsOf(inflation, trend)
  expect(whole!.key.map(({ text }) => text).join()).not.toContain('dotted')
  for (const answer of [
    gappy(trend, [5, 6]),
    {
      ...trend,
      time_series: trend.time_series.map((point, i) =>
        i === 5 ? { ...point, lfl: { change_pct: null, low: null, high: null, matched: 3 } } : point,
      ),
    },
  ]) {
    const [plot] = await plotsOf(inflation, answer)
    expect(plot!.key.map(({ text }) => text).join()).toContain('dotted')
    const [line] = within(parseSvg(plot!.wide)).filter(
      ({ name, parent }) => name === 'path' && parent?.attributes['stroke-width'] === '2.3',
    )
    expect(line!.parent!.children).toHaveLength(2)
  }
})

test('a withheld headline is a dash with the reason, never zero', async () => {
  const withheld = {
    ...trend,
    lfl_change_pct: null,
    lfl_ci: null,
    lfl_variants: null,
    lfl_note: 'Only 2 products were priced in both.',
    time_series: trend.time_series.map((point) => ({ ...point, lfl: null })),
  }
  const plots = await plotsOf(inflation, withheld)
  expect(plots.map(({ title }) => title)).not.toContain('Does the choice of method matter?')
  expect(plots[0]!.note).toContain('Only 2 products')
  const texts = within(parseSvg(plots[0]!.wide)).map(({ text }) => text)
  expect(texts).toContain('Like-for-like–')
})

const indexPoints = (count: number, value: (i: number) => number): Answer<typeof retailerIndex>['time_series'] =>
  Array.from({ length: count }, (_, i) => ({
    ...trend.time_series[0]!,
    date: new Date(Date.UTC(2025, 0, 1 + i)).toISOString().slice(0, 10),
    partial: false,
    price_index: value(i),
    matched_price_index: i % 7 === 3 ? null : value(i),
    matched_entities: 4,
    likely_price_index: i % 7 === 3 ? null : value(i),
    likely_pairs: 6,
  }))

const indexAnswer = (time_series: Answer<typeof retailerIndex>['time_series']) => ({
  ...trend,
  retailer: 'kettlecart',
  window: { ...trend.window, granularity: 'daily' as const },
  time_series,
})

test.each([2, 3, 12, 60, 400])('%i points are all drawn', async (count) => {
  const answer = indexAnswer(indexPoints(count, (i) => 1 + Math.sin(i) / 10))
  const [plot] = await plotsOf(retailerIndex, answer)
  for (const svg of widthsOf(plot!)) {
    const lines = pathsOf(svg, ({ 'stroke-dasharray': dashes }) => dashes === '5 4')
    expect(lines.flat()).toHaveLength(count)
    const scale = scaleOf(svg)
    expectNear(
      lines.flat().map(([, y]) => scale(y)),
      answer.time_series.map(({ price_index }) => price_index!),
      tolerance(scale),
    )
  }
})

test('products that are likely the same have a line where they change the index', async () => {
  const points = indexPoints(12, (i) => 1 + Math.sin(i) / 10)
  const likely = points.map((point, i) => ({ ...point, likely_price_index: 1.2 + i / 100 }))
  const [[without], [plot]] = [
    await plotsOf(retailerIndex, indexAnswer(points)),
    await plotsOf(retailerIndex, indexAnswer(likely)),
  ]
  expect(plot!.wide).toContain('Likely the same')
  expect(without!.wide).not.toContain('Likely the same')
  const svg = plot!.wide
  const drawn = pathsOf(parseSvg(svg), ({ 'stroke-dasharray': dashes }) => dashes === '5 4').flat()
  const scale = scaleOf(parseSvg(svg))
  expectNear(
    drawn.slice(12).map(([, y]) => scale(y)),
    likely.map(({ likely_price_index }) => likely_price_index),
    tolerance(scale),
  )
})

test('a single period, equal prices and an empty table are no plot', async () => {
  expect(
    await plotsOf(
      inflation,
      gappy(
        trend,
        trend.time_series.map((_, i) => i + 1),
      ),
    ),
  ).toEqual([])
  const dispersion = await engine.ask(priceDispersion, { category: 'coffee' })
  expect(await plotsOf(priceDispersion, { ...dispersion, price_histogram: [{ bin: '5.00-5.00', count: 4 }] })).toEqual(
    [],
  )
  const breakdown = await engine.ask(brandBreakdown, { brand: 'Wilwood' })
  expect(await plotsOf(brandBreakdown, { ...breakdown, breakdown: [] })).toEqual([])
})

test('buckets and percentiles are where the prices are', async () => {
  const answer = await engine.ask(priceDispersion, { category: 'coffee', country: 'ca' })
  const [plot] = await plotsOf(priceDispersion, answer)
  expect(plot!.unit).toContain('CAD, Canada')
  expect(plot!.wide).toContain(`C$${answer.percentiles.p50!.toFixed(2)}`)
  const svg = parseSvg(plot!.wide)
  const bars = within(svg).filter(
    ({ name, parent }) => name === 'rect' && parent?.attributes['fill-opacity'] === '0.75',
  )
  expect(bars).toHaveLength(answer.price_histogram.length)
  const highest = Math.max(...answer.price_histogram.map(({ count }) => count))
  const heights = bars.map(({ attributes }) => Number(attributes.height))
  for (const [i, { count }] of answer.price_histogram.entries())
    expect(heights[i]! / Math.max(...heights)).toBeCloseTo(count / highest, 2)
})

test('names are escaped, cut and given in full, whatever they are', async () => {
  const names = [
    '<script>alert("1")</script> & Sons',
    `${'Very long brand name '.repeat(20)}`,
    'tab\tbell\u0007 lone \ud800 surrogate\u202e \uffff',
    '日本語の長い名前'.repeat(8),
    '👩‍👩‍👧‍👦'.repeat(40),
    '" onload="x',
    '',
  ]
  const answer = await engine.ask(shareOfShelf, { category: 'coffee' })
  const brands = names.map((brand, i) => ({ brand, product_count: 10 - i, share_pct: 20 - i }))
  const [plot] = await plotsOf(shareOfShelf, { ...answer, brands })
  for (const svg of widthsOf(plot!)) {
    expect(within(svg).map(({ name }) => name)).not.toContain('script')
    const titles = within(svg).filter(({ name }) => name === 'title')
    expect(titles.map(({ text }) => text)).toContain('Very long brand name '.repeat(20).trim())
    const texts = within(svg)
      .filter(({ name }) => name === 'text')
      .map(({ text }) => text)
    expect(texts.some((text) => text.startsWith('Very long') && text.includes('…'))).toBe(true)
  }
})

test('prices are steps from zero, a line for each of at most six retailers, named at its end', async () => {
  const answer = await engine.ask(priceHistory, { q: 'nimbus laptop', days: 365, granularity: 'weekly' })
  const [plot] = await plotsOf(priceHistory, answer)
  const labelsOf = (svg: string) => within(parseSvg(svg)).map(({ text }) => text)
  const labels = labelsOf(plot!.wide)
  expect(labels).toContain('$0')
  expect(labels.join()).toContain(`Lowest $${answer.lowest_seen.toLocaleString('en-US', { minimumFractionDigits: 2 })}`)
  expect(answer.offers.length).toBeGreaterThan(1)
  for (const { retailer } of answer.offers) expect(labels).toContain(retailer)
  expect(plot!.key.map(({ text }) => text)).not.toContain('other listings')

  const [offer] = answer.offers
  const offers = Array.from({ length: 8 }, (_, i) => ({ ...offer!, product_uid: `p_${i}`, retailer: `shop${i}` }))
  const [crowded] = await plotsOf(priceHistory, { ...answer, offers })
  expect(crowded!.key.map(({ text }) => text)).toContain('other listings')
  expect(labelsOf(crowded!.wide).filter((text) => /^shop\d$/.test(text))).toHaveLength(6)
})

test('the end of a price says when it stood last, unless that is now', async () => {
  const answer = await engine.ask(priceHistory, { q: 'nimbus laptop', days: 60 })
  const [offer] = answer.offers
  const unseen = { date: '2026-11-10', price: null, list_price: null, in_stock: null, promo_flag: null }
  const endTexts = async (changes: History['offers'][number]['changes']) => {
    const [plot] = await plotsOf(priceHistory, { ...answer, offers: [{ ...offer!, changes }] })
    return within(parseSvg(plot!.wide)).map(({ text }) => text)
  }
  expect((await endTexts(offer!.changes)).some((text) => text.endsWith(' now'))).toBe(true)
  // During a day, which the window includes.
  const noon = await engine.ask(
    priceHistory,
    { q: 'nimbus laptop', days: 60 },
    { now: new Date('2026-11-20T12:00:00Z') },
  )
  const [midday] = await plotsOf(priceHistory, noon)
  expect(within(parseSvg(midday!.wide)).filter(({ text }) => text.endsWith(' now')).length).toBeGreaterThan(0)
  const labels = await endTexts([...offer!.changes.filter(({ date }) => date < unseen.date), unseen])
  expect(labels.some((text) => text.endsWith(' now'))).toBe(false)
  expect(labels.some((text) => text.endsWith('9 Nov 2026'))).toBe(true)
})
