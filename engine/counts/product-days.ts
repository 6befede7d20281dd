import type { Catalog } from '../catalog/catalog.ts'
import { inStockOf, type PackedDay, promoFlagOf } from '../catalog/packed-days.ts'
import { dayNumber, dayText } from '../contract/days.ts'
import { giveWay } from '../contract/turn.ts'
import type { Bindings, Row } from '../duckdb/pool.ts'
import { isOnPromotion } from '../statistics/promotion.ts'
import type { AnyList } from './count.ts'
import type { MemoryLists } from './read.ts'
import { orderOf } from './sql.ts'

const DAY_SECONDS = 86_400
const ORDER = ['day', 'listing_id']

/** Whether a list is the days of products as they are in histories, sorted. */
const isOfDays = (list: AnyList, bindings: Bindings): boolean =>
  list.from === 'product_day' && !list.where && !list.limit && String(orderOf(list, bindings)) === String(ORDER)

/** A listing's day with its columns, as `relations/product-day.sql` has them. */
const columnsOf = (listing_id: number, packed: PackedDay): Row => {
  const { day, second, price } = packed
  const list_price = packed.list_price < 0 ? null : packed.list_price
  const promo_flag = promoFlagOf(packed)
  return {
    listing_id,
    day: dayText(day),
    price,
    list_price,
    promo_flag,
    in_stock: inStockOf(packed),
    is_promoted: isOnPromotion({ promo_flag, price, list_price }),
    observed_second: day * DAY_SECONDS + second,
  }
}

/** Whether a day is one of [seen_from, to) or [since, before). */
const daysOf = ({ seen_from, to, since, before }: Bindings): ((day: number) => boolean) => {
  const [from, end, first, last] = [seen_from, to, since, before].map((day) => dayNumber(String(day)))
  return (day) => (day >= from! && day < end!) || (day >= first! && day < last!)
}

const yearsOf = ({ month_from, month_to }: Bindings): string[] => {
  const [first, last] = [month_from, month_to].map((month) => Number(String(month).slice(0, 4)))
  return Array.from({ length: last! - first! + 1 }, (_, i) => String(first! + i))
}

/**
 * Reads the days of products from the histories of their listings: a few hundred bytes of each, where a statement over the
 * files of all listings takes ten times as long.
 */
export const historyLists = (history: NonNullable<Catalog['history']>): MemoryLists => ({
  has: isOfDays,
  async rows({ columns }, bindings) {
    const isWanted = daysOf(bindings)
    const ids = String(bindings.listing_ids).split(',').filter(Boolean).map(Number)
    const days: { id: number; packed: PackedDay }[] = []
    for (const year of yearsOf(bindings)) {
      const historyOf = await history(String(bindings.country), year)
      for (const id of ids) {
        for (const packed of historyOf(id)) if (isWanted(packed.day)) days.push({ id, packed })
        await giveWay()
      }
    }
    days.sort((a, b) => a.packed.day - b.packed.day || a.id - b.id)
    return days.map(({ id, packed }) => {
      const all = columnsOf(id, packed)
      const row: Partial<typeof all> = {}
      for (const name of columns) row[name] = all[name]
      return row
    })
  },
})
