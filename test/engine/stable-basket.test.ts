import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { run } from '../ingest/feeds.ts'
import { ask, type Given } from '../support/ask.ts'
import { isFullSize } from '../support/full-size.ts'
import { openEngine } from '../support/given.ts'

const shared = new URL('../../../shared/data/', import.meta.url).pathname
const isThere = existsSync(shared)
if (!isThere) console.warn(`skipped: no real price data in ${shared}`)

const mappingOf = (name: string): string => new URL(`../../data/mappings/${name}.json`, import.meta.url).pathname

type Point = Record<'product_count' | 'avg_price' | 'stable_avg_price', number> & { period: string }

/** The weekly points of a grocery query over a real folder, as of a moment after its data. */
const weeksOf = async (name: string, as_of: string, more: Given): Promise<Map<string, Point>> => {
  const { lake } = await run(`${shared}${name}`, { mappings: [mappingOf(name)], memory_limit: '1GiB' })
  const engine = await openEngine(lake, { as_of: new Date(as_of) })
  const params = { category: 'Grocery', country: 'ca', granularity: 'weekly', ...more }
  const { time_series } = await ask(engine, 'analyst/inflation', params)
  return new Map(time_series.map((point: Point) => [point.period, point]))
}

/** The greatest change from one week to the next, in per cent of the week before. */
const greatestMove = (points: readonly Point[], figure: 'avg_price' | 'stable_avg_price'): number =>
  Math.max(...points.slice(1).map((point, i) => Math.abs(100 * (point[figure] / points[i]![figure] - 1))))

const between = (weeks: Map<string, Point>, first: string, last: string): Point[] =>
  [...weeks.values()].filter(({ period }) => period >= first && period <= last)

describe.skipIf(!isThere)('the stable basket follows prices rather than the panel', () => {
  test('when a grocer enters on 28 September 2024', async () => {
    const weeks = await weeksOf('ca_hammer_items', '2024-11-27', { from: '2024-08-05', to: '2024-11-25' })
    const [before, entry] = [weeks.get('2024-W38')!, weeks.get('2024-W39')!]
    expect(entry.product_count).toBeGreaterThan(1.25 * before.product_count)
    expect(greatestMove([before, entry], 'avg_price')).toBeGreaterThan(5)
    expect(greatestMove([before, entry], 'stable_avg_price')).toBeLessThan(0.5)
  })

  // From 13 September prices are of single units, before it of the offer (2 for $7): the weeks after it are comparable.
  test.runIf(isFullSize)('when the scrape of a grocer grows from 3,500 to 5,500 products in a week', async () => {
    const params = { retailer: 'loblaws', from: '2024-09-16', to: '2024-10-14' }
    const weeks = await weeksOf('ca_hammer_promo', '2024-11-13', params)
    expect(weeks.get('2024-W39')!.product_count).toBeGreaterThan(1.5 * weeks.get('2024-W38')!.product_count)
    const growing = between(weeks, '2024-W38', '2024-W41')
    expect(greatestMove(growing, 'avg_price')).toBeGreaterThan(7)
    expect(greatestMove(growing, 'stable_avg_price')).toBeLessThan(1.5)
  })
})
