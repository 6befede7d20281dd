import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '../../engine/index.ts'
import { ask } from '../support/ask.ts'
import { ensureLake, openEngine } from '../support/given.ts'
import { listingDays } from '../support/oracle.ts'
import { shrinkflation } from '../support/oracle-sizes.ts'
import { resized, sizeOf } from '../support/resized.ts'
import { feedRow } from '../support/rows.ts'
import { answerOr, type Scope, scopes } from '../support/world-queries.ts'
import { worldOf, worldSeeds } from '../support/worlds.ts'

const monthStart = (as_of: string, back: number): string => {
  const at = new Date(as_of)
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - back)).toISOString().slice(0, 10)
}

type Row = Record<string, unknown>
const without = ({ retailer: _, ...figures }: Row): Row => figures

describe.each(worldSeeds)('in the random world of seed %i', (seed) => {
  const rows = resized(worldOf(seed), seed)
  const days = listingDays(rows)
  let engine: Engine
  beforeAll(async () => {
    engine = await openEngine((await ensureLake({ observations: rows.map(feedRow) })).lake)
  })

  test('shrinkflation equals its definition', async () => {
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(scopes, fc.integer({ min: 2, max: 6 }), async (scope: Scope, months) => {
        const { shelf, country, as_of } = scope
        const params = { category: shelf.join(' > '), country, months }
        const answer = await answerOr(ask(engine, 'analyst/shrinkflation', params, as_of))
        const [from, second, to] = [months, months - 1, 0].map((back) => monthStart(as_of, back)) as [
          string,
          string,
          string,
        ]
        const figures = shrinkflation(days, { shelf, country, as_of, from, second, to }, sizeOf)
        if (figures === null) {
          expect(answer).toBe('NO_RESULTS')
          return
        }
        const { kinds, retailers, size_changes, ...rest } = answer as Row &
          Record<'kinds' | 'retailers' | 'size_changes', Row[]>
        const { size_changes: changes, kinds: kindsOf, retailers: retailersOf, ...totals } = figures
        expect(rest).toMatchObject(totals)
        expect(
          Object.fromEntries(kinds.map((row) => [row.kind, [row.change_count, row.mean_size_change_pct]])),
        ).toEqual(kindsOf)
        expect(Object.fromEntries(retailers.map((row) => [row.retailer, without(row)]))).toEqual(retailersOf)
        const lines = size_changes.map((row) =>
          [
            ...[row.date, row.retailer, row.previous_date, row.previous_size, row.size],
            ...[row.previous_price, row.price, row.kind],
          ].join(' '),
        )
        if (changes.length <= 100) expect(lines.sort()).toEqual(changes)
        for (const { kind } of kinds) seen.add(String(kind))
      }),
      { seed, numRuns: 40 },
    )
    expect(seen.size).toBeGreaterThan(5)
  })
})
