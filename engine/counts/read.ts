import type { Catalog } from '../catalog/catalog.ts'
import { giveWay } from '../contract/turn.ts'
import type { Bindings, Row, RunOptions } from '../duckdb/pool.ts'
import { addUp } from './add-up.ts'
import {
  type AnyCount,
  type AnyList,
  type AnyRead,
  type AnyStatement,
  type Counted,
  isCount,
  isStatement,
  type NamedCounts,
  type ReadBy,
  type Reads,
} from './count.ts'
import type { Relation } from './relations.ts'

/** What a query reads. Declarations in `with` use bindings that follow from what was read before them. */
export type Declared<D extends Reads = Reads> = {
  readonly reads: D
  readonly with?: { readonly [N in keyof D]?: (read: ReadBy<D>, bindings: Bindings) => Bindings }
  /** Whether counts in `with` are read; those that are not have no rows. */
  readonly when?: { readonly [N in keyof D]?: (bindings: Bindings) => boolean }
}

// biome-ignore lint/suspicious/noExplicitAny: read by the names of any declarations
export type AnyReadBy = any
// biome-ignore lint/suspicious/noExplicitAny: the declarations of any query
export type AnyDeclared = Declared<any>

/** Reads declarations that depend on nothing but their bindings. */
export type Interpreter = {
  count(counts: NamedCounts, bindings: Bindings, options: RunOptions): Promise<Record<string, Counted>>
  rows(read: AnyList | AnyStatement, bindings: Bindings, options: RunOptions): Promise<readonly Row[]>
  /** Reads all of a step, where that is less work than each of it alone. */
  all?(step: ReadStep, bindings: Bindings, options: RunOptions): Promise<Record<string, unknown>>
}

/** Relations that are in memory. */
export type MemoryRelations = {
  /** Whether a relation is there for these bindings. */
  has(from: Relation, bindings: Bindings): boolean
  count(counts: NamedCounts, bindings: Bindings, options: RunOptions): Promise<Record<string, Counted>>
}

/** Lists that are read without statements. */
export type MemoryLists = {
  /** Whether a list is there for these bindings. */
  has(list: AnyList, bindings: Bindings): boolean
  rows(list: AnyList, bindings: Bindings): Promise<readonly Row[]>
}

/** Declarations that can be read at once; `needs` is the one whose bindings follow from the steps before. */
export type ReadStep = {
  needs: string | null
  counts: NamedCounts
  rows: Readonly<Record<string, AnyList | AnyStatement>>
}

const steps = new WeakMap<AnyDeclared, readonly ReadStep[]>()

/** The declarations of a query in the steps in which they can be read. */
export const stepsOf = (declared: AnyDeclared): readonly ReadStep[] => {
  const remembered = steps.get(declared) ?? divide(declared)
  steps.set(declared, remembered)
  return remembered
}

/** Those of them that are read with some bindings. */
export const stepsFor = (declared: AnyDeclared, bindings: Bindings): readonly ReadStep[] =>
  stepsOf(declared).filter(({ needs }) => needs === null || declared.when?.[needs]?.(bindings) !== false)

const divide = ({ reads, with: further = {} }: AnyDeclared): ReadStep[] => {
  const divided: {
    needs: string | null
    counts: Record<string, AnyCount>
    rows: Record<string, AnyList | AnyStatement>
  }[] = []
  for (const [name, read] of Object.entries<AnyRead>(reads)) {
    const needs = further[name] ? name : null
    if (needs !== null || divided.length === 0) divided.push({ needs, counts: {}, rows: {} })
    const { counts, rows } = divided.at(-1)!
    if (isCount(read)) counts[name] = read
    else rows[name] = read
  }
  return divided
}

/** Reads the declarations of a step. */
export const readStep = async (
  step: ReadStep,
  bindings: Bindings,
  interpreter: Interpreter,
  options: RunOptions,
): Promise<Record<string, unknown>> => {
  const { counts, rows } = step
  await giveWay()
  if (interpreter.all) return interpreter.all(step, bindings, options)
  const counted = Object.keys(counts).length === 0 ? {} : await interpreter.count(counts, bindings, options)
  const read: Record<string, unknown> = { ...counted }
  for (const [name, declaration] of Object.entries(rows))
    read[name] = await interpreter.rows(declaration, bindings, options)
  await giveWay()
  return read
}

const bindingsOf = (step: ReadStep, declared: AnyDeclared, bindings: Bindings, read: AnyReadBy): Bindings =>
  step.needs === null ? bindings : { ...bindings, ...declared.with?.[step.needs]?.(read, bindings) }

/** Reads the declarations of a query, step by step. */
export const readAll = async (
  declared: AnyDeclared,
  bindings: Bindings,
  interpreter: Interpreter,
  options: RunOptions = {},
): Promise<AnyReadBy> => {
  const read: AnyReadBy = {}
  const steps = stepsFor(declared, bindings)
  for (const { counts } of stepsOf(declared).filter((step) => !steps.includes(step)))
    for (const [name, count] of Object.entries(counts)) read[name] = addUp(count, [])
  for (const step of steps)
    Object.assign(read, await readStep(step, bindingsOf(step, declared, bindings, read), interpreter, options))
  return read
}

/** The steps of a query, each with its bindings; all but the last are read for them. */
export const bindSteps = async (
  declared: AnyDeclared,
  bindings: Bindings,
  interpreter: Interpreter,
): Promise<[ReadStep, Bindings][]> => {
  const read: AnyReadBy = {}
  const bound: [ReadStep, Bindings][] = []
  const all = stepsFor(declared, bindings)
  for (const step of all) {
    const values = bindingsOf(step, declared, bindings, read)
    bound.push([step, values])
    if (bound.length < all.length) Object.assign(read, await readStep(step, values, interpreter, {}))
  }
  return bound
}

/** Reads statements over names that are in memory; null if anything else is read, or nothing. */
export const namesInterpreter = (reads: Reads, catalog: Catalog): Interpreter | null => {
  const all = Object.values(reads)
  if (all.length === 0 || !all.every((read) => isStatement(read) && read.fromNames)) return null
  return {
    count: () => Promise.resolve({}),
    rows: async (read, bindings) => (read as AnyStatement).fromNames!(bindings, catalog),
  }
}

/** A statement with the relations that it names, and the values of its placeholders. */
export type BoundStatement = {
  /** The name of what it reads. */
  reads: string
  sql: string
  bindings: Bindings
}
