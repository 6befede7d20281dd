/** Two entities that are likely one product, with the shops that sell each. */
export type EntityLink = { l_entity: number; r_entity: number; l_shops: readonly number[]; r_shops: readonly number[] }

/** Likely products: sets of entities of which no shop sells two. */
export type Clusters = {
  /** Joins the products of two entities, unless a shop would have two offers of it. Returns whether they are one. */
  join: (link: EntityLink) => boolean
  /** Each entity with the smallest entity of its product. */
  members: () => Iterable<readonly [entity: number, product: number]>
}

/** Clusters that depend on the order of links alone: the surest come first. */
export const clusters = (): Clusters => {
  const parents = new Map<number, number>()
  const shopsOf = new Map<number, readonly number[]>()
  const rootOf = (entity: number): number => {
    let current = entity
    for (let up = parents.get(current)!; up !== current; up = parents.get(current)!) {
      const next = parents.get(up)!
      parents.set(current, next)
      current = next
    }
    return current
  }
  const add = (entity: number, shops: readonly number[]): number => {
    if (parents.has(entity)) return rootOf(entity)
    parents.set(entity, entity)
    shopsOf.set(entity, shops)
    return entity
  }
  return {
    join: ({ l_entity, r_entity, l_shops, r_shops }) => {
      const [l, r] = [add(l_entity, l_shops), add(r_entity, r_shops)]
      if (l === r) return true
      const [own, others] = [shopsOf.get(l)!, shopsOf.get(r)!]
      if (own.some((shop) => others.includes(shop))) return false
      const [root, child] = l < r ? [l, r] : [r, l]
      parents.set(child, root)
      shopsOf.set(root, [...own, ...others])
      shopsOf.delete(child)
      return true
    },
    *members() {
      for (const entity of parents.keys()) yield [entity, rootOf(entity)]
    },
  }
}
