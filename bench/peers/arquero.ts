import { dayNumber, type Resident, type Table } from './resident.ts'
import type { Figures, Peer, Scope, Source, Statistic } from './statistics.ts'
import { BEFORE, FIRST_MONTH, INDEX_MONTH, LAST_MONTH, SHARES, SINCE } from './statistics.ts'

type Row = Record<string, number>
/** The part of arquero that is used. */
type Frame = {
  filter: (condition: unknown) => Frame
  derive: (columns: object) => Frame
  rollup: (columns: object) => Frame
  groupby: (column: string) => Frame
  join: (other: Frame, on: string) => Frame
  select: (...columns: string[]) => Frame
  rename: (names: object) => Frame
  orderby: (...columns: unknown[]) => Frame
  objects: (options?: { limit: number }) => Row[]
  array: (column: string, type?: unknown) => Float64Array
}
type Arquero = {
  table: (columns: Table) => Frame
  escape: (of: (row: Row) => unknown) => unknown
  desc: (column: string) => unknown
  op: Record<'count' | 'mean' | 'min' | 'max' | 'quantile', (...values: unknown[]) => unknown>
}

export const openArquero = (module: unknown, { retailer_id }: Source, resident: Resident): Peer => {
  const { table, escape: fn, desc, op } = module as Arquero
  const listings = table(resident.listings)
  const months = table(resident.months)
  const current = ({ first, last }: Scope, condition: number): Frame => {
    const [since, before] = [dayNumber(SINCE), dayNumber(BEFORE)]
    return listings.filter(
      fn(
        (row) =>
          row.category_id! >= first &&
          row.category_id! <= last &&
          row.last_day! >= since &&
          row.last_day! < before &&
          row.condition! >= condition,
      ),
    )
  }
  const month = ({ first, last }: Scope, period: number, name: string): Frame =>
    months
      .filter(fn((row) => row.period === period && row.category_id! >= first && row.category_id! <= last))
      .select('listing_id', 'price')
      .rename({ price: name })
  const figures = (frame: Frame, limit = 100): Figures => frame.objects({ limit }).map((row) => Object.values(row))
  const run: Record<Statistic, (scope: Scope) => Figures> = {
    dispersion: (scope) =>
      figures(
        current(scope, 1).rollup({
          n: op.count(),
          mean: op.mean('price'),
          low: op.min('price'),
          high: op.max('price'),
          ...Object.fromEntries(SHARES.map((share) => [`q${share}`, op.quantile('price', share)])),
        }),
      ),
    'like-for-like': (scope) => {
      const pairs = month(scope, dayNumber(LAST_MONTH), 'latest')
        .join(month(scope, dayNumber(FIRST_MONTH), 'base'), 'listing_id')
        .filter(fn((row) => row.latest! <= 3 * row.base! && row.base! <= 3 * row.latest!))
        .derive({ log: fn((row) => Math.log(row.latest! / row.base!)) })
      const logs = Float64Array.from(pairs.array('log')).sort()
      const cut = Math.max(1, Math.floor(logs.length / 20))
      const kept = logs.subarray(cut, logs.length - cut)
      return [[logs.length, kept.reduce((sum, log) => sum + log, 0) / kept.length]]
    },
    'share of shelf': (scope) =>
      figures(current(scope, 0).groupby('brand_id').rollup({ n: op.count() }).orderby(desc('n'), 'brand_id'), 5),
    'retailer index': ({ first, last }) => {
      const [from, to] = [dayNumber(INDEX_MONTH), dayNumber(LAST_MONTH)]
      return figures(
        months
          .filter(
            fn(
              (row) =>
                row.period! >= from && row.period! <= to && row.category_id! >= first && row.category_id! <= last,
            ),
          )
          .derive({ own: fn((row) => (row.retailer_id === retailer_id ? row.price : undefined)) })
          .groupby('period')
          .rollup({ n: op.count(), all: op.mean('price'), mean: op.mean('own') })
          .orderby('period')
          .select('n', 'all', 'mean'),
      )
    },
  }
  return { name: 'arquero', run: (statistic, scope) => run[statistic](scope) }
}
