import { type ListingDay, mean } from './oracle.ts'
import { type IndexAsk, indexListings } from './oracle-index.ts'

/** An index of listings with their monthly logs, over so many months. */
export type Method = (listings: NonNullable<Listings>['listings'], months: number) => (number | null)[]
type Listings = ReturnType<typeof indexListings>

const FAR = '2100-01-01T00:00:00Z'

const monthNumber = (day: string): number => 12 * Number(day.slice(0, 4)) + Number(day.slice(5, 7)) - 1
const firstDay = (month: number): string =>
  `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}-01`
/**
 * The published logs of an index by month, where a single refresh made the lake long after all of its prices: they begin where a
 * month is linked to another.
 */
export const publishedByMonth = (days: readonly ListingDay[], ask: IndexAsk, method: Method): Map<number, number> => {
  const own = days.filter(({ listing }) => listing.country === ask.country)
  const months = own.map(({ day }) => monthNumber(day))
  const [from, to] = [Math.min(...months), Math.max(...months)]
  if (to - from >= 25) throw new Error('only for lakes of up to 25 months')
  for (let first = from; first < to; first += 1) {
    const months = to - from + 1
    const within = indexListings(days, { ...ask, as_of: FAR, to: firstDay(to + 1), months })
    if (within === null) break
    const skip = first - from
    const listings = within.listings.map(({ group, logs }) => ({ group, logs: logs.slice(skip) }))
    if (listings.every(({ logs }) => logs[0] === null)) continue
    const index = method(listings, months - skip)
    const linked = index.flatMap((log, t) => (log === null ? [] : [[first + t, log] as const]))
    if (linked.length > 1) return new Map(linked)
  }
  return new Map()
}

/** The index of the months of a question: as published, with those appended that are not. */
export const publishedLogs = (
  days: readonly ListingDay[],
  ask: IndexAsk,
  method: Method,
  { listings }: NonNullable<Listings>,
): (number | null)[] => {
  const published = publishedByMonth(days, ask, method)
  const from = monthNumber(ask.as_of) - ask.months
  const places = [...published.keys()].map((month) => month - from).filter((t) => t >= 0 && t < ask.months)
  if (places.length === 0) return method(listings, ask.months)
  const last = Math.max(...places)
  const logs: (number | null)[] = []
  for (let t = 0; t < ask.months; t += 1) {
    if (t <= last) logs.push(published.get(from + t) ?? null)
    else {
      const window = method(
        listings.map(({ group, logs }) => ({ group, logs: logs.slice(0, t + 1) })),
        t + 1,
      )
      const changes = logs.flatMap((log, s) =>
        log === null || window[s] == null || window[t] == null ? [] : [log + window[t]! - window[s]!],
      )
      logs.push(changes.length === 0 ? null : mean(changes))
    }
  }
  return logs
}
