import { share } from '../../engine/contract/round.ts'
import type { Floor } from './floor.ts'
import { isPlausible } from './floors-series.ts'
import { isInWindow, metaOf, type Platform, platforms, rowsOf, shelfTimes } from './sql.ts'

type Lead = { leader_id: number; follower_id: number; n: number; followed: number; rises: number; opposed: number }

/** Listings of the window from their days, then the changes of shared ones with the next one of each other retailer. */
export const priceLeadership: Floor = {
  statements: (files, values) => {
    const days = values.follow_days
    const sold = `seen AS (
         SELECT listing_id, count(*) AS days FROM ${files.months('observations')} WHERE ${isInWindow(values)} GROUP BY listing_id
       ), sold AS (
         SELECT listing_id, retailer_id, product_uid, entity_uid, days
         FROM seen JOIN ${files.listings} USING (listing_id) WHERE condition = 'new'
       )`
    return [
      `WITH ${sold}, chosen AS (
         SELECT listing_id, retailer_id, entity_uid, min(retailer_id) OVER product < max(retailer_id) OVER product AS is_shared,
           row_number() OVER (PARTITION BY entity_uid, retailer_id ORDER BY days DESC, product_uid) AS rank
         FROM sold WHERE entity_uid IS NOT NULL WINDOW product AS (PARTITION BY entity_uid)
       ), shared AS MATERIALIZED (
         SELECT listing_id, retailer_id, entity_uid FROM chosen WHERE is_shared AND rank = 1
       ), posted AS MATERIALIZED (
         SELECT listing_id, day, price, lag(day) OVER own AS seen, lag(price) OVER own AS before, lead(day) OVER own AS next
         FROM ${files.months('observations')} SEMI JOIN shared USING (listing_id) WHERE ${isInWindow(values)}
         WINDOW own AS (PARTITION BY listing_id ORDER BY day)
       ), moved AS MATERIALIZED (
         SELECT listing_id, day, seen, price > before AS up FROM posted
         WHERE price <> before AND day - seen <= ${values.max_gap_days} AND ${isPlausible('before', 'price')}
       ), lead AS (
         SELECT own.retailer_id AS leader_id, other.retailer_id AS follower_id, other.listing_id, day, up
         FROM moved JOIN shared AS own USING (listing_id)
         JOIN shared AS other ON other.entity_uid = own.entity_uid AND other.retailer_id <> own.retailer_id
         WHERE day < DATE '${values.to}' - ${days}
       ), watched AS (
         SELECT lead.* FROM lead ASOF JOIN posted ON posted.listing_id = lead.listing_id AND lead.day <= posted.day
         WHERE posted.next <= lead.day + ${days}
       )
       SELECT leader_id, follower_id, count(*)::INTEGER AS n, count(*) FILTER (in_time AND is_rise = up)::INTEGER AS followed,
         count(*) FILTER (in_time AND is_rise AND up)::INTEGER AS rises, count(*) FILTER (in_time AND is_rise <> up)::INTEGER AS opposed
       FROM (SELECT leader_id, follower_id, watched.up, moved.up AS is_rise, moved.day <= watched.day + ${days} AS in_time
             FROM watched ASOF LEFT JOIN moved ON moved.listing_id = watched.listing_id AND watched.day <= moved.seen)
       GROUP BY ALL`,
      `WITH ${sold} SELECT count(*)::INTEGER AS listings, count(entity_uid)::INTEGER AS identified FROM sold`,
      shelfTimes(files, values),
      platforms(files),
    ]
  },
  figures: ([leads, counts, times, names]) => {
    const named = new Map(rowsOf<Platform>(names!).map(({ retailer_id, platform }) => [retailer_id, platform]))
    const rows = rowsOf<Lead>(leads!)
    const [{ listings, identified } = { listings: 0, identified: 0 }] = rowsOf<{
      listings: number
      identified: number
    }>(counts!)
    const sumOf = (of: 'n' | 'followed' | 'rises' | 'opposed') => rows.reduce((sum, row) => sum + row[of], 0)
    const shareIfEnough = (part: number, whole: number) => (whole < 30 ? null : share(part, whole))
    return {
      listing_count: listings,
      identified_pct: share(identified, listings),
      change_count: sumOf('n'),
      led_count: sumOf('followed'),
      led_rise_count: sumOf('rises'),
      opposed_count: sumOf('opposed'),
      pairs: rows
        .map(({ leader_id, follower_id, n, followed, rises, opposed }) => ({
          leader: named.get(leader_id)!,
          follower: named.get(follower_id)!,
          change_count: n,
          led_count: followed,
          led_rise_count: rises,
          opposed_count: opposed,
          led_pct: shareIfEnough(followed, n),
          opposed_pct: shareIfEnough(opposed, n),
        }))
        .sort(
          (a, b) =>
            b.led_count - a.led_count ||
            b.change_count - a.change_count ||
            (`${a.leader} ${a.follower}` < `${b.leader} ${b.follower}` ? -1 : 1),
        )
        .slice(0, 100),
      meta: metaOf(times!.observed_min!, times!.observed_max!),
    }
  },
}
