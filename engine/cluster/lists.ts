import type { ShardCounts } from './counts.ts'

/** A value of each row; null without rows, as DuckDB's list. */
export const listOf = <T>({ length }: Pick<ShardCounts, 'length'>, of: (row: number) => T): T[] | null =>
  length === 0 ? null : Array.from({ length }, (_, row) => of(row))

/** When some rows were first and last observed; null without any. */
export const observedOf = ({ length, values }: ShardCounts, isCounted: (row: number) => boolean = () => true) => {
  const [from, to] = [values.get('observed_from')!, values.get('observed_to')!]
  let [observed_min, observed_max]: [number | null, number | null] = [null, null]
  for (let row = 0; row < length; row += 1)
    if (isCounted(row)) {
      observed_min = Math.min(observed_min ?? Number.POSITIVE_INFINITY, from[row]!)
      observed_max = Math.max(observed_max ?? 0, to[row]!)
    }
  return { observed_min, observed_max }
}

/** The numbers of the rows that a condition holds for. */
export const rowsThat = ({ length }: ShardCounts, isWanted: (row: number) => boolean): number[] =>
  Array.from({ length }, (_, row) => row).filter(isWanted)

/** Adds up numbers. */
export const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)
