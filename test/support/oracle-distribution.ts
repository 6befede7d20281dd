type Change = { base: number; price: number }

const STEPS = [5, 50, 100, 250, 500]

/** Changes by their size in whole cents: falls of over 50 % first, then smaller ones, up to rises of over 50 %. */
export const distribution = (changes: readonly Change[]) => {
  const sized = changes.map(({ base, price }) => {
    const size = STEPS.filter((step) => 1000 * Math.abs(price - base) > step * base).length
    return price < base ? -size : size
  })
  return Array.from({ length: 2 * STEPS.length + 1 }, (_, i) => {
    const size = i - STEPS.length
    const [near, far] = [STEPS[Math.abs(size) - 1], STEPS[Math.abs(size)]].map((step) =>
      step === undefined ? null : step / 10,
    )
    const bounds =
      size === 0
        ? { from_pct: -far!, to_pct: far! }
        : size > 0
          ? { from_pct: near!, to_pct: far! }
          : { from_pct: far === null ? null : -far!, to_pct: -near! }
    return { ...bounds, count: sized.filter((own) => own === size).length }
  })
}

/** Sizes of changes in percent of the log, rounded to basis points: rises beside falls, of posted and of regular prices. */
export const sizes = (posted: readonly Change[], regular: readonly Change[]) => {
  const steps = [0, 1, 2, 5, 10, 20, 50, Infinity]
  const sizeOf = ({ base, price }: Change) => Math.max(1, Math.round(Math.abs(Math.log(price / base)) * 1e4)) / 100
  return steps.slice(1).map((to, i) => {
    const from = steps[i]!
    const countOf = (changes: readonly Change[], isRise: boolean) =>
      changes.filter(
        (change) =>
          change.price !== change.base &&
          change.price > change.base === isRise &&
          sizeOf(change) > from &&
          sizeOf(change) <= to,
      ).length
    return {
      from_pct: from,
      to_pct: to === Infinity ? null : to,
      increase_count: countOf(posted, true),
      decrease_count: countOf(posted, false),
      regular_increase_count: countOf(regular, true),
      regular_decrease_count: countOf(regular, false),
    }
  })
}
