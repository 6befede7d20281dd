/** The bounds of buckets of change in percent: five falls, those that are stable, five rises. */
const CHANGES = [-50, -25, -10, -5, -0.5, 0.5, 5, 10, 25, 50]
const STABLE = 5

/** The bucket of a change, by whole cents: a bound itself is nearer to no change. */
export const bucket = (base: string, price: string): string =>
  CHANGES.map(
    (bound) => `(1000 * ${price}::BIGINT ${bound < 0 ? '>=' : '>'} ${1000 + 10 * bound} * ${base}::BIGINT)::INTEGER`,
  ).join(' + ')

export type Bucketed = { bucket: number; n: number }

/** The figures of counts by bucket. */
export const distributionOf = (rows: readonly Bucketed[]) => {
  const counts = Array<number>(CHANGES.length + 1).fill(0)
  for (const { bucket, n } of rows) counts[bucket]! += n
  const sum = (some: readonly number[]): number => some.reduce((total, n) => total + n, 0)
  return {
    falling: sum(counts.slice(0, STABLE)),
    stable: counts[STABLE]!,
    rising: sum(counts.slice(STABLE + 1)),
    distribution: counts.map((count, i) => ({ from_pct: CHANGES[i - 1] ?? null, to_pct: CHANGES[i] ?? null, count })),
  }
}

const SIZES = [1, 2, 5, 10, 20, 50]

/** The bucket of the size of a change, in percent of the log; 0 where there is none. */
export const sizeBucket = (base: string, price: string): string =>
  `CASE WHEN ${price} = ${base} THEN 0 ELSE 1 + ${SIZES.map(
    (bound) => `(round(abs(ln(${price}::DOUBLE / ${base})) * 1e4) > ${100 * bound})::INTEGER`,
  ).join(' + ')} END`

type SizedRow = { is_regular: boolean; size: number; rises: number; falls: number }

/** Rises and falls of posted and of regular prices by their size. */
export const sizesOf = (rows: readonly SizedRow[]) =>
  [0, ...SIZES].map((from_pct, i) => {
    const of = (isRegular: boolean) => rows.find((row) => row.size === i + 1 && row.is_regular === isRegular)
    return {
      from_pct,
      to_pct: SIZES[i] ?? null,
      increase_count: of(false)?.rises ?? 0,
      decrease_count: of(false)?.falls ?? 0,
      regular_increase_count: of(true)?.rises ?? 0,
      regular_decrease_count: of(true)?.falls ?? 0,
    }
  })
