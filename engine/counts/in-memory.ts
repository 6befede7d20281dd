import type { Catalog } from '../catalog/catalog.ts'
import type { Bindings, RunOptions } from '../duckdb/pool.ts'
import type { AnyCount, Counted } from './count.ts'
import type { SnapshotStatements } from './duckdb.ts'
import { monthRelations } from './months/months.ts'
import { productRelations } from './products.ts'
import { type Interpreter, type MemoryRelations, readStep } from './read.ts'

/** The relations of a country that are in memory. */
export const memoryRelations = (
  catalog: Pick<Catalog, 'months' | 'prices' | 'products'>,
  country: string,
  columns: SnapshotStatements['columns'],
): MemoryRelations[] => {
  const [months, listings] = [catalog.months(country), catalog.prices(country)]
  return [
    ...(months ? [monthRelations(months, columns)] : []),
    ...(listings ? [productRelations(listings, catalog)] : []),
  ]
}

const ofEach = async (
  sources: ReadonlyMap<MemoryRelations, Record<string, AnyCount>>,
  bindings: Bindings,
  options: RunOptions,
): Promise<Record<string, Counted>> => {
  const counted: Record<string, Counted> = {}
  for (const [source, counts] of sources) Object.assign(counted, await source.count(counts, bindings, options))
  return counted
}

/**
 * Counts relations that are in memory there, and reads all else by another interpreter. Logs may differ from those of statements
 * by a unit of LOG_UNIT, since logarithms do; no figure of an answer shows it.
 */
export const inMemoryInterpreter = (sources: readonly MemoryRelations[], others: Interpreter): Interpreter => ({
  count: others.count,
  rows: others.rows,
  async all(step, bindings, options) {
    const here = new Map<MemoryRelations, Record<string, AnyCount>>()
    const rest: Record<string, AnyCount> = {}
    for (const [name, declared] of Object.entries(step.counts)) {
      const source = sources.find(({ has }) => has(declared.from, bindings))
      if (!source) rest[name] = declared
      else here.set(source, { ...here.get(source), [name]: declared })
    }
    const isAll = Object.keys(rest).length + Object.keys(step.rows).length === 0
    const [elsewhere, counted] = await Promise.all([
      isAll ? {} : readStep({ ...step, counts: rest }, bindings, others, options),
      ofEach(here, bindings, options),
    ])
    return { ...elsewhere, ...counted }
  },
})
