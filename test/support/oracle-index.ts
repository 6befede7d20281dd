import { isDeepStrictEqual } from 'node:util'
import {
  type Ask,
  discreteMedian,
  groupBy,
  inScope,
  type ListingDay,
  listingKey,
  mean,
  observedBetween,
  pct,
  ratio,
} from './oracle.ts'
import { distribution } from './oracle-distribution.ts'
import { publishedLogs } from './oracle-published.ts'
import { daysWithin } from './oracle-series.ts'

/** Price indexes by iteration over listings: no masks, no matrices. Logs of prices by month, null where there is none. */
type Listing = { group: string; logs: (number | null)[] }

const MIN = 10
const STEPS = 4000

/** Repeats a step of an iteration until it leaves all values as they were, to the last bit: further ones would, too. */
const untilNothingMoves = (values: ReadonlyMap<number, number>, step: () => void): void => {
  for (let steps = 0; steps < STEPS; steps += 1) {
    const before = [...values.values()]
    step()
    if (isDeepStrictEqual([...values.values()], before)) return
  }
}

const monthOf = (day: string): number => 12 * Number(day.slice(0, 4)) + Number(day.slice(5, 7))

/** The months that the first one with listings reaches by pairs of months with enough listings in both. */
const linked = (listings: readonly Listing[], months: number) => {
  const both = (s: number, t: number) => listings.filter(({ logs }) => logs[s] !== null && logs[t] !== null)
  const first = Array.from({ length: months }, (_, t) => t).find((t) => both(t, t).length > 0)
  const reached = new Set(first === undefined ? [] : [first])
  for (let round = 0; round < months; round += 1)
    for (const s of [...reached]) for (let t = 0; t < months; t += 1) if (both(s, t).length >= MIN) reached.add(t)
  return { first, reached: [...reached].sort((a, b) => a - b), both }
}

/** Each month in turn becomes the mean of what the others say of it, until nothing moves. */
export const geks = (listings: readonly Listing[], months: number): (number | null)[] => {
  const { first, reached, both } = linked(listings, months)
  const jevons = new Map<string, number>()
  for (const s of reached)
    for (const t of reached) {
      const shared = both(s, t)
      if (s !== t && shared.length >= MIN) jevons.set(`${s} ${t}`, mean(shared.map(({ logs }) => logs[t]! - logs[s]!)))
    }
  const index = new Map(reached.map((t) => [t, 0]))
  untilNothingMoves(index, () => {
    for (const t of reached) {
      const others = reached.filter((s) => jevons.has(`${s} ${t}`))
      if (t !== first && others.length > 0)
        index.set(t, mean(others.map((s) => index.get(s)! + jevons.get(`${s} ${t}`)!)))
    }
  })
  return Array.from({ length: months }, (_, t) => index.get(t) ?? null)
}

/** Listings and months in turn become the means of what is left, until nothing moves. */
const dummies = (listings: readonly Listing[], months: number): (number | null)[] => {
  const { first, reached } = linked(listings, months)
  const index = new Map(reached.map((t) => [t, 0]))
  const seen = listings
    .map(({ logs }) => ({ logs, at: reached.filter((t) => logs[t] !== null) }))
    .filter(({ at }) => at.length > 0)
  untilNothingMoves(index, () => {
    const levels = seen.map(({ logs, at }) => mean(at.map((t) => logs[t]! - index.get(t)!)))
    for (const t of reached)
      index.set(t, mean(seen.flatMap(({ logs, at }, i) => (at.includes(t) ? [logs[t]! - levels[i]!] : []))))
  })
  return Array.from({ length: months }, (_, t) => (index.has(t) ? index.get(t)! - index.get(first!)! : null))
}

const chained = (listings: readonly Listing[], months: number): (number | null)[] => {
  let [log, before]: [number | null, number | null] = [0, null]
  return Array.from({ length: months }, (_, t) => {
    if (!listings.some(({ logs }) => logs[t] !== null)) return null
    const s = before
    before = t
    if (s === null) return 0
    const shared = listings.filter(({ logs }) => logs[s] !== null && logs[t] !== null)
    log = log === null || shared.length < MIN ? null : log + mean(shared.map(({ logs }) => logs[t]! - logs[s]!))
    return log
  })
}

const step = (index: readonly (number | null)[], t: number): number | null =>
  t === 0 || index[t] == null || index[t - 1] == null ? null : 100 * (Math.exp(index[t]! - index[t - 1]!) - 1)

const rms = (values: readonly number[]): number => Math.hypot(...values) / Math.sqrt(values.length)

