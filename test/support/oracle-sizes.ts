import {
  type Ask,
  addDays,
  discreteMedian,
  groupBy,
  inScope,
  type ListingDay,
  listingKey,
  money,
  pct,
  sum,
} from './oracle.ts'
import { daysWithin } from './oracle-series.ts'

/** What a text states: how much of what; null where it states nothing. */
export type SizeOf = (text: string) => { amount: number; unit: string } | null

type Run = { amount: number; unit: string; first: string; last: string }
type Step = { first: string; end: string; before: Run; after: Run }

const daysFrom = (a: string, b: string): number => (Date.parse(b) - Date.parse(a)) / 86_400_000

/** The days of each size of a listing, whose days are in order. */
const runsOf = (own: readonly ListingDay[], sizeOf: SizeOf): Run[] => {
  const runs: Run[] = []
  for (const { day, listing } of own) {
    const size = sizeOf(listing.product_name)
    const open = runs.at(-1)
    if (!size) continue
    if (open && open.amount === size.amount && open.unit === size.unit) open.last = day
    else runs.push({ ...size, first: runs.length === 0 ? own[0]!.day : day, last: day })
  }
  return runs
}

const isChange = (a: Run, b: Run): boolean => {
  const [small = 0, large = 0] = [a.amount, b.amount].sort((x, y) => x - y)
  return a.unit === b.unit && (large - small) / large > 0.02 && large <= 2 * small
}

const stepsOf = (own: readonly ListingDay[], sizeOf: SizeOf): Step[] => {
  const runs = runsOf(own, sizeOf)
  const held = runs.map((run, i) => ({ run, end: runs[i + 1]?.first ?? addDays(own.at(-1)!.day, 1) }))
  const counted = held.filter(({ run, end }) => run.last > run.first || daysFrom(run.first, end) >= 14)
  return counted.slice(1).flatMap(({ run: after, end }, i) => {
    const before = counted[i]!.run
    const has = (some: typeof counted, { amount, unit }: Run) =>
      some.some(({ run }) => run.amount === amount && run.unit === unit)
    const isReturning = has(counted.slice(0, i + 1), after) || has(counted.slice(i + 1), before)
    return isChange(before, after) && !isReturning ? [{ first: after.first, end, before, after }] : []
  })
}

const kindOf = (s0: number, s1: number, p0: number, p1: number): string => {
  if (p1 * s0 === p0 * s1) return 'proportional'
  const isDearer = p1 * s0 > p0 * s1
  if (s1 < s0) return !isDearer ? 'shrinkdeflation' : p1 > p0 ? 'sharkflation' : 'shrinkflation'
  return isDearer ? 'unshrinkflation' : p1 < p0 ? 'sharkdeflation' : 'unshrinkdeflation'
}

const medianOf = (rows: readonly ListingDay[]): number | null =>
  rows.length === 0 ? null : discreteMedian(rows.map(({ price }) => price))

type Change = Step & { platform: string; p0: number | null; p1: number | null; kind: string | null }

const effects = (matched: readonly { price: number; size: number; isResized: boolean }[]) => {
  const mean = (of: 'price' | 'size') => sum(matched.map((each) => each[of])) / matched.length
  const change = (log: () => number) => (matched.length < 10 ? null : pct(100 * (Math.exp(log()) - 1)))
  return {
    matched_count: matched.length,
    resized_count: matched.filter(({ isResized }) => isResized).length,
    size_effect_pct: change(() => mean('size')),
    price_change_pct: change(() => mean('price')),
    unit_price_change_pct: change(() => mean('price') + mean('size')),
  }
}

const counts = (changes: readonly Change[]) => ({
  shrunk_count: changes.filter(({ before, after }) => after.amount < before.amount).length,
  grown_count: changes.filter(({ before, after }) => after.amount > before.amount).length,
})

export type SizesAsk = Ask & { as_of: string; from: string; second: string; to: string }

/**
 * The figures of analyst/shrinkflation of the months from the day `from` to that before `to`, of which the second begins on
 * `second`; null where nothing was observed.
 */
export const shrinkflation = (days: readonly ListingDay[], ask: SizesAsk, sizeOf: SizeOf) => {
  const window = { from: addDays(ask.from, -35), to: ask.to, as_of: ask.as_of }
  if (!daysWithin(days, { ...window, from: ask.from }).some(({ listing }) => inScope(listing, ask))) return null
  const listings = [...groupBy(days, ({ listing }) => listingKey(listing)).values()]
    .map((own) => own.toSorted((a, b) => (a.day < b.day ? -1 : 1)))
    .filter((own) => {
      const { listing } = own.at(-1)!
      return inScope(listing, ask) && listing.is_new && sizeOf(listing.product_name) !== null
    })
    .map((own) => ({
      platform: own[0]!.listing.platform,
      seen: daysWithin(own, window),
      steps: stepsOf(own, sizeOf).filter(({ first }) => first >= ask.second && first < ask.to),
    }))
  const changes = listings.flatMap(({ platform, seen, steps }) =>
    steps.map((step): Change => {
      const { before, after, first, end } = step
      const earlier = seen.filter(
        ({ day }) => day >= before.first && day <= before.last && daysFrom(day, before.last) < 35,
      )
      const later = seen.filter(({ day }) => day >= first && day < end && daysFrom(first, day) < 35)
      const [p0, p1] = [before.last < ask.from ? null : medianOf(earlier), medianOf(later)]
      const kind = p0 === null || p1 === null ? null : kindOf(before.amount, after.amount, p0, p1)
      return { ...step, platform, p0, p1, kind }
    }),
  )
  const [firstMonth, lastMonth] = [ask.from.slice(0, 7), addDays(ask.to, -1).slice(0, 7)]
  const matched = listings.flatMap(({ platform, seen, steps }) => {
    const [base, price] = [firstMonth, lastMonth].map((month) =>
      medianOf(seen.filter(({ day }) => day.startsWith(month))),
    )
    if (!base || !price || price > 3 * base || base > 3 * price) return []
    const size = sum(steps.map(({ before, after }) => Math.log(before.amount / after.amount)))
    return [{ platform, price: Math.log(price / base), size, isResized: steps.length > 0 }]
  })
  const kinds = groupBy(
    changes.filter(({ kind }) => kind !== null),
    ({ kind }) => kind!,
  )
  const platforms = [...new Set([...matched, ...changes].map(({ platform }) => platform))]
  return {
    ...effects(matched),
    ...counts(changes),
    unpriced_count: changes.filter(({ kind }) => kind === null).length,
    kinds: Object.fromEntries(
      [...kinds].map(([kind, own]) => {
        const logs = own.map(({ before, after }) => Math.log(after.amount / before.amount))
        return [kind, [own.length, pct(100 * (Math.exp(sum(logs) / logs.length) - 1))]]
      }),
    ),
    retailers: Object.fromEntries(
      platforms.map((name) => {
        const isOf = ({ platform }: { platform: string }) => platform === name
        return [name, { ...counts(changes.filter(isOf)), ...effects(matched.filter(isOf)) }]
      }),
    ),
    size_changes: changes
      .map(({ platform, first, before, after, p0, p1, kind }) =>
        [first, platform, before.last, before.amount, after.amount, money(p0), money(p1), kind].join(' '),
      )
      .sort(),
  }
}
