import {
  type Ask,
  addDays,
  groupBy,
  inScope,
  type ListingDay,
  listingKey,
  mean,
  observedBetween,
  pct,
  ratio,
  sum,
} from './oracle.ts'
import { type CurrentAsk, currentPrices } from './oracle-current.ts'
import type { ProductOf, Products } from './oracle-tracker.ts'

/** The lowest price of a product at each of its retailers. */
type Product = Map<string, number>

const STEPS = 500

const productsOf = (rows: readonly ListingDay[], productOf: ProductOf): Product[] => {
  const known = rows.filter(({ listing }) => productOf(listingKey(listing)) !== null)
  return [...groupBy(known, ({ listing }) => productOf(listingKey(listing))!).values()].map(
    (own) =>
      new Map(
        [...groupBy(own, ({ listing }) => listing.platform)].map(([retailer, sold]) => [
          retailer,
          Math.min(...sold.map(({ price }) => price)),
        ]),
      ),
  )
}

/** The retailers that are reached from one by products that both sell. */
const reachedFrom = (retailer: string, products: readonly Product[]): string[] => {
  const reached = new Set([retailer])
  for (const of of [...products, ...products, ...products, ...products, ...products])
    if ([...of.keys()].some((seller) => reached.has(seller))) for (const seller of of.keys()) reached.add(seller)
  return [...reached].sort()
}

/** Products and retailers in turn become the means of what is left, until nothing moves. */
export const levelsOf = (products: readonly Product[], retailers: readonly string[]): Map<string, number> => {
  const levels = new Map(retailers.map((retailer) => [retailer, 0]))
  for (let step = 0; step < STEPS; step += 1) {
    const left = new Map(retailers.map((retailer): [string, number[]] => [retailer, []]))
    for (const of of products) {
      const level = mean([...of].map(([retailer, price]) => Math.log(price) - levels.get(retailer)!))
      for (const [retailer, price] of of) left.get(retailer)!.push(Math.log(price) - level)
    }
    for (const retailer of retailers) levels.set(retailer, mean(left.get(retailer)!))
  }
  return levels
}

const squares = (values: readonly number[]): number => sum(values.map((value) => value * value))

const pairNames = (products: readonly Product[]): [string, string][] => {
  const sellers = [...new Set(products.flatMap((of) => [...of.keys()]))].sort()
  return sellers.flatMap((a, i) => sellers.slice(i + 1).map((b): [string, string] => [a, b]))
}

/** What two retailers both sell, those with most products first. */
const sharedPairs = (products: readonly Product[]) =>
  pairNames(products)
    .map(([a, b]) => ({ a, b, both: products.filter((of) => of.has(a) && of.has(b)) }))
    .filter(({ both }) => both.length > 0)
    .sort((x, y) => y.both.length - x.both.length || (`${x.a} ${x.b}` < `${y.a} ${y.b}` ? -1 : 1))

const newListings = (days: readonly ListingDay[], ask: CurrentAsk, products: Products) => {
  const rows = currentPrices(days, ask).filter(({ listing }) => inScope(listing, ask) && listing.is_new)
  const isJoined = (productOf: ProductOf) => {
    const shared = groupBy(rows, ({ listing }) => productOf(listingKey(listing)) ?? '')
    return ({ listing }: ListingDay): boolean => {
      const product = productOf(listingKey(listing))
      return product !== null && shared.get(product)!.some((other) => other.listing.platform !== listing.platform)
    }
  }
  const shareOf = (isCounted: (row: ListingDay) => boolean) => pct((100 * rows.filter(isCounted).length) / rows.length)
  return {
    rows,
    joined: {
      listing_count: rows.length,
      identified_pct: shareOf(({ listing }) => products.certain(listingKey(listing)) !== null),
      joined_pct: shareOf(isJoined(products.certain)),
      likely_joined_pct: shareOf(isJoined(products.likely)),
      meta: rows.length === 0 ? null : observedBetween(rows),
    },
  }
}

