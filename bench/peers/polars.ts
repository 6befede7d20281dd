import { tailOf } from '../trim.ts'
import type { Figures, Peer, PeerScope, PeerSource, Statistic } from './statistics.ts'
import { BEFORE, FIRST_MONTH, INDEX_MONTH, LAST_MONTH, SHARES, SINCE } from './statistics.ts'

/** The part of nodejs-polars that is used. */
type Expression = Record<
  'gtEq' | 'ltEq' | 'lt' | 'eq' | 'and' | 'div' | 'mul' | 'cast' | 'alias',
  (value: unknown) => Expression
> &
  Record<'count' | 'mean' | 'min' | 'max' | 'log', () => Expression> & {
    quantile: (share: number, interpolation: string) => Expression
  }
type LazyFrame = {
  filter: (condition: Expression) => LazyFrame
  select: (...columns: Expression[]) => LazyFrame
  withColumns: (...columns: Expression[]) => LazyFrame
  join: (other: LazyFrame, options: object) => LazyFrame
  groupBy: (column: string) => { agg: (...columns: Expression[]) => LazyFrame }
  sort: (column: string) => LazyFrame
  collect: () => Promise<{ rows: () => unknown[][] }>
}
type Polars = {
  scanParquet: (path: string) => LazyFrame
  col: (name: string) => Expression
  lit: (value: unknown) => Expression
  when: (condition: Expression) => { then: (value: Expression) => { otherwise: (value: Expression) => Expression } }
  Date: unknown
  Float64: unknown
}

export const openPolars = (module: unknown, { listings, months, retailer_id }: PeerSource): Peer => {
  const pl = ((module as { default?: unknown }).default ?? module) as Polars
  const { col } = pl
  const day = (text: string): Expression => pl.lit(new Date(text)).cast(pl.Date)
  const within = (file: string, { first, last }: PeerScope): LazyFrame =>
    pl.scanParquet(file).filter(col('category_id').gtEq(first).and(col('category_id').ltEq(last)))
  const current = (scope: PeerScope): LazyFrame =>
    within(listings, scope).filter(
      col('last_day')
        .gtEq(day(SINCE))
        .and(col('last_day').lt(day(BEFORE))),
    )
  const rowsOf = async (frame: LazyFrame): Promise<Figures> =>
    (await frame.collect()).rows().map((row) => row.map((value) => Number(value ?? 0)))
  const month = (file: string, period: string, scope: PeerScope, name: string): LazyFrame =>
    within(file, scope)
      .filter(col('period').eq(day(period)))
      .select(col('listing_id'), col('price').cast(pl.Float64).alias(name))
  const price = col('price')
  const run: Record<Statistic, (scope: PeerScope) => Promise<Figures>> = {
    dispersion: (scope) =>
      rowsOf(
        current(scope)
          .filter(col('condition').eq(pl.lit('new')))
          .select(
            price.count().alias('n'),
            price.mean().alias('mean'),
            price.min().alias('low'),
            price.max().alias('high'),
            ...SHARES.map((share) => price.quantile(share, 'linear').alias(`q${share}`)),
          ),
      ),
    'like-for-like': async (scope) => {
      const [latest, base] = [col('latest'), col('base')]
      const joined = month(months[1], LAST_MONTH, scope, 'latest')
        .join(month(months[0], FIRST_MONTH, scope, 'base'), { on: 'listing_id', how: 'inner' })
        .filter(latest.ltEq(base.mul(3)).and(base.ltEq(latest.mul(3))))
        .select(latest.div(base).log().alias('log'))
        .sort('log')
      const logs = (await rowsOf(joined)).map(([log]) => log!)
      const cut = tailOf(logs.length)
      const kept = logs.slice(cut, logs.length - cut)
      return [[logs.length, kept.reduce((sum, log) => sum + log, 0) / kept.length]]
    },
    'share of shelf': async (scope) => {
      const brands = await rowsOf(current(scope).groupBy('brand_id').agg(col('listing_id').count().alias('n')))
      return brands.toSorted(([a, n], [b, m]) => m! - n! || a! - b!).slice(0, 5)
    },
    'retailer index': (scope) =>
      rowsOf(
        within(months[1], scope)
          .filter(
            col('period')
              .gtEq(day(INDEX_MONTH))
              .and(col('period').ltEq(day(LAST_MONTH))),
          )
          .withColumns(pl.when(col('retailer_id').eq(retailer_id)).then(price).otherwise(pl.lit(null)).alias('own'))
          .groupBy('period')
          .agg(price.count().alias('n'), price.mean().alias('all'), col('own').mean().alias('mean'))
          .sort('period')
          .select(col('n'), col('all'), col('mean')),
      ),
  }
  return { name: 'polars', run: (statistic, scope) => run[statistic](scope) }
}
