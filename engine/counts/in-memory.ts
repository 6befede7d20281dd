import type { Catalog } from '../catalog/catalog.ts'
import type { Bindings, RunOptions } from '../duckdb/pool.ts'
import { type AnyCount, type Counted, isList } from './count.ts'
import type { SnapshotStatements } from './duckdb.ts'
import { monthRelations } from './months/months.ts'
import { historyLists } from './product-days.ts'
import { productRelations } from './products.ts'
import { type Interpreter, type MemoryLists, type MemoryRelations, readStep } from './read.ts'

/** What is read without statements over observations. */
type ReadInMemory = { relations: readonly MemoryRelations[]; lists: readonly MemoryLists[] }

/** What is in memory of a country, and the histories of its listings. */
export const inMemoryOf = (
  catalog: Pick<Catalog, 'months' | 'prices' | 'products' | 'history'>,
  country: string,
  columns: SnapshotStatements['columns'],
): ReadInMemory => {
  const [months, listings] = [catalog.months(country), catalog.prices(country)]
  return {
    relations: [
      ...(months ? [monthRelations(months, columns)] : []),
      ...(listings ? [productRelations(listings, catalog)] : []),
    ],
    lists: catalog.history ? [historyLists(catalog.history)] : [],
  }
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
 * Counts relations that are in memory there, lists days from histories, and reads all else by another interpreter. Logs may differ from those of statements
 * by a unit of LOG_UNIT, since logarithms do; no figure of an answer shows it.
 */
export const inMemoryInterpreter = ({ relations, lists }: ReadInMemory, others: Interpreter): Interpreter => ({
  count: others.count,
  rows: others.rows,
  async all(step, bindings, options) {
    const here = new Map<MemoryRelations, Record<string, AnyCount>>()
    const rest: Record<string, AnyCount> = {}
    for (const [name, declared] of Object.entries(step.counts)) {
      const source = relations.find(({ has }) => has(declared.from, bindings))
      if (!source) rest[name] = declared
      else here.set(source, { ...here.get(source), [name]: declared })
    }
    const rows = { ...step.rows }
    const listed: Record<string, unknown> = {}
    for (const [name, list] of Object.entries(step.rows)) {
      const source = isList(list) && lists.find(({ has }) => has(list, bindings))
      if (!source) continue
      listed[name] = await source.rows(list, bindings)
      delete rows[name]
    }
    const isAll = Object.keys(rest).length + Object.keys(rows).length === 0
    const [elsewhere, counted] = await Promise.all([
      isAll ? {} : readStep({ ...step, counts: rest, rows }, bindings, others, options),
      ofEach(here, bindings, options),
    ])
    return { ...elsewhere, ...counted, ...listed }
  },
})
