import { describe, expect, test } from 'vitest'
import { runCommand } from '../../ingest/cli/commands.ts'
import { figuresOf } from '../../ingest/impact/figures.ts'
import { impactOf } from '../../ingest/impact/impact.ts'
import { refreshed, temporaryFolder } from '../support/given.ts'
import { feedRow, listing, observed } from '../support/rows.ts'

const days = ['2026-09-01', '2026-09-15', '2026-10-01', '2026-10-15', '2026-10-31']

/** Prices of twelve listings that rise by a tenth in October; of the first `late` ones a lower price, too, in its middle. */
const observations = (late = 0) =>
  Array.from({ length: 12 }, (_, i) =>
    observed(
      listing(`l${i}`, { shelf: ['Grocery', 'Tea'], platform: 'alpha', product_name: `Tea ${i}` }),
      Object.fromEntries(
        days.map((day, place) => [day, 1000 + 10 * i + (place > 1 ? 100 : 0) - (i < late && place === 3 ? 300 : 0)]),
      ),
    ),
  )
    .flat()
    .map(feedRow)

const twoSnapshots = async (late: number) => {
  const lake = `${await temporaryFolder()}/lake`
  const first = await refreshed(lake, { observations: observations() })
  const more = observed(listing('l0', { shelf: ['Grocery', 'Tea'], platform: 'alpha', product_name: 'Tea 0' }), {
    '2026-11-10': 5000,
  }).map(feedRow)
  const revised = observations(late).map((row) =>
    'scraped_at' in row ? row : { ...row, scraped_at: '2026-11-12T00:00:00Z' },
  )
  const second = await refreshed(lake, { observations: late > 0 ? revised : more })
  return { lake, before: first.snapshot_id!, after: second.snapshot_id! }
}

describe('the impact of a refresh', () => {
  test('on a moment that its rows come after is none', async () => {
    const { lake, before, after } = await twoSnapshots(0)
    const impact = await impactOf(lake)
    expect(impact).toMatchObject({ before, after, as_of: '2026-11-01T00:00:00Z', differences: [] })
    const compared = impact.statistics.map(({ query, compared }) => [query, compared > 0])
    expect(Object.fromEntries(compared)).toMatchObject({ 'analyst/inflation': true, 'analyst/price-index': true })
  })

  test('of rows that arrive late is each figure that they alter', async () => {
    const { lake, before, after } = await twoSnapshots(4)
    const { differences } = await impactOf(lake, { before, after })
    expect(differences.length).toBeGreaterThan(0)
    const { text, result } = await runCommand({ json: false }, lake, ['impact', before, after])
    expect(result).toMatchObject({ differences })
    expect(text).toMatch(/^as of 2026-11-01T00:00:00Z, \d+ of [\d,]+ figures differ between /)
    expect(text).toContain('analyst/category-summary')
  })

  test('of a snapshot that is not there is refused with those that are', async () => {
    const { lake, before } = await twoSnapshots(0)
    await expect(impactOf(lake, { before: '000009-x' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining(before),
    })
    await expect(impactOf(lake, { after: before })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

test('a figure of a list is that of the row with its texts, wherever that is', () => {
  const [a, b] = [
    { retailer: 'a', price: 1 },
    { retailer: 'b', price: null },
  ]
  const figures = figuresOf({ meta: { n: 1 }, total: 2, rows: [a, b], counts: [3, 4] })
  expect(Object.fromEntries(figures)).toEqual({
    total: 2,
    'rows[a].price': 1,
    'rows[b].price': null,
    'counts[1]': 3,
    'counts[2]': 4,
  })
  expect(figuresOf({ rows: [b, a] }).get('rows[a].price')).toBe(1)
  const buckets = figuresOf({ sizes: [{ from_pct: 50, to_pct: null, count: 3 }] })
  expect(buckets.get('sizes[50..above].count')).toBe(3)
})
