import type { AnyCount, Condition, Count, Filtered, Key } from '../../engine/counts/count.ts'
import { kindOf, parameters, type Relation, relations, type ValueKind } from '../../engine/counts/relations.ts'
import type { Bindings, Row } from '../../engine/duckdb/pool.ts'

type Random = () => number
type Expression = Key<Relation> | number

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!
const upTo = <T>(random: Random, most: number, make: () => T): T[] =>
  Array.from({ length: Math.floor(random() * (most + 1)) }, make)
const byName = <T>(values: readonly T[]): Record<string, T> =>
  Object.fromEntries(values.map((value, i) => [`of_${i}`, value]))

const WHOLE_PARAMETERS = ['$retailer_id', '$brand_id', '$shelf_depth', '$lowest_price', '$highest_price'] as const
const COMPARISONS = ['=', '<', '<=', '>', '>='] as const

/** A random count of a relation, of everything that a declaration can say. */
export const drawCount = (random: Random, from: Relation): AnyCount => {
  const ofKind = (...kinds: ValueKind[]): string[] =>
    Object.keys(relations[from]).filter((name) => kinds.includes(kindOf(from, name)))
  const [whole, optional, flags, long] = [ofKind('whole'), ofKind('optional'), ofKind('flag'), ofKind('long')]
  const numbers = [...whole, ...optional]
  const known = [...optional, ...long]

  const operand = (): unknown =>
    pick(random, [
      () => pick(random, numbers),
      () => pick(random, WHOLE_PARAMETERS),
      () => Math.floor(random() * 2000),
    ])()
  const condition = (depth = 0): unknown => {
    const inner = () => condition(depth + 1)
    const leaves = [
      () => [pick(random, COMPARISONS), pick(random, numbers), operand()],
      () => ['is', pick(random, numbers), pick(random, WHOLE_PARAMETERS)],
      () => pick(random, ['$by_brand', '$in_category']),
      ...(flags.length > 0 ? [() => pick(random, flags)] : []),
      ...(known.length > 0 ? [() => ['known', pick(random, known)]] : []),
    ]
    const branches = [() => ['not', inner()], () => [pick(random, ['and', 'or']), inner(), ...upTo(random, 2, inner)]]
    return pick(random, depth > 2 ? leaves : [...leaves, ...branches])()
  }
  // The keys of a group have at most 2^53 combinations.
  const isSmall = (name: string): boolean =>
    !['depth', 'claimed', 'relative', 'mask', 'window_mask', 'observed_second'].includes(name)
  const keys = numbers.filter(isSmall)
  const key = () =>
    pick(random, [
      condition,
      () => pick(random, keys),
      () => ['if', condition(), pick(random, keys), pick(random, [...keys, 7])],
    ])()
  const summed = whole.filter(isSmall)
  const addend = () =>
    pick(random, [
      condition,
      () => pick(random, [...summed, ...optional, ...long]),
      () => ({ of: pick(random, [...summed, ...optional]), where: condition() }),
    ])()
  const highest = () =>
    pick(random, [
      () => pick(random, [...numbers, ...ofKind('time')]),
      () => ({ of: pick(random, numbers), where: condition() }),
    ])()
  const value = pick(random, [undefined, pick(random, whole)])
  return {
    from,
    where: upTo(random, 2, condition),
    by: byName(upTo(random, 3, key)),
    ...(value === undefined ? { median: pick(random, [undefined, ...whole]) } : { value }),
    sums: byName(upTo(random, 3, addend)),
    min: byName(upTo(random, 2, () => pick(random, [...numbers, ...ofKind('time')]))),
    max: byName(upTo(random, 2, highest)),
  } as unknown as AnyCount
}

/** Random values of all parameters; some were not sent. */
export const drawParameters = (random: Random): Bindings =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, type]) => {
      if (type === 'BOOLEAN') return [name, random() < 0.5]
      return [name, random() < 0.3 ? null : Math.floor(random() * pick(random, [3, 20, 2000]))]
    }),
  )