/** The statistics of analyst/retailer-levels; null where nothing new was observed. */
export const retailerLevels = (days: readonly ListingDay[], ask: CurrentAsk, products: Products) => {
  const { rows, joined } = newListings(days, ask, products)
  if (rows.length === 0) return null
  const shared = productsOf(rows, products.certain).filter(({ size }) => size > 1)
  const sellers = [...new Set(shared.flatMap((of) => [...of.keys()]))]
  const pricesOf = (group: readonly string[]) => sum(group.map((of) => shared.filter((each) => each.has(of)).length))
  const groups = sellers.map((of) => reachedFrom(of, shared)).sort((a, b) => pricesOf(b) - pricesOf(a))
  // Which of two equally large groups has levels is not defined.
  const isTied = new Set(groups.filter((of) => pricesOf(of) === pricesOf(groups[0]!)).map(String)).size > 1
  const group = groups[0] ?? []
  const linked = shared.filter((of) => group.includes([...of.keys()][0]!))
  const countOf = (retailer: string) => shared.filter((of) => of.has(retailer)).length
  const levels = levelsOf(linked, group)
  const shown = group.filter((retailer) => countOf(retailer) >= 10)
  const base = shown.length > 1 ? mean(shown.map((of) => levels.get(of)!)) : null
  const deviations = linked.map((of) =>
    [...of].map(([, price]) => Math.log(price) - mean([...of.values()].map(Math.log))),
  )
  const residuals = linked.map((of) => {
    const left = [...of].map(([retailer, price]) => Math.log(price) - levels.get(retailer)!)
    return left.map((log) => log - mean(left))
  })
  const [within, residual] = [squares(deviations.flat()), squares(residuals.flat())]
  const prices = sum(linked.map(({ size }) => size))
  const freedom = prices - linked.length
  const spread = (of: number, by: number) => (base === null || by <= 0 ? null : pct(100 * Math.sqrt(of / by)))
  return {
    isTied,
    figures: {
      ...joined,
      shared_products: linked.length,
      price_count: prices,
      within_sd_pct: spread(within, freedom),
      residual_sd_pct: spread(residual, freedom - group.length + 1),
      retailer_share_pct: base === null || within === 0 ? null : pct((100 * (within - residual)) / within),
      retailers: sellers
        .map((retailer) => ({
          retailer,
          level: base === null || !shown.includes(retailer) ? null : ratio(Math.exp(levels.get(retailer)! - base)),
          shared_products: countOf(retailer),
        }))
        .sort((a, b) => (b.level ?? 0) - (a.level ?? 0) || (a.retailer < b.retailer ? -1 : 1)),
      pairs: sharedPairs(shared).map(({ a, b, both }) => ({
        retailer: a,
        other_retailer: b,
        shared_products: both.length,
        identical_pct:
          both.length < 10 ? null : pct((100 * both.filter((of) => of.get(a) === of.get(b)).length) / both.length),
      })),
    },
  }
}

const monthBefore = (month: string): string => addDays(`${month}-01`, -1).slice(0, 7)

/** What came to the shelves of a retailer in the last complete month, and what left them. */
const turnoverOf = (days: readonly ListingDay[], retailer: string, as_of: string) => {
  const last = monthBefore(as_of.slice(0, 7))
  const before = monthBefore(last)
  const own = days.filter(({ listing }) => listing.platform === retailer)
  const first = `${Number(last.slice(0, 4)) - 1}-${last.slice(5)}-01`
  const pricedIn = (month: string) =>
    new Set(own.filter(({ day }) => day.startsWith(month)).map(({ listing }) => listingKey(listing)))
  const shelvesIn = (month: string) =>
    new Set(own.filter(({ day }) => day.startsWith(month)).map(({ listing }) => listing.shelf.join(' > ')))
  const [now, then] = [pricedIn(last), pricedIn(before)]
  const earlier = new Set(
    own.filter(({ day }) => day >= first && day < `${before}-01`).map(({ listing }) => listingKey(listing)),
  )
  const added = [...now].filter((key) => !then.has(key))
  const returned = added.filter((key) => earlier.has(key)).length
  const left = [...then].filter((key) => !now.has(key)).length
  const [shelves, shelvesThen] = [shelvesIn(last), shelvesIn(before)]
  const all = new Set([...shelves, ...shelvesThen])
  const changed = [...all].filter((shelf) => !shelves.has(shelf) || !shelvesThen.has(shelf)).length
  return {
    listing_count: now.size,
    new_count: added.length - returned,
    returned_count: returned,
    stayed_count: now.size - added.length,
    left_count: left,
    new_pct: then.size === 0 ? null : pct((100 * (added.length - returned)) / then.size),
    left_pct: then.size === 0 ? null : pct((100 * left) / then.size),
    panel_break: all.size > 0 && 3 * changed >= all.size,
  }
}

