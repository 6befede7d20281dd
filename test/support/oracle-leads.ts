import {
  type Ask,
  addDays,
  groupBy,
  inScope,
  type ListingDay,
  listingKey,
  observedBetween,
  onShelf,
  pct,
  unseenDay,
} from './oracle.ts'
import { daysWithin } from './oracle-series.ts'
import type { ProductOf } from './oracle-tracker.ts'

type Seen = Pick<ListingDay, 'day' | 'price'>
type Change = { day: string; last_seen: string; direction: number }
type Lead = { leader: string; follower: string; direction: number; answer: number | null }

const FOLLOWS = 14
const ENOUGH = 30

const changesOf = (own: readonly Seen[]): Change[] =>
  own.flatMap(({ day, price }, i) => {
    const before = own[i - 1]
    if (!before || before.price === price || day > addDays(before.day, 35)) return []
    if (price > 3 * before.price || before.price > 3 * price) return []
    return [{ day, last_seen: before.day, direction: Math.sign(price - before.price) }]
  })

/** What `b` did after each change of `a` that it was watched after; days of listings in order. */
export const answersTo = (a: readonly Seen[], b: readonly Seen[], to: string) =>
  changesOf(a).flatMap(({ day, direction }) => {
    const end = addDays(day, FOLLOWS)
    const watched = b.filter((seen) => seen.day >= day && seen.day <= end)
    if (end >= to || watched.length < 2) return []
    const next = changesOf(b).find(({ last_seen }) => last_seen >= day)
    return [{ direction, answer: next && next.day <= end ? next.direction : null }]
  })

const figures = (leads: readonly Lead[]) => {
  const followed = leads.filter(({ direction, answer }) => answer === direction)
  return {
    change_count: leads.length,
    led_count: followed.length,
    led_rise_count: followed.filter(({ direction }) => direction > 0).length,
    opposed_count: leads.filter(({ direction, answer }) => answer === -direction).length,
  }
}

const enough = (part: number, whole: number) => (whole < ENOUGH ? null : pct((100 * part) / whole))

/** The figures of analyst/price-leadership; null where nothing was observed. */
export const priceLeadership = (
  days: readonly ListingDay[],
  ask: Ask & { as_of: string; from: string; to: string },
  productOf: ProductOf,
  uidOf: (key: string) => string,
) => {
  const within = daysWithin(days, ask)
  const end = [ask.to, unseenDay(ask.as_of)].sort()[0]!
  const seen = within.filter(({ listing }) => inScope(listing, ask))
  if (seen.length === 0) return null
  const own = [
    ...groupBy(
      within.filter(({ listing }) => onShelf(listing, ask) && listing.is_new),
      ({ listing }) => listingKey(listing),
    ),
  ].map(([key, rows]) => ({
    retailer: rows[0]!.listing.platform,
    product: productOf(key),
    uid: uidOf(key),
    rows: rows.toSorted((a, b) => (a.day < b.day ? -1 : 1)),
  }))
  const identified = own.filter(({ product }) => product !== null)
  const products = [...groupBy(identified, ({ product }) => product!).values()].filter(
    (sold) => new Set(sold.map(({ retailer }) => retailer)).size > 1,
  )
  const leads = products.flatMap((sold): Lead[] => {
    const chosen = [...groupBy(sold, ({ retailer }) => retailer).values()].map(
      (some) => some.toSorted((a, b) => b.rows.length - a.rows.length || (a.uid < b.uid ? -1 : 1))[0]!,
    )
    return chosen.flatMap((a) =>
      chosen
        .filter((b) => b !== a && (!ask.retailer || [a.retailer, b.retailer].includes(ask.retailer)))
        .flatMap((b) =>
          answersTo(a.rows, b.rows, end).map((lead) => ({ leader: a.retailer, follower: b.retailer, ...lead })),
        ),
    )
  })
  const share = (some: readonly unknown[]) => (own.length === 0 ? 0 : pct((100 * some.length) / own.length))
  const retailers = [...new Set(leads.flatMap(({ leader, follower }) => [leader, follower]))].map((retailer) => {
    const { led_count, change_count } = figures(leads.filter(({ leader }) => leader === retailer))
    const following_count = figures(leads.filter(({ follower }) => follower === retailer)).led_count
    return {
      retailer,
      lead_share_pct: enough(led_count, led_count + following_count),
      led_count,
      following_count,
      change_count,
    }
  })
  const pairs = [...groupBy(leads, ({ leader, follower }) => `${leader} ${follower}`)].map(([names, some]) => {
    const [leader = '', follower = ''] = names.split(' ')
    const counted = figures(some)
    return {
      leader,
      follower,
      ...counted,
      led_pct: enough(counted.led_count, counted.change_count),
      opposed_pct: enough(counted.opposed_count, counted.change_count),
    }
  })
  const inOrder = (a: string, b: string) => (a < b ? -1 : 1)
  return {
    meta: observedBetween(seen),
    listing_count: own.length,
    identified_pct: share(identified),
    joined_pct: share(products.flat()),
    ...figures(leads),
    retailers: retailers.sort(
      (a, b) =>
        (b.lead_share_pct ?? -1) - (a.lead_share_pct ?? -1) ||
        b.led_count - a.led_count ||
        inOrder(a.retailer, b.retailer),
    ),
    pairs: pairs.sort(
      (a, b) =>
        b.led_count - a.led_count ||
        b.change_count - a.change_count ||
        inOrder(`${a.leader} ${a.follower}`, `${b.leader} ${b.follower}`),
    ),
  }
}
