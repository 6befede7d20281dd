import { beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '../../../../engine/index.ts'
import { ask } from '../../../support/ask.ts'
import { givenEngine } from '../../../support/given.ts'
import { addDays, money, pct } from '../../../support/oracle.ts'
import { listing, type Observation } from '../../../support/rows.ts'
import { because, beyondVector, noVectors } from '../../../support/vectors.ts'

type Run = [first: number, last: number, price: number, list_price: number | null]
type Expected = {
  status: string
  start: number
  prior_lowest: number | null
  known_days: number
  claimed_pct: number
  real_pct: number | null
  at_or_above_low_pct: number
  at_or_above_high_pct: number
  ca_time_test: string
  new_listing: boolean
  start_known: boolean
  claim_days: number
  long_running: boolean
}
type Case = { name: string; observed_runs: Run[]; as_of: number; expected: Expected }

const dayOf = (number: number): string => addDays('2025-12-31', number)

const rowsOf = (name: string, runs: readonly Run[]): Observation[] =>
  runs.flatMap(([first, last, price, list_price]) =>
    Array.from({ length: last - first + 1 }, (_, i) => ({
      listing: listing(name, { product_name: `${name.replaceAll('_', ' ')} lamp` }),
      observed_at: `${dayOf(first + i)}T12:00:00Z`,
      price,
      list_price: list_price ?? undefined,
    })),
  )

describe.skipIf(noVectors)(`price-reality of known histories${because}`, () => {
  const { cases } = noVectors ? { cases: [] as Case[] } : beyondVector<{ cases: Case[] }>('price_reality')
  let engine: Engine
  beforeAll(async () => {
    engine = await givenEngine(cases.flatMap(({ name, observed_runs }) => rowsOf(name, observed_runs)))
  })

  test.each(cases)('$name', async ({ name, as_of, expected }) => {
    const moment = `${dayOf(as_of + 1)}T00:00:00Z`
    const answer = await ask(engine, 'shopper/price-reality', { q: `${name.replaceAll('_', ' ')} lamp` }, moment)
    expect(answer.verdict).toBe(expected.status)
    if (expected.status === 'no_claim') return
    expect(answer).toMatchObject({
      claimed_pct: pct(expected.claimed_pct),
      real_pct: pct(expected.real_pct),
      prior_low: money(expected.prior_lowest),
      prior_covered_days: expected.known_days,
      claim_from: dayOf(expected.start),
      claim_days: expected.claim_days,
      start_seen: expected.start_known,
      new_listing: expected.new_listing,
      long_running: expected.long_running,
      time_test: expected.ca_time_test,
      charged_low_pct: pct(expected.at_or_above_low_pct),
      charged_high_pct: pct(expected.at_or_above_high_pct),
    })
  })
})
