import { beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '../../../../engine/index.ts'
import { ask } from '../../../support/ask.ts'
import { givenEngine } from '../../../support/given.ts'
import { addDays } from '../../../support/oracle.ts'
import { type Listing, listing, type Observation, observed } from '../../../support/rows.ts'
import { because, noVectors, vectorRows, vectorText } from '../../../support/vectors.ts'

/** Prices this large keep four digits and more of a relative in whole cents. */
const LARGE = 5_000_000

const from = { from: '2026-09-01', to: '2026-11-01' }
const shelfOf = (...shelf: string[]): Partial<Listing> => ({ shelf: ['Vectors', ...shelf] })
const pair = (id: string, relative: number, of: Partial<Listing>): Observation[] =>
  observed(listing(id, of), { '2026-09-10': LARGE, '2026-10-10': Math.round(LARGE * relative) })
const twoDecimals = (value: number): number => Math.round(value * 100) / 100

// R computes the columns of trimmed_means.csv for another TRIM_PERCENT from the same logarithms x:
//   n <- length(x); g <- max(1, floor(n * share)); h <- n - 2 * g; kept <- sort(x)[(g + 1):(n - g)]
//   trimmed_mean <- mean(kept); w <- pmin(pmax(x, min(kept)), max(kept)); t975 <- qt(0.975, h - 1)
//   tukey_mclaughlin_se <- sqrt(sum((w - mean(w))^2) / (h * (h - 1)))
// and lfl_change_pct, winsorized_change_pct and the interval of expected_lfl.json from the pairs of monthly_panel.csv.
describe.skipIf(noVectors)(`inflation agrees with other libraries${because}`, () => {
  const trimmed = noVectors ? [] : vectorRows('r-base/trimmed_means.csv')
  const outliers = noVectors ? [] : vectorRows('gpindex/outlier_rules_expected.csv').filter(({ x }) => Number(x) > 0)
  const sets = [...new Set(outliers.map(({ set }) => set!))]
  let engine: Engine

  beforeAll(async () => {
    const rows = [
      ...trimmed.flatMap(({ n, x }) =>
        x!.split(' ').flatMap((log, i) => pair(`${n} ${i}`, Math.exp(Number(log)), shelfOf('Trimmed', `Sample ${n}`))),
      ),
      ...outliers.flatMap(({ set, x }, i) => pair(`${set} ${i}`, Number(x), shelfOf('Outliers', `Set ${set}`))),
      ...artificial(),
      ...milk(),
    ]
    engine = await givenEngine(rows, { as_of: new Date('2027-03-01T00:00:00Z') })
  })

  test.each(trimmed)('R: the mean of $n logarithms with $g trimmed from each tail', async ({ n, trimmed_mean }) => {
    const answer = await ask(engine, 'analyst/inflation', { category: `Vectors > Trimmed > Sample ${n}`, ...from })
    expect(answer.lfl_change_pct).toBe(twoDecimals(100 * Math.expm1(Number(trimmed_mean))))
  })

  test.each(trimmed.filter(({ n }) => Number(n) >= 30))(
    'R: the Tukey and McLaughlin interval of $n logarithms',
    async ({ n, trimmed_mean, tukey_mclaughlin_se, t975 }) => {
      const answer = await ask(engine, 'analyst/inflation', { category: `Vectors > Trimmed > Sample ${n}`, ...from })
      const reach = Number(t975) * Number(tukey_mclaughlin_se)
      const [low, high] = [-reach, reach].map((by) => twoDecimals(100 * Math.expm1(Number(trimmed_mean) + by)))
      expect(answer.lfl_ci).toMatchObject({ low, high })
    },
  )

  test.each(sets)('gpindex: the relatives beyond threefold in set %s', async (set) => {
    const flagged = outliers.filter((row) => row.set === set && row.fixed_3 === 'TRUE').length
    const answer = await ask(engine, 'analyst/inflation', { category: `Vectors > Outliers > Set ${set}`, ...from })
    expect(answer.lfl_excluded_implausible).toBe(flagged)
  })

  test('IndexNumR: the Jevons index from period to period, chained and against a fixed base', async () => {
    const expected = vectorRows('indexnumr/expected_bilateral.csv')
    const answer = await ask(engine, 'analyst/inflation', {
      category: 'Vectors > Artificial',
      from: '2025-01-01',
      to: '2026-01-01',
    })
    const percentOf = (index: string | undefined) => twoDecimals(100 * (Number(index) - 1))
    const changes = answer.time_series.map(({ change_pct }: { change_pct: number }) => change_pct)
    expect(changes).toEqual([null, ...expected.slice(1).map(({ jevons_pop }) => percentOf(jevons_pop))])
    expect(answer).toMatchObject({
      overall_change_pct: percentOf(expected.at(-1)?.jevons_chained),
      lfl_variants: { jevons: percentOf(expected.at(-1)?.jevons_fixedbase) },
    })
  })

  const jevons: number[] = noVectors
    ? []
    : JSON.parse(vectorText('priceindices/expected.json'))['jevons_fixed_base_2018-12_to_2020-01']
  const months = jevons.map((index, month) => ({ month, index })).slice(1)
  // In the others a product moves beyond threefold, which the index of that library keeps.
  test.each(months.filter(({ month }) => ![3, 7, 10].includes(month)))(
    'PriceIndices: the Jevons index of milk after $month months is $index',
    async ({ month, index }) => {
      const to = new Date(Date.UTC(2018, 12 + month, 1)).toISOString().slice(0, 10)
      const answer = await ask(engine, 'analyst/inflation', { category: 'Vectors > Milk', from: '2018-12-01', to })
      expect(answer).toMatchObject({
        lfl_excluded_implausible: 0,
        lfl_variants: { jevons: twoDecimals(100 * (index - 1)) },
      })
    },
  )
})

/** Four artificial products of twelve periods, three times over: a geometric mean stays, and a link has ten pairs. */
const artificial = (): Observation[] =>
  vectorRows('indexnumr/CES_sigma_2.csv').flatMap(({ time, prices, prodID }) =>
    ['a', 'b', 'c'].flatMap((copy) =>
      observed(listing(`${prodID}${copy}`, shelfOf('Artificial')), {
        [`2025-${time!.padStart(2, '0')}-15`]: Math.round(Number(prices) * 100_000),
      }),
    ),
  )

/** Milk at its unit value a product and month. */
const milk = (): Observation[] => {
  const sales = new Map<string, { id: string; time: string; value: number; quantity: number }>()
  for (const { time, prices, quantities, prodID } of vectorRows('priceindices/milk.csv')) {
    const sale = sales.get(`${prodID} ${time}`) ?? { id: prodID!, time: time!, value: 0, quantity: 0 }
    sale.value += Number(prices) * Number(quantities)
    sale.quantity += Number(quantities)
    sales.set(`${prodID} ${time}`, sale)
  }
  return [...sales.values()].flatMap(({ id, time, value, quantity }) =>
    observed(listing(`milk ${id}`, shelfOf('Milk')), { [time]: Math.round((value / quantity) * 100_000) }),
  )
}

type Expected = {
  from_month: string
  to_month: string
  lfl: Record<string, number> & { extra: Record<string, number> }
  decomposition: { arithmetic_pct_points: Record<string, number> }
}

describe.skipIf(noVectors)(`inflation of the posted prices of 1,214 listings in Austria${because}`, () => {
  const expected: Expected[] = noVectors ? [] : JSON.parse(vectorText('heissepreise/expected_lfl.json'))
  let engine: Engine

  beforeAll(async () => {
    const rows = vectorRows('heissepreise/monthly_panel.csv').flatMap(({ store, id, month_end, price }) =>
      observed(listing(`${id}`, { platform: store!, shelf: ['Supermarket'] }), {
        [month_end!]: Math.round(Number(price) * 100),
      }),
    )
    engine = await givenEngine(rows, { as_of: new Date('2023-06-01T00:00:00Z') })
  })

  test.each(expected)(
    'equals the reference like-for-like figures from $from_month to $to_month',
    async ({ from_month, to_month, lfl, decomposition }) => {
      const window = { from: `${from_month.slice(0, 7)}-01`, to: addDays(to_month, 1) }
      const answer = await ask(engine, 'analyst/inflation', { department: 'supermarket', ...window })
      const { extra, lfl_change_pct, lfl_note, ...counts } = lfl
      const { total, matched, entry, exit } = decomposition.arithmetic_pct_points
      expect(answer).toMatchObject({
        ...counts,
        lfl_change_pct: twoDecimals(lfl_change_pct!),
        lfl_note: null,
        lfl_ci: { low: twoDecimals(extra.ci_low_pct!), high: twoDecimals(extra.ci_high_pct!) },
        lfl_variants: {
          jevons: twoDecimals(extra.jevons_change_pct!),
          winsorised: twoDecimals(extra.winsorized_change_pct!),
          median: twoDecimals(extra.median_change_pct!),
        },
        naive_overall_change_pct: twoDecimals(total!),
        decomposition: { matched: twoDecimals(matched!), entry: twoDecimals(entry!), exit: twoDecimals(exit!) },
      })
    },
  )
})
