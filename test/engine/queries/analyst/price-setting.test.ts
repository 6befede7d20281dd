import { beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '../../../../engine/index.ts'
import { priceSettingOf } from '../../../../engine/statistics/price-setting.ts'
import { ask, planOf } from '../../../support/ask.ts'
import { givenEngine } from '../../../support/given.ts'
import { addDays } from '../../../support/oracle.ts'
import { regularPrices } from '../../../support/oracle-setting.ts'
import { listing, type Observation } from '../../../support/rows.ts'
import { because, beyondVector, noVectors } from '../../../support/vectors.ts'

type SaleCase = { name: string; observations: [day: number, price: number][]; regular: number[] }
type Panel = {
  panel_cents: Record<string, Record<string, number>>
  counts: [period: number, size: number, n: number][]
  expected: Record<string, number>
}

const row = (shelf: string, id: string, day: string, price: number): Observation => ({
  listing: listing(id, { shelf: ['Vectors', shelf] }),
  observed_at: `${day}T12:00:00Z`,
  price,
})
const months = ['2026-05', '2026-06', '2026-07', '2026-08', '2026-09']

describe.skipIf(noVectors)(`price-setting of known prices${because}`, () => {
  const { cases } = noVectors ? { cases: [] as SaleCase[] } : beyondVector<{ cases: SaleCase[] }>('sales_filter')
  const panel = noVectors ? undefined : beyondVector<Panel>('price_setting')
  let engine: Engine
  beforeAll(async () => {
    engine = await givenEngine(
      [
        ...cases.flatMap(({ name, observations }) =>
          observations.map(([day, price]) => row('Sales', name, addDays('2026-04-30', day), price)),
        ),
        ...Object.entries(panel!.panel_cents).flatMap(([id, prices]) =>
          Object.entries(prices).map(([period, price]) => row('Panel', id, `${months[Number(period)]}-10`, price)),
        ),
      ],
      // Its statements read files, which an engine over a cluster has not.
      { as_of: new Date('2026-10-01T00:00:00Z'), cluster: undefined },
    )
  })
  const bindingsOf = async (category: string) =>
    (await planOf(engine, 'analyst/price-setting', { category, months: 5 })).bindings

  test('what is a sale, and what a listing costs without', async () => {
    const rows = await engine.rows(
      `SELECT product_id AS name, list(regular ORDER BY day) AS regular
       FROM regular_price JOIN listing USING (listing_id) GROUP BY product_id`,
      await bindingsOf('Vectors > Sales'),
    )
    const expected = Object.fromEntries(cases.map(({ name, regular }) => [name, regular]))
    expect(
      Object.fromEntries(rows.map(({ name, regular }) => [name, (regular as { items: number[] }).items ?? regular])),
    ).toEqual(expected)
    for (const { observations, regular } of cases)
      expect(regularPrices(observations.map(([day, price]) => ({ day: addDays('2026-01-01', day), price })))).toEqual(
        regular,
      )
  })

  test('which prices changed from one month to the next, and by how much', async () => {
    const rows = await engine.rows(
      `SELECT month(DATE '1970-01-01' + period::INTEGER)::INTEGER - 5 AS period, CASE WHEN is_rise OR NOT is_changed THEN size ELSE -size END AS size,
              count(*)::INTEGER AS n
       FROM price_change WHERE NOT is_regular GROUP BY ALL ORDER BY ALL`,
      await bindingsOf('Vectors > Panel'),
    )
    expect(rows.map(({ period, size, n }) => [period, size, n])).toEqual(panel!.counts)
    const sized = (sign: number) => {
      const sizes = new Map<number, number>()
      for (const [, size, n] of panel!.counts)
        if (Math.sign(size) === sign) sizes.set(sign * size, (sizes.get(sign * size) ?? 0) + n)
      return sizes
    }
    const pairs = panel!.counts.reduce((sum, [, , n]) => sum + n, 0)
    const counts = { pairs, rises: sized(1), falls: sized(-1) }
    for (const [name, value] of Object.entries(priceSettingOf(counts)))
      expect(value).toBeCloseTo(panel!.expected[name]!, 9)
    const answer = await ask(engine, 'analyst/price-setting', { category: 'Vectors > Panel', months: 5 })
    expect(answer.posted).toMatchObject({ pair_count: 13, increase_count: 4, decrease_count: 2, frequency_pct: null })
  })
})
