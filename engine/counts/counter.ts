import type { Bindings } from '../duckdb/pool.ts'
import { createAdder, type PreparedCounts } from './add-up.ts'
import type { AnyCount, Count } from './count.ts'
import type { Numbers } from './numbering.ts'
import { kindOf, type Relation } from './relations.ts'
import { isLong } from './slots.ts'
import { BLOCK, type ColumnSource, createVectors, partsOf, rangeOfKey, type Vector } from './vectors.ts'

const evaluate = (vectors: readonly Vector[], rows: Int32Array): Int32Array[] => vectors.map((vector) => vector(rows))

/** Values of a long column. */
const longValues = (source: ColumnSource, name: string, block: number) => {
  const column = source.column(name) as Float64Array
  const values = new Float64Array(block)
  return (rows: Int32Array): Float64Array => {
    for (let i = 0; i < rows.length; i += 1) values[i] = column[rows[i]!]!
    return values
  }
}

/** Counts rows of a relation in memory as declared: at most `all`, a block of at most BLOCK at a time. */
export const createCounter = (
  declared: AnyCount,
  source: ColumnSource,
  bindings: Bindings,
  all: number,
  blocks?: Int32Array[],
) => {
  const { from, by = {}, median, value = median, sums = {}, min = {}, max = {} } = declared as Count<Relation>
  const { vectorOf, addend, filter } = createVectors(from, source, bindings, blocks)
  const block = Math.min(BLOCK, all)
  const keys = Object.values(by)
  const valuesOf = (name: string): ((rows: Int32Array) => Numbers) =>
    kindOf(from, name) === 'long' ? longValues(source, name, block) : vectorOf(name as never)
  const valueVector = value === undefined ? null : valuesOf(value)
  const vectors = {
    keys: keys.map(vectorOf),
    sums: Object.values(sums).flatMap((sum) => {
      if (!isLong(from, sum)) return [addend(sum, 0)]
      const { high, low } = partsOf(String(sum))
      return [vectorOf(high as never), vectorOf(low as never)]
    }),
    min: Object.values(min).map(vectorOf),
    max: Object.values(max).map((of) => addend(of, -1)),
  }
  const adder = createAdder(
    declared,
    keys.map((key) => rangeOfKey(key, source, bindings)),
    all,
    block,
  )
  return {
    filter,
    add: (rows: Int32Array): void =>
      adder.add({
        length: rows.length,
        keys: evaluate(vectors.keys, rows),
        value: valueVector?.(rows) ?? null,
        n: null,
        sums: evaluate(vectors.sums, rows),
        min: evaluate(vectors.min, rows),
        max: evaluate(vectors.max, rows),
        median: [],
      }),
    makeRoom: adder.makeRoom,
    finish: (): PreparedCounts => adder.finish(),
  }
}
