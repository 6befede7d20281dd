/** What a basket costs: for each item its quantity and the price of one at each shop that has it. */
export type BasketItem<Shop> = { quantity: number; prices: ReadonlyMap<Shop, number> }

/** Each item at the cheapest of some shops: what that costs, and the places of the items that none of them has. */
export const costAt = <Shop>(items: readonly BasketItem<Shop>[], shops: readonly Shop[]) => {
  const missing: number[] = []
  let cost = 0
  for (const [place, { quantity, prices }] of items.entries()) {
    const price = Math.min(...shops.map((shop) => prices.get(shop) ?? Number.POSITIVE_INFINITY))
    if (Number.isFinite(price)) cost += quantity * price
    else missing.push(place)
  }
  return { cost, missing }
}

/** The same for each of several choices of shops, with what the items that they have cost at their cheapest. */
const choicesOf = <Shop>(
  items: readonly BasketItem<Shop>[],
  shops: readonly Shop[],
  choices: readonly (readonly Shop[])[],
) =>
  choices.map((choice) => {
    const { cost, missing } = costAt(items, choice)
    const had = items.filter((_, place) => !missing.includes(place))
    return { shops: choice, cost, missing, same_items_cheapest: costAt(had, shops).cost }
  })

type ShopChoice = { cost: number; missing: number[]; same_items_cheapest: number }

/** More of the items first, then the cheaper for what it has: totals of unequal baskets are never compared. */
const betterFirst = (a: ShopChoice, b: ShopChoice): number =>
  a.missing.length - b.missing.length || a.cost / a.same_items_cheapest - b.cost / b.same_items_cheapest

/** The shops by what they have of a basket and charge for it; `shops` are all that have any of it. */
export const oneShop = <Shop>(items: readonly BasketItem<Shop>[], shops: readonly Shop[]) =>
  choicesOf(
    items,
    shops,
    shops.map((shop) => [shop]),
  ).sort(betterFirst)

/** The best two shops to buy at, of all pairs; null where there are fewer. */
export const twoShops = <Shop>(items: readonly BasketItem<Shop>[], shops: readonly Shop[]) => {
  const pairs = shops.flatMap((a, i) => shops.slice(i + 1).map((b) => [a, b]))
  return choicesOf(items, shops, pairs).sort(betterFirst)[0] ?? null
}
