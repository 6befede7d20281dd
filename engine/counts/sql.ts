import type { Bindings } from '../duckdb/pool.ts'
import {
  type AnyCount,
  type AnyList,
  type Condition,
  type Count,
  isFiltered,
  isParameter,
  type List,
  type Order,
  type Scalar,
  type Sum,
} from './count.ts'
import { kindOf, type Parameter, parameters, type RankedColumn, type Relation } from './relations.ts'
import { isLong, KINDS, LONG_PART, type SlotKind, slotsOf, widthsOf } from './slots.ts'

/** What DuckDB and ClickHouse write differently. */
export type EngineDialect = {
  placeholder(name: Parameter): string
  /** Whether a column is one of a list of numbers, a text separated by commas. */
  isAmong(column: string, list: string): string
  /** The rows of a relation for each of some parts, in its column `part`; null where what several read can be materialized. */
  repeated: ((relation: string, parts: readonly number[]) => string) | null
  /** The whole part of a quotient. */
  quotient(of: string, by: number): string
  median(of: string): string
  /** A time in seconds since 1970. */
  seconds(time: string): string
  /** An aggregate that is -1 where no row has a known value. */
  orUnknown(aggregate: string): string
}

const TYPES = { keys: 'INTEGER', sums: 'DOUBLE', min: 'DOUBLE', max: 'DOUBLE', median: 'DOUBLE' } as const