/** Three-valued logic by hand: null is unknown. */
const evaluate = (expression: Expression, row: Row, bindings: Bindings): number | boolean | null => {
  if (typeof expression === 'number') return expression
  if (typeof expression === 'string') {
    const value = expression.startsWith('$') ? bindings[expression.slice(1)] : row[expression]
    return (value ?? null) as number | boolean | null
  }
  const [operator, ...operands] = expression as readonly [string, ...Expression[]]
  const values = operands.map((operand) => evaluate(operand, row, bindings))
  const [a, b] = [values[0] ?? null, values[1] ?? null]
  switch (operator) {
    case 'known':
      return a !== null
    case 'is':
      return b === null || a === b
    case 'not':
      return a !== true
    case 'and':
      return values.every((value) => value === true)
    case 'or':
      return values.some((value) => value === true)
    case 'if':
      return a === true ? b : (values[2] ?? null)
  }
  if (a === null || b === null) return null
  return { '=': a === b, '<': a < b, '<=': a <= b, '>': a > b, '>=': a >= b }[operator]!
}

const isFiltered = (of: unknown): of is Filtered<Relation> => typeof of === 'object' && of !== null && 'of' in of
const unknownIs = (value: unknown, absent: number): number => (value === null ? absent : Number(value))
const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)

const middle = (sorted: readonly number[]): number =>
  sorted.length === 0 ? -1 : (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2

/** What a declaration counts, row by row from its definition: the same form as plainCounts (bench/cluster/canonical.ts). */
export const countNaively = (declared: AnyCount, rows: readonly Row[], bindings: Bindings): Row[] => {
  const { from, where = [], by = {}, value, sums = {}, min = {}, max = {}, median } = declared as Count<Relation>
  const of = (expression: Expression, row: Row) => evaluate(expression, row, bindings)
  const addend = (sum: unknown, row: Row) =>
    isFiltered(sum) ? (of(sum.where, row) === true ? of(sum.of, row) : null) : of(sum as Condition<Relation>, row)
  const counted = rows.filter((row) => where.every((condition) => of(condition, row) === true))
  const groups = new Map<string, Row[]>(Object.keys(by).length === 0 ? [['{}', []]] : [])
  for (const row of counted) {
    const key = JSON.stringify(
      Object.fromEntries(Object.entries(by).map(([name, k]) => [name, keyOf(from, k, of(k, row))])),
    )
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  const each = <T>(named: Readonly<Record<string, T>>, figure: (of: T) => unknown) =>
    Object.fromEntries(Object.entries(named).map(([name, declaration]) => [name, figure(declaration)]))
  return [...groups]
    .map(([key, group]) => {
      const values = (name: string) => group.map((row) => row[name]).filter((known) => known !== null) as number[]
      const tally = new Map<number, number>()
      if (value !== undefined) for (const known of values(value)) tally.set(known, (tally.get(known) ?? 0) + 1)
      const extreme = (list: (number | boolean | null)[], most: (...of: number[]) => number): number => {
        const known = list.filter((one) => one !== null).map(Number)
        return known.length === 0 ? -1 : most(...known)
      }
      return {
        key: JSON.parse(key),
        n: group.length,
        sum: each(sums, (sum) => {
          const isLong = typeof sum === 'string' && kindOf(from, sum) === 'long'
          const whole = group.reduce((all, row) => all + BigInt(unknownIs(addend(sum, row), 0)), 0n)
          return isLong ? String(whole) : Number(whole)
        }),
        min: each(min, (name) => extreme(values(name), Math.min)),
        max: each(max, (maximum) =>
          extreme(
            group.map((row) => addend(maximum, row)),
            Math.max,
          ),
        ),
        ...(median === undefined
          ? { values: [...tally].sort(([a], [b]) => a - b) }
          : { median: middle(values(median).sort((a, b) => a - b)) }),
      }
    })
    .sort(byText)
}

/** Conditions are 1 where they hold; an unknown number is -1. */
const keyOf = (from: Relation, key: unknown, value: number | boolean | null): number => {
  const isCondition =
    typeof key === 'string'
      ? key.startsWith('$') || kindOf(from, key) === 'flag'
      : Array.isArray(key) && key[0] !== 'if'
  return isCondition ? Number(value === true) : unknownIs(value, -1)
}
