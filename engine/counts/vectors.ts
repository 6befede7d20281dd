import type { Bindings } from '../duckdb/pool.ts'
import { isFiltered, isParameter, type Scalar, type Sum } from './count.ts'
import type { KeyRange } from './numbering.ts'
import { kindOf, type RankedColumn, type Relation } from './relations.ts'

/** The columns of a relation in memory. */
export type ColumnSource = {
  /** A column by row, or the bit of one that is a flag. */
  column(name: string): ArrayLike<number> | { bits: Uint8Array; flag: number }
  /** The values that a column may have as a key. */
  range(name: string): KeyRange
}

/** The names of the columns that hold the parts of a long one, and whether it has a value. */
export const partsOf = (long: string) => ({ high: `${long}.high`, low: `${long}.low`, has_value: `${long}.has_value` })

/** Rows that are evaluated at a time: their columns stay in the processor's cache. */
export const BLOCK = 2048

/** Evaluates an expression for some rows, at most a block; the result is overwritten by the next. */
export type Vector = (rows: Int32Array) => Int32Array

type Operation = (values: Int32Array, a: Int32Array, b: Int32Array, length: number) => void

const operations: Readonly<Record<string, Operation>> = {
  '=': (values, a, b, length) => {
    for (let i = 0; i < length; i += 1) values[i] = a[i]! === b[i]! ? 1 : 0
  },
  '<': (values, a, b, length) => {
    for (let i = 0; i < length; i += 1) values[i] = a[i]! < b[i]! ? 1 : 0
  },
  '<=': (values, a, b, length) => {
    for (let i = 0; i < length; i += 1) values[i] = a[i]! <= b[i]! ? 1 : 0
  },
  and: (values, a, b, length) => {
    for (let i = 0; i < length; i += 1) values[i] = a[i]! & b[i]!
  },
  or: (values, a, b, length) => {
    for (let i = 0; i < length; i += 1) values[i] = a[i]! | b[i]!
  },
}

// A loop for each type of column: one loop over several types takes several times as long.
const takers = new Map<unknown, (values: Int32Array, column: never, rows: Int32Array) => void>([
  [
    Int32Array,
    (values, column: Int32Array, rows) => {
      for (let i = 0; i < rows.length; i += 1) values[i] = column[rows[i]!]!
    },
  ],
  [
    Uint32Array,
    (values, column: Uint32Array, rows) => {
      for (let i = 0; i < rows.length; i += 1) values[i] = column[rows[i]!]!
    },
  ],
  [
    Int16Array,
    (values, column: Int16Array, rows) => {
      for (let i = 0; i < rows.length; i += 1) values[i] = column[rows[i]!]!
    },
  ],
  [
    Uint8Array,
    (values, column: Uint8Array, rows) => {
      for (let i = 0; i < rows.length; i += 1) values[i] = column[rows[i]!]!
    },
  ],
])

/** The rows for which a condition holds, evaluated a block at a time. */
const selectWhere = (rows: Int32Array, condition: Vector): Int32Array => {
  const kept = new Int32Array(rows.length)
  let length = 0
  for (let start = 0; start < rows.length; start += BLOCK) {
    const some = rows.subarray(start, start + BLOCK)
    const holds = condition(some)
    for (let i = 0; i < some.length; i += 1) if (holds[i] === 1) kept[length++] = some[i]!
  }
  return kept.subarray(0, length)
}

/** Whether a condition holds of every row: a parameter that is true, or a filter by something that was not sent. */
export const holdsOfAll = (condition: Scalar<Relation>, bindings: Bindings): boolean => {
  if (typeof condition === 'number') return false
  if (typeof condition === 'string') return isParameter(condition) && bindings[condition.slice(1)] === true
  const [operator, ...operands] = condition as readonly [string, ...Scalar<Relation>[]]
  if (operator === 'is') return bindings[String(operands[1]).slice(1)] === null
  return operator === 'or' && operands.some((operand) => holdsOfAll(operand, bindings))
}

