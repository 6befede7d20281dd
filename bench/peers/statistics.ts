/** The scope of the statistics: an interval of categories in the files of one country. */
export type PeerScope = { scope: string; first: number; last: number; listings: number }

/** The files and ids that every peer reads. */
export type PeerSource = {
  /** The listings of the country. */
  listings: string
  /** Its roll-up by month, of the years 2025 and 2026. */
  months: readonly [string, string]
  retailer_id: number
}

export const SINCE = '2026-08-23'
export const BEFORE = '2026-11-21'
export const SHARES = [0.1, 0.25, 0.5, 0.75, 0.9] as const
/** The first and the last month of the like-for-like change, and the first one of the index. */
export const FIRST_MONTH = '2025-11-01'
export const LAST_MONTH = '2026-10-01'
export const INDEX_MONTH = '2026-08-01'

/** Core figures alone, as numbers: nothing is named, checked or refused. */
export const statistics = ['dispersion', 'like-for-like', 'share of shelf', 'retailer index'] as const
export type Statistic = (typeof statistics)[number]
export type Figures = readonly (readonly number[])[]

/** A peer answers statistics over the files; what it needs to hold in memory it loads when it is opened. */
export type Peer = {
  name: string
  run: (statistic: Statistic, scope: PeerScope) => Promise<Figures> | Figures
  /** CPU milliseconds of its own process up to its last answer; absent where it works in this one. */
  cpuMs?: () => number
  close?: () => void
}

type SqlDialect = {
  file: (path: string) => string
  quantiles: string
  date: (day: string) => string
  trimmed: (pairs: string) => string
}

/** The statements of a dialect. */
export const statementOf = (
  { file, quantiles, date, trimmed }: SqlDialect,
  { listings, months, retailer_id }: PeerSource,
  statistic: Statistic,
  { first, last }: PeerScope,
): string => {
  const inScope = `category_id BETWEEN ${first} AND ${last}`
  const current = `${file(listings)} WHERE ${inScope} AND last_day >= ${date(SINCE)} AND last_day < ${date(BEFORE)}`
  const month = (path: string, day: string): string =>
    `(SELECT listing_id, price FROM ${file(path)} WHERE ${inScope} AND period = ${date(day)})`
  return {
    dispersion: `SELECT count(*), avg(price), min(price), max(price), ${quantiles} FROM ${current} AND condition = 'new'`,
    'like-for-like': trimmed(
      `SELECT ln(latest.price / base.price) AS log
       FROM ${month(months[1], LAST_MONTH)} AS latest JOIN ${month(months[0], FIRST_MONTH)} AS base ON latest.listing_id = base.listing_id
       WHERE latest.price <= 3 * base.price AND base.price <= 3 * latest.price`,
    ),
    'share of shelf': `SELECT coalesce(brand_id, 0) AS id, count(*) AS n FROM ${current} GROUP BY id ORDER BY n DESC, id LIMIT 5`,
    'retailer index': `SELECT count(*), avg(price), avg(CASE WHEN retailer_id = ${retailer_id} THEN price END)
      FROM ${file(months[1])} WHERE ${inScope} AND period BETWEEN ${date(INDEX_MONTH)} AND ${date(LAST_MONTH)}
      GROUP BY period ORDER BY period`,
  }[statistic]
}

/** Whether two peers found the same: nine digits, since sums of doubles differ in the last ones. */
export const areEqual = (left: Figures, right: Figures): boolean =>
  left.length === right.length &&
  left.every((row, i) =>
    row.every((value, j) => {
      const other = right[i]?.[j] ?? Number.NaN
      return Math.abs(value - other) <= 1e-9 * Math.max(1, Math.abs(value))
    }),
  )