/** The statistics of marketing/assortment; null where nothing new was observed. */
export const assortment = (days: readonly ListingDay[], ask: CurrentAsk, products: Products) => {
  const { rows, joined } = newListings(days, ask, products)
  if (rows.length === 0) return null
  const [certain, likely] = [productsOf(rows, products.certain), productsOf(rows, products.likely)]
  const of = (all: readonly Product[], retailer: string) => all.filter((each) => each.has(retailer))
  const onlyHere = (all: readonly Product[], retailer: string) => {
    const own = of(all, retailer)
    return own.length === 0 ? null : pct((100 * own.filter(({ size }) => size === 1).length) / own.length)
  }
  const inScopeDays = days.filter(({ listing }) => inScope(listing, ask as Ask))
  const isPriced = ({ listing_count, left_count }: ReturnType<typeof turnoverOf>) => listing_count + left_count > 0
  const retailers = [...new Set(inScopeDays.map(({ listing }) => listing.platform))].flatMap((retailer) => {
    const turnover = turnoverOf(inScopeDays, retailer, ask.as_of)
    if (!isPriced(turnover) && !rows.some(({ listing }) => listing.platform === retailer)) return []
    return [
      {
        retailer,
        product_count: of(certain, retailer).length,
        only_here_pct: onlyHere(certain, retailer),
        likely_only_here_pct: onlyHere(likely, retailer),
        ...turnover,
      },
    ]
  })
  return {
    ...joined,
    turnover_month: `${monthBefore(ask.as_of.slice(0, 7))}-01`,
    retailers: retailers.sort((a, b) => b.product_count - a.product_count || (a.retailer < b.retailer ? -1 : 1)),
    pairs: sharedPairs(certain).map(({ a, b, both }) => ({
      retailer: a,
      other_retailer: b,
      shared_products: both.length,
      jaccard: ratio(both.length / (of(certain, a).length + of(certain, b).length - both.length)),
      share_of_retailer_pct: pct((100 * both.length) / of(certain, a).length),
      share_of_other_pct: pct((100 * both.length) / of(certain, b).length),
      likely_shared_products: likely.filter((each) => each.has(a) && each.has(b)).length,
    })),
  }
}

/** One item of a basket: its quantity and the prices of its listings that can be bought, by retailer. */
export type OracleItem = { quantity: number; offers: { retailer: string; price: number }[] }

/** The figures of shopper/basket by going through every choice. */
export const basketCosts = (items: readonly OracleItem[]) => {
  const shops = [...new Set(items.flatMap(({ offers }) => offers.map(({ retailer }) => retailer)))].sort()
  const lowest = ({ offers }: OracleItem, at: readonly string[]): number | null => {
    const prices = offers.filter(({ retailer }) => at.includes(retailer)).map(({ price }) => price)
    return prices.length === 0 ? null : Math.min(...prices)
  }
  const at = (some: readonly string[]) => {
    const had = items.filter((item) => lowest(item, some) !== null)
    const cost = sum(had.map((item) => item.quantity * lowest(item, some)!))
    const cheapest = sum(had.map((item) => item.quantity * lowest(item, shops)!))
    return { cost, missing: items.flatMap((item, i) => (had.includes(item) ? [] : [i])), cheapest }
  }
  const better = (a: ReturnType<typeof at>, b: ReturnType<typeof at>): number =>
    a.missing.length - b.missing.length || a.cost / a.cheapest - b.cost / b.cheapest
  const pairs = shops.flatMap((a) => shops.filter((b) => a < b).map((b) => at([a, b])))
  return {
    split: at(shops),
    one: shops.map((shop) => ({ shop, ...at([shop]) })).sort((a, b) => better(a, b) || (a.shop < b.shop ? -1 : 1)),
    two: pairs.sort(better)[0] ?? null,
  }
}