/** Makes expressions into loops over columns. They hold until the next are made of the same blocks. */
export const createVectors = (from: Relation, source: ColumnSource, bindings: Bindings, blocks: Int32Array[] = []) => {
  let taken = 0
  const takeBlock = (): Int32Array => {
    const block = blocks[taken] ?? new Int32Array(BLOCK)
    blocks[taken] = block
    taken += 1
    return block
  }

  const bound = (parameter: string): number | null => {
    const value = bindings[parameter.slice(1)]
    if (value === undefined) throw new Error(`${parameter} is not bound`)
    return value === null ? null : Number(value)
  }

  const constant = (value: number): Vector => {
    const values = takeBlock().fill(value)
    return () => values
  }

  const columnOf = (name: string): Vector => {
    const values = takeBlock()
    // A block is taken once, however many figures are of the column.
    let rowsTaken: Int32Array | null = null
    const column = source.column(name)
    if ('bits' in column) {
      const { bits, flag } = column
      return (rows) => {
        for (let i = 0; i < rows.length; i += 1) values[i] = (bits[rows[i]!]! & flag) === 0 ? 0 : 1
        return values
      }
    }
    const take = takers.get(column.constructor)!
    return (rows) => {
      if (rows !== rowsTaken) take(values, column as never, rows)
      rowsTaken = rows
      return values
    }
  }

  const columns = new Map<string, Vector>()
  const columnNamed = (name: string): Vector => {
    const vector = columns.get(name) ?? columnOf(name)
    columns.set(name, vector)
    return vector
  }

  const combined = (operator: string, a: Vector, b: Vector): Vector => {
    if (operator === '>' || operator === '>=') return combined(operator.replace('>', '<'), b, a)
    const values = takeBlock()
    const combine = operations[operator]!
    return (rows) => {
      combine(values, a(rows), b(rows), rows.length)
      return values
    }
  }

  const hasValue = (vector: Vector): Vector => combined('<=', constant(0), vector)
  const mayBeUnknown = (operand: Scalar<Relation>): boolean =>
    typeof operand === 'string' &&
    (isParameter(operand) ? bound(operand) === null : kindOf(from, operand) === 'optional')

  /** A comparison; it does not hold of an unknown value. */
  const comparison = (operator: string, operands: readonly [Scalar<Relation>, Scalar<Relation>]): Vector => {
    const [a, b] = [vectorOf(operands[0]), vectorOf(operands[1])]
    return operands
      .filter(mayBeUnknown)
      .reduce((result, operand) => combined('and', result, hasValue(vectorOf(operand))), combined(operator, a, b))
  }

  const holdsForAll = (expression: Scalar<Relation>): boolean => holdsOfAll(expression, bindings)

  const choice = ([condition, a, b]: readonly [Scalar<Relation>, Scalar<Relation>, Scalar<Relation>]): Vector => {
    const [holds, first, second] = [vectorOf(condition), vectorOf(a), vectorOf(b)]
    const values = takeBlock()
    return (rows) => {
      const [wanted, yes, no] = [holds(rows), first(rows), second(rows)]
      for (let i = 0; i < rows.length; i += 1) values[i] = wanted[i] === 1 ? yes[i]! : no[i]!
      return values
    }
  }

  const vectorOf = (expression: Scalar<Relation>): Vector => {
    if (typeof expression === 'number') return constant(expression)
    if (isParameter(expression)) return constant(bound(expression) ?? -1)
    if (typeof expression === 'string') return columnNamed(expression)
    if (holdsForAll(expression)) return constant(1)
    switch (expression[0]) {
      case 'known':
        return kindOf(from, expression[1]) === 'long'
          ? columnNamed(partsOf(expression[1]).has_value)
          : hasValue(vectorOf(expression[1]))
      case 'not':
        return combined('=', vectorOf(expression[1]), constant(0))
      case 'and':
      case 'or': {
        const [operator, ...conditions] = expression
        const [first, ...others] = conditions.map((condition) => vectorOf(condition))
        return others.reduce((result, other) => combined(operator, result, other), first!)
      }
      case 'if':
        return choice([expression[1], expression[2], expression[3]])
      case 'is':
        return comparison('=', [expression[1], expression[2]])
      case 'in':
        throw new Error(`${from} in memory has no lists of ${expression[1]}`)
      default:
        return comparison(expression[0], [expression[1], expression[2]])
    }
  }

  /** A column to combine: unknown values, and those of rows that a condition leaves out, are `absent`. */
  const addend = (sum: Sum<Relation> | RankedColumn<Relation>, absent: number): Vector => {
    // Unknown values are -1.
    if (!isFiltered(sum) && (absent === -1 || !mayBeUnknown(sum))) return vectorOf(sum)
    const of = vectorOf(isFiltered(sum) ? sum.of : sum)
    const holds = isFiltered(sum) ? vectorOf(sum.where) : constant(1)
    const values = takeBlock()
    return (rows) => {
      const [addends, isWanted] = [of(rows), holds(rows)]
      for (let i = 0; i < rows.length; i += 1) values[i] = addends[i]! < 0 || isWanted[i] === 0 ? absent : addends[i]!
      return values
    }
  }

  /** Of some rows those for which all conditions hold. */
  const filter = (where: readonly Scalar<Relation>[], rows: Int32Array): Int32Array =>
    where
      .filter((condition) => !holdsForAll(condition))
      .map(vectorOf)
      .reduce((some, holds) => selectWhere(some, holds), rows)

  return { vectorOf, addend, filter }
}

const rangeOfOperand = (operand: Scalar<Relation>, source: ColumnSource, bindings: Bindings): KeyRange => {
  if (typeof operand === 'number') return { low: operand, size: 1 }
  if (isParameter(operand)) return { low: Number(bindings[operand.slice(1)] ?? -1), size: 1 }
  return rangeOfKey(operand, source, bindings)
}

/** The values that a key may have. */
export const rangeOfKey = (key: Scalar<Relation>, source: ColumnSource, bindings: Bindings): KeyRange => {
  if (typeof key === 'object' && key[0] === 'if') {
    const [a, b] = [rangeOfOperand(key[2], source, bindings), rangeOfOperand(key[3], source, bindings)]
    const low = Math.min(a.low, b.low)
    return { low, size: Math.max(a.low + a.size, b.low + b.size) - low }
  }
  return typeof key !== 'string' || isParameter(key) ? { low: 0, size: 2 } : source.range(key)
}
