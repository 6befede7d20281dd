import { z } from 'zod'
import { dayText } from '../contract/days.ts'
import { field } from '../contract/field.ts'
import { orNull, percent, round, type ToMoney } from '../contract/round.ts'
import { list, type ReadBy } from '../counts/count.ts'
import { SIZE_KINDS, sizeKindOf } from '../statistics/shrinkflation.ts'

export const OF_RETAILER = [['is', 'retailer_id', '$retailer_id']] as const

/** The changes of size of a scope, newest first. */
export const sizeChangeList = list({
  from: 'size_change',
  where: OF_RETAILER,
  columns: [
    ...(['product_uid', 'entity_uid', 'product_name', 'brand', 'retailer_id', 'day', 'previous_day'] as const),
    ...([
      'size',
      'previous_size',
      'dimension',
      'price',
      'previous_price',
      'is_shrunk',
      'price_move',
      'unit_move',
    ] as const),
  ],
  order: ['-day', 'product_uid'],
  limit: '$limit',
})
/** Units of sizes in answers, and how many of the stored ones they have. */
const SIZE_UNITS: Readonly<Record<string, readonly [unit: 'g' | 'ml' | 'each', stored: number]>> = {
  mass: ['g', 1000],
  volume: ['ml', 1000],
  count: ['each', 1],
}

const kind = field
  .choice(SIZE_KINDS, 'How size, price and price per unit moved; null where the price of a size is unknown.')
  .nullable()

export const sizeChange = z.object({
  product_name: field.text('Title of the listing; null where the feed has none.').nullable(),
  date: field.titled('Seen first', field.date('The day on which the size was first seen.')),
  brand: field.text('Brand of the listing; null where it is unknown.').nullable(),
  retailer: field.text('Platform key of the retailer.'),
  previous_size: field.amount('All that it contained before, in size_unit.'),
  size: field.amount('All that it contains from that day on, in size_unit.'),
  size_unit: field.choice(['g', 'ml', 'each'], 'Unit of both sizes.'),
  size_change_pct: field.change('(size - previous_size) / previous_size.'),
  previous_price: field.money('Median price at the size before; null where it is unknown.').nullable(),
  price: field.money('Median price at the size after; null where it is unknown.').nullable(),
  unit_price_change_pct: field.change('How the price per unit changed; null where a price is unknown.').nullable(),
  kind,
  previous_date: field.date('The day on which the size before was last seen; the size changed after it.'),
  product_uid: field.key('Id of the listing.'),
  entity_uid: field.key('Id of the physical product across retailers; null where it is not known.').nullable(),
})

/** A change of size with its kind; prices are in the smallest unit of their currency. */
export const sizeChangeRow = (
  { size, previous_size, price, previous_price, ...listing }: ReadBy<{ page: typeof sizeChangeList }>['page'][number],
  money: ToMoney,
  platforms: ReadonlyMap<number, string>,
): z.output<typeof sizeChange> => {
  const [size_unit, stored] = SIZE_UNITS[listing.dimension]!
  const unit_relative =
    price === null || previous_price === null ? null : (price * previous_size) / (previous_price * size)
  return {
    product_name: listing.product_name,
    date: dayText(listing.day),
    brand: listing.brand,
    retailer: platforms.get(listing.retailer_id)!,
    previous_size: round(previous_size / stored, 2),
    size: round(size / stored, 2),
    size_unit,
    size_change_pct: percent((100 * (size - previous_size)) / previous_size),
    previous_price: orNull(money, previous_price),
    price: orNull(money, price),
    unit_price_change_pct: orNull((relative: number) => percent(100 * (relative - 1)), unit_relative),
    kind: sizeKindOf({ isShrunk: listing.is_shrunk, price: listing.price_move ?? -1, unit: listing.unit_move ?? -1 }),
    previous_date: dayText(listing.previous_day),
    product_uid: listing.product_uid,
    entity_uid: listing.entity_uid,
  }
}