/** Writes declarations in the SQL of a dialect. */
export const createWriter = ({
  placeholder,
  isAmong,
  repeated,
  quotient,
  median,
  seconds,
  orUnknown,
}: EngineDialect) => {
  const scalarSql = (expression: Scalar<Relation>): string => {
    if (typeof expression === 'number') return String(expression)
    if (typeof expression === 'string')
      return isParameter(expression) ? placeholder(expression.slice(1) as Parameter) : expression
    const [operator, ...operands] = expression as readonly [string, ...Scalar<Relation>[]]
    const texts = operands.map(scalarSql)
    const [first = '', second = '', third = ''] = texts
    switch (operator) {
      case 'is':
        return `(${second} IS NULL OR ${first} = ${second})`
      case 'in':
        return isAmong(first, second)
      case 'known':
        return `${first} IS NOT NULL`
      case 'not':
        return `NOT coalesce(${first}, false)`
      case 'and':
      case 'or':
        return `(${texts.join(` ${operator.toUpperCase()} `)})`
      case 'if':
        return `CASE WHEN ${first} THEN ${second} ELSE ${third} END`
      default:
        return `${first} ${operator} ${second}`
    }
  }

  /** Whether an expression is true or false, rather than a whole number. */
  const isCondition = (from: Relation, expression: Scalar<Relation>): boolean => {
    if (typeof expression === 'number') return false
    if (typeof expression !== 'string') return expression[0] !== 'if'
    if (isParameter(expression)) return parameters[expression.slice(1) as Parameter] === 'BOOLEAN'
    return kindOf(from, expression) === 'flag'
  }

  const keyOf = (from: Relation, key: Scalar<Relation>): string => {
    if (isCondition(from, key)) return `CASE WHEN ${scalarSql(key)} THEN 1 ELSE 0 END`
    const hasValue = typeof key === 'string' && !isParameter(key) && kindOf(from, key) === 'whole'
    return hasValue ? scalarSql(key) : `coalesce(${scalarSql(key)}, -1)`
  }

  /**
   * What rows are grouped by for a key: its column, whose statistics the engine knows, or its expression; that of a flag, too,
   * where unknown and false are one group, so that its median is not that of a part.
   */
  const groupOf = (from: Relation, key: Scalar<Relation>): string =>
    typeof key === 'string' && !isCondition(from, key) && !isParameter(key) ? key : keyOf(from, key)

  const addendOf = (from: Relation, sum: Sum<Relation> | RankedColumn<Relation>): string => {
    if (isFiltered(sum)) return `CASE WHEN ${scalarSql(sum.where)} THEN ${sum.of} END`
    return isCondition(from, sum) ? `CASE WHEN ${scalarSql(sum)} THEN 1 END` : scalarSql(sum)
  }

  const sumsOf = (from: Relation, sum: Sum<Relation>): string[] => {
    const whole = `coalesce(sum(${addendOf(from, sum)}), 0)`
    return isLong(from, sum) ? [quotient(whole, LONG_PART), `${whole} % ${LONG_PART}`] : [whole]
  }

  const filterOf = (where: readonly Condition<Relation>[] = []): string[] =>
    where.length === 0 ? [] : [`WHERE ${where.map(scalarSql).join(' AND ')}`]

  const secondsOf = (from: Relation, column: unknown, text: string): string =>
    typeof column === 'string' && kindOf(from, column) === 'time' ? seconds(text) : text

  const columnsOf = (count: AnyCount): Record<SlotKind, string[]> => {
    const { from, by = {}, sums = {}, min = {}, max = {}, median: middle } = count as Count<Relation>
    return {
      keys: Object.values(by).map((key) => keyOf(from, key)),
      sums: Object.values(sums).flatMap((sum) => sumsOf(from, sum)),
      min: Object.values(min).map((of) => orUnknown(secondsOf(from, of, `min(${of})`))),
      max: Object.values(max).map((of) => orUnknown(secondsOf(from, of, `max(${addendOf(from, of)})`))),
      median: middle === undefined ? [] : [orUnknown(median(middle))],
    }
  }

  /** Columns of each kind, padded to as many as all counts have. */
  const padded = (columns: Partial<Record<SlotKind, string[]>>, widths: Record<SlotKind, number>): string[] =>
    KINDS.flatMap((kind) =>
      Array.from(
        { length: widths[kind] },
        (_, i) => `CAST(${columns[kind]?.[i] ?? 0} AS ${TYPES[kind]}) AS ${kind}_${i}`,
      ),
    )

  /** One expression for several counts over the same rows, each of which is of the count that `part` numbers. */
  const byPart = (parts: readonly number[], texts: readonly string[]): string => {
    if (new Set(texts).size === 1) return texts[0]!
    const cases = parts.slice(1).map((part, i) => `WHEN part = ${part} THEN ${texts[i + 1]}`)
    return `CASE ${cases.join(' ')} ELSE ${texts[0]} END`
  }

  /** The rows of several counts of one relation, which is read once, padded to the columns of all. */
  const repeatedPart = (
    from: Relation,
    counts: ReadonlyMap<number, AnyCount>,
    widths: Record<SlotKind, number>,
  ): string => {
    const parts = [...counts.keys()]
    const of = (textOf: (count: Count<Relation>) => string): string =>
      byPart(
        parts,
        [...counts.values()].map((count) => textOf(count as Count<Relation>)),
      )
    const value = of(({ value }) =>
      value === undefined ? 'CAST(0 AS DOUBLE)' : `CAST(coalesce(${value}, 0) AS DOUBLE)`,
    )
    const columns = new Map([...counts.values()].map((count) => [count, columnsOf(count)]))
    const padded = (kind: SlotKind) =>
      Array.from({ length: widths[kind] }, (_, i) =>
        of((count) => `CAST(${columns.get(count as AnyCount)![kind][i] ?? 0} AS ${TYPES[kind]})`),
      )
    const named = KINDS.flatMap((kind) => padded(kind).map((text, i) => `${text} AS ${kind}_${i}`))
    const conditions = [...counts].map(([part, { where }]) =>
      [`part = ${part}`, ...(where ?? []).map((condition) => scalarSql(condition as Condition<Relation>))].join(
        ' AND ',
      ),
    )
    return [
      `SELECT ${['part', `${value} AS value`, 'CAST(count(*) AS INTEGER) AS n', ...named].join(', ')}`,
      `FROM ${repeated!(from, parts)}`,
      `WHERE ${conditions.join(' OR ')}`,
      `GROUP BY ${['part', value, ...padded('keys')].join(', ')}`,
    ].join('\n')
  }

  /** The rows of one count, padded to the columns of all. */
  const partOf = (count: AnyCount, part: number, source: string, widths: Record<SlotKind, number>): string => {
    const { from, where, by = {}, value } = count as Count<Relation>
    const groups = [...Object.values(by).map((key) => groupOf(from, key)), ...(value === undefined ? [] : [value])]
    return [
      `SELECT ${[`${part} AS part`, `CAST(${value ?? 0} AS DOUBLE) AS value`, 'CAST(count(*) AS INTEGER) AS n', ...padded(columnsOf(count), widths)].join(', ')}`,
      `FROM ${source}`,
      ...filterOf(where),
      ...(groups.length === 0 ? [] : [`GROUP BY ${groups.join(', ')}`]),
    ].join('\n')
  }

  /** The parts of several counts, those of one relation together. */
  const repeatedParts = (counts: readonly AnyCount[], widths: Record<SlotKind, number>): string[] => {
    const byRelation = new Map<Relation, Map<number, AnyCount>>()
    for (const [part, count] of counts.entries())
      byRelation.set(count.from, (byRelation.get(count.from) ?? new Map<number, AnyCount>()).set(part, count))
    return [...byRelation].map(([from, parts]) => {
      const [[part, count] = [0, counts[0]!]] = parts
      return parts.size === 1 ? partOf(count, part, from, widths) : repeatedPart(from, parts, widths)
    })
  }

  /**
   * One statement for several counts; a relation that several read is made once. So are lists of the same relations, in its column
   * `listed` as JSON: a part each after those of the counts.
   */
  const statementOfCounts = (
    counts: readonly AnyCount[],
    lists: readonly AnyList[] = [],
    bindings: Bindings = {},
  ): string => {
    const widths = widthsOf(counts)
    const reads = [...counts, ...lists]
    const readers = (relation: Relation): number => reads.filter(({ from }) => from === relation).length
    const shared = [...new Set(counts.map(({ from }) => from))].filter((relation) => readers(relation) > 1)
    const sourceOf = (from: Relation): string => (shared.includes(from) ? `read_${from}` : from)
    if (repeated) return repeatedParts(counts, widths).join('\nUNION ALL\n')
    const parts = counts.map((count, part) => partOf(count, part, sourceOf(count.from), widths))
    const pages = lists.map((list, i) => {
      const rows = statementOfList(list, bindings, sourceOf(list.from))
      const listed = `(SELECT CAST(to_json(list(page ORDER BY ${orderSql(list, bindings)})) AS VARCHAR) FROM (${rows}) AS page)`
      const columns = [`${counts.length + i} AS part`, 'CAST(0 AS DOUBLE) AS value', '0 AS n', ...padded({}, widths)]
      return `SELECT ${[...columns, `${listed} AS listed`].join(', ')}`
    })
    const counted = pages.length === 0 ? parts : parts.map((part) => part.replace('\nFROM', ', NULL AS listed\nFROM'))
    const sources = shared.map((from) => `read_${from} AS MATERIALIZED (SELECT * FROM ${from})`)
    return [
      ...(sources.length === 0 ? [] : [`WITH ${sources.join(', ')}`]),
      [...counted, ...pages].join('\nUNION ALL\n'),
    ].join('\n')
  }

  /** The statement of one count with the names of its declaration, to be read by people; sorted. */
  const readableCount = (count: AnyCount): string => {
    const { from, where, value } = count as Count<Relation>
    const slots = slotsOf(count)
    const columns = columnsOf(count)
    const figures = KINDS.flatMap((kind) =>
      columns[kind].map((column, i) => {
        const name = slots[kind][i]!.replace('.', '_')
        return `${column} AS ${kind === 'min' || kind === 'max' ? `${kind}_${name}` : name}`
      }),
    )
    const grouped = [...columns.keys, ...(value === undefined ? [] : [value])]
    return [
      `SELECT ${[...(value === undefined ? [] : [value]), 'count(*) AS n', ...figures].join(',\n       ')}`,
      `FROM ${from}`,
      ...filterOf(where),
      ...(grouped.length === 0 ? [] : ['GROUP BY ALL']),
      'ORDER BY ALL',
    ].join('\n')
  }

  const orderSql = (declared: AnyList, bindings: Bindings): string =>
    orderOf(declared, bindings)
      .map((by) => (by.startsWith('-') ? `${by.slice(1)} DESC` : by))
      .join(', ')

  const statementOfList = (declared: AnyList, bindings: Bindings, source: string = declared.from): string => {
    const { from, where, columns, limit, offset } = declared as List<Relation>
    const listedColumn = (name: string): string =>
      kindOf(from, name) === 'time' ? `${seconds(name)} AS ${name}` : name
    return [
      `SELECT ${columns.map(listedColumn).join(', ')}`,
      `FROM ${source}`,
      ...filterOf(where),
      `ORDER BY ${orderSql(declared, bindings)}`,
      ...(limit === undefined ? [] : [`LIMIT ${scalarSql(limit)}`]),
      ...(offset === undefined ? [] : [`OFFSET ${scalarSql(offset)}`]),
    ].join('\n')
  }

  return { statementOfCounts, readableCount, statementOfList }
}

/** Which rows of a list are read for some bindings: those [start, end) in its order. */
export const pageOf = ({ limit, offset }: AnyList, bindings: Bindings): { start: number; end: number } => {
  const numberOf = (operand: string): number => Number(bindings[operand.slice(1)])
  const start = offset === undefined ? 0 : numberOf(offset)
  return { start, end: limit === undefined ? Number.POSITIVE_INFINITY : start + numberOf(limit) }
}

/** The order of a list for some bindings. */
export const orderOf = ({ order }: AnyList, bindings: Bindings): readonly Order<Relation>[] =>
  'by' in order ? order.orders[String(bindings[order.by])]! : order
