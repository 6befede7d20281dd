import { beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '../../../../engine/index.ts'
import { ask } from '../../../support/ask.ts'
import { givenEngine } from '../../../support/given.ts'
import { addDays, pct, quantile7 } from '../../../support/oracle.ts'
import { listing } from '../../../support/rows.ts'
import { because, beyondVector, noVectors } from '../../../support/vectors.ts'

type Episode = { start_known: boolean; days: number | null; before: number | null; after: number | null }
type Case = {
  name: string
  observations: [day: number, price: number, in_stock: boolean | null][]
  out_of_stock_rate_pct: number
  episodes: Episode[]
}

describe.skipIf(noVectors)(`availability of known listings${because}`, () => {
  const { cases } = noVectors ? { cases: [] as Case[] } : beyondVector<{ cases: Case[] }>('stock')
  let engine: Engine
  beforeAll(async () => {
    const rows = cases.flatMap(({ name, observations }) =>
      observations.map(([day, price, in_stock]) => ({
        listing: listing(name, { shelf: ['Vectors', name.replaceAll('_', ' ')] }),
        observed_at: `${addDays('2026-10-31', day)}T12:00:00Z`,
        price,
        in_stock: in_stock ?? undefined,
      })),
    )
    engine = await givenEngine(rows, { as_of: new Date('2026-11-20T00:00:00Z') })
  })

  test.each(cases)('$name', async ({ name, out_of_stock_rate_pct, episodes }) => {
    const answer = await ask(engine, 'analyst/availability', { category: `Vectors > ${name.replaceAll('_', ' ')}` })
    const lengths = episodes.flatMap(({ days }) => days ?? [])
    const both = episodes.filter(({ before, after }) => before !== null && after !== null)
    expect(answer).toMatchObject({
      out_of_stock_pct: pct(out_of_stock_rate_pct),
      episode_count: episodes.length,
      start_seen_count: episodes.filter(({ start_known }) => start_known).length,
      back_count: lengths.length,
      median_days_to_restock: lengths.length === 0 ? null : quantile7(lengths, 0.5),
      higher_price_count: both.filter(({ before, after }) => after! > before!).length,
      lower_price_count: both.filter(({ before, after }) => after! < before!).length,
    })
  })
})
