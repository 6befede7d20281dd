import { LOG_UNIT, type MaskCounts, MIN_LINKS } from '../../engine/index.ts'

/** The listings of a shelf at a retailer that are priced in the same months, with the sums of the logs of their prices by month, in units of LOG_UNIT. */
export type MaskRow = { category_id: number; retailer_id: number; mask: number; n: number; logs: number[] }

export type CategoryRange = { category_id: number; category_last: number }

/** A category of an index, at all retailers (null) or at one, with its counts. */
export type IndexScope = { category_id: number; retailer_id: number | null; counts: MaskCounts[] }

type MaskSums = { n: number; logs: number[] }
/** MaskSums by the months of listings, by retailer. */
type ByRetailer = Map<number | null, Map<number, MaskSums>>

const add = (to: ByRetailer, retailer_id: number | null, mask: number, { n, logs }: MaskSums): void => {
  const masks = to.get(retailer_id) ?? new Map<number, MaskSums>()
  to.set(retailer_id, masks)
  const sums = masks.get(mask)
  if (!sums) masks.set(mask, { n, logs: [...logs] })
  else {
    sums.n += n
    for (const [i, log] of logs.entries()) sums.logs[i]! += log
  }
}

/** The same counts with a place for each of so many months. */
const countsOf = (masks: ReadonlyMap<number, MaskSums>, months: number): MaskCounts[] =>
  [...masks].map(([mask, { n, logs }]) => {
    let place = 0
    const sums = Array.from({ length: months }, (_, month) =>
      Math.floor(mask / 2 ** month) % 2 ? logs[place++]! / LOG_UNIT : 0,
    )
    return { mask, n, logs: new Map([[0, sums]]) }
  })

/**
 * The scopes of a department that have enough listings for an index, children before their parents. Rows and categories
 * are in the order of category_id, which is depth first.
 */
export function* scopesOf(
  categories: readonly CategoryRange[],
  rows: readonly MaskRow[],
  months: number,
): Generator<IndexScope> {
  const open: { category: CategoryRange; sums: ByRetailer }[] = []
  function* close(): Generator<IndexScope> {
    const { category, sums } = open.pop()!
    const parent = open.at(-1)?.sums
    for (const [retailer_id, masks] of sums) {
      const listings = [...masks.values()].reduce((sum, { n }) => sum + n, 0)
      if (listings >= MIN_LINKS)
        yield { category_id: category.category_id, retailer_id, counts: countsOf(masks, months) }
      if (parent) for (const [mask, own] of masks) add(parent, retailer_id, mask, own)
    }
  }
  let next = 0
  for (const category of categories) {
    while (open.length > 0 && open.at(-1)!.category.category_last < category.category_id) yield* close()
    const sums: ByRetailer = new Map()
    for (; rows[next]?.category_id === category.category_id; next += 1) {
      const { retailer_id, mask, ...own } = rows[next]!
      add(sums, null, mask, own)
      add(sums, retailer_id, mask, own)
    }
    open.push({ category, sums })
  }
  while (open.length > 0) yield* close()
}
