import { tailOf } from '../trim.ts'
import { dayNumber, type Resident, type ResidentTable } from './resident.ts'
import type { Figures, Peer, PeerScope, PeerSource, Statistic } from './statistics.ts'
import { BEFORE, FIRST_MONTH, INDEX_MONTH, LAST_MONTH, SHARES, SINCE } from './statistics.ts'

type ArqueroRow = Record<string, number>
/** The part of arquero that is used. */
type ArqueroTable = {
  filter: (condition: unknown) => ArqueroTable
  derive: (columns: object) => ArqueroTable
  rollup: (columns: object) => ArqueroTable
  groupby: (column: string) => ArqueroTable
  join: (other: ArqueroTable, on: string) => ArqueroTable
  select: (...columns: string[]) => ArqueroTable
  rename: (names: object) => ArqueroTable
  orderby: (...columns: unknown[]) => ArqueroTable
  objects: (options?: { limit: number }) => ArqueroRow[]
  array: (column: string, type?: unknown) => Float64Array
}
type Arquero = {
  table: (columns: ResidentTable) => ArqueroTable
  escape: (of: (row: ArqueroRow) => unknown) => unknown
  desc: (column: string) => unknown
  op: Record<'count' | 'mean' | 'min' | 'max' | 'quantile', (...values: unknown[]) => unknown>
}

export const openArquero = (module: unknown, { retailer_id }: PeerSource, resident: Resident): Peer => {
  const { table, escape: fn, desc, op } = module as Arquero
  const listings = table(resident.listings)
  const months = table(resident.months)
  const current = ({ first, last }: PeerScope, condition: number): ArqueroTable => {
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
  const month = ({ first, last }: PeerScope, period: number, name: string): ArqueroTable =>
    months
      .filter(fn((row) => row.period === period && row.category_id! >= first && row.category_id! <= last))
      .select('listing_id', 'price')
      .rename({ price: name })
  const figures = (frame: ArqueroTable, limit = 100): Figures =>
    frame.objects({ limit }).map((row) => Object.values(row))
  const run: Record<Statistic, (scope: PeerScope) => Figures> = {
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
      const cut = tailOf(logs.length)
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