/** The changes of months by the months up to each, and what is made of them by all. */
const revisionsIn = (listings: readonly Listing[], index: readonly (number | null)[], method: typeof geks) => {
  const first = index.map((_, t) => {
    const until = listings.map(({ group, logs }) => ({ group, logs: logs.slice(0, t + 1) }))
    return step(method(until, t + 1), t)
  })
  const last = index.map((_, t) => step(index, t))
  const both = index.flatMap((_, t) => (first[t] === null || last[t] === null ? [] : [t]))
  const moved = both.map((t) => last[t]! - first[t]!)
  const none = { mean_pp: null, mean_absolute_pp: null, rmse_pp: null, no_change_rmse_pp: null }
  const figures = () => ({
    mean_pp: pct(mean(moved)),
    mean_absolute_pp: pct(mean(moved.map((points) => Math.abs(points)))),
    rmse_pp: pct(rms(moved)),
    no_change_rmse_pp: pct(rms(both.map((t) => last[t]!))),
  })
  return { first, final: last, both, revisions: { n: both.length, ...(both.length < 12 ? none : figures()) } }
}

export type IndexAsk = Ask & { as_of: string; months: number; method: 'geks_jevons' | 'tpd' }

/** The listings of an index over at most 25 months with their monthly logs; null where nothing was observed in these. */
export const indexListings = (days: readonly ListingDay[], ask: Omit<IndexAsk, 'method'> & { to?: string }) => {
  const { as_of, months, to = `${as_of.slice(0, 7)}-01` } = ask
  const end = monthOf(to)
  const start = `${String(Math.floor((end - months - 1) / 12)).padStart(4, '0')}-${String(((end - months - 1) % 12) + 1).padStart(2, '0')}-01`
  const seen = daysWithin(days, { from: start, to, as_of }).filter(({ listing }) => inScope(listing, ask))
  if (seen.length === 0) return null
  let aside = 0
  const changes: { base: number; price: number }[] = []
  const listings = [...groupBy(seen, ({ listing }) => listingKey(listing)).values()].map((own): Listing => {
    const byMonth = groupBy(own, ({ day }) => String(monthOf(day) - (end - months)))
    const prices = new Map(
      [...byMonth].map(([month, rows]) => [Number(month), discreteMedian(rows.map(({ price }) => price))]),
    )
    const median = discreteMedian([...prices.values()])
    const logs = Array.from({ length: months }, (_, t) => {
      const price = prices.get(t)
      if (price === undefined) return null
      if (price <= 3 * median && median <= 3 * price) return Math.log(price)
      aside += 1
      return null
    })
    const kept = (t: number) => (logs[t] == null ? [] : [prices.get(t)!])
    changes.push(...logs.flatMap((_, t) => kept(t - 1).flatMap((base) => kept(t).map((price) => ({ base, price })))))
    return { group: own[0]!.listing.platform, logs }
  })
  return { seen, aside, listings, changes }
}

/** The figures of analyst/price-index over at most 25 months; null where nothing was observed in them. */
export const priceIndex = (days: readonly ListingDay[], ask: IndexAsk) => {
  const { months } = ask
  const within = indexListings(days, ask)
  if (within === null) return null
  const { seen, aside, listings, changes } = within
  const method = ask.method === 'tpd' ? dummies : geks
  const index = method(listings, months)
  const { first, final, both, revisions } = revisionsIn(listings, index, method)
  const published = publishedLogs(days, ask, method, within)
  const base = published.find((log) => log !== null) ?? null
  const indexOf = (log: number | null, from: number | null) => (log === null ? null : ratio(Math.exp(log - from!)))
  const present = (t: number) => listings.filter(({ logs }) => logs[t] !== null)
  const last = Array.from({ length: months }, (_, t) => t).findLast((t) => present(t).length > 0)
  const ofLast = last === undefined ? null : (published[last] ?? null)
  return {
    meta: observedBetween(seen),
    change_pct: ofLast === null ? null : pct(100 * Math.expm1(ofLast - base!)),
    set_aside_count: aside,
    change_distribution: distribution(changes),
    revisions,
    time_series: chained(listings, months).map((chain, t) => {
      const now = present(t)
      const before = t === 0 ? [] : present(t - 1)
      const had = (logs: Listing['logs'], a: number, b: number) => logs.slice(a, b).some((log) => log !== null)
      return {
        index: indexOf(published[t]!, base),
        recomputed_index: indexOf(index[t]!, 0),
        first_change_pct: first[t] === null ? null : pct(first[t]!),
        revision_pp: both.includes(t) ? pct(final[t]! - first[t]!) : null,
        chained_index: chain === null ? null : ratio(Math.exp(chain)),
        listing_count: now.length,
        new_count: t === 0 ? 0 : now.filter(({ logs }) => !had(logs, 0, t)).length,
        returned_count: now.filter(({ logs }) => t > 0 && logs[t - 1] === null && had(logs, 0, t)).length,
        stayed_count: now.filter(({ logs }) => t > 0 && logs[t - 1] !== null).length,
        gone_count: before.filter(({ logs }) => logs[t] === null && !had(logs, t, months)).length,
        paused_count: before.filter(({ logs }) => logs[t] === null && had(logs, t, months)).length,
        match_rate_pct:
          before.length === 0
            ? null
            : pct((100 * before.filter(({ logs }) => logs[t] !== null).length) / before.length),
      }
    }),
  }
}
