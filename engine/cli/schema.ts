import { z } from 'zod'
import type { Unit } from '../field.ts'
import type { AnyQuery } from '../query.ts'

/** The part of JSON Schema that the queries' schemas use. */
export type QuerySchema = {
  type?: string | string[]
  format?: string
  description?: string
  examples?: unknown[]
  default?: unknown
  enum?: unknown[]
  unit?: Unit
  minimum?: number
  maximum?: number
  properties?: Record<string, QuerySchema>
  required?: string[]
  items?: QuerySchema
  anyOf?: QuerySchema[]
  headline?: boolean
  deprecated?: boolean
  $ref?: string
  $defs?: Record<string, QuerySchema>
}

/** The parameters of a query as JSON Schema, by name. */
export const paramsOf = ({ params }: AnyQuery): Record<string, QuerySchema & { isRequired: boolean }> => {
  const { properties = {}, required = [] } = z.toJSONSchema(params, { io: 'input' }) as QuerySchema
  const entries = Object.entries(properties)
  return Object.fromEntries(entries.map(([name, schema]) => [name, { ...schema, isRequired: required.includes(name) }]))
}

/** The type of a column or field, which determines alignment, decimals and types of other formats. */
export type Kind = 'text' | 'integer' | 'number' | 'boolean' | 'date' | 'time' | 'list'
/** A leaf of a record, named by its path joined with dots. */
export type TableColumn = {
  name: string
  path: readonly string[]
  kind: Kind
  unit?: Unit | undefined
  isHeadline?: boolean
  /** Whether its numbers are changes, which are written with their sign. */
  isSigned?: boolean
}

const kindOf = ({ type, format }: QuerySchema): Kind => {
  if (type === 'integer' || type === 'number' || type === 'boolean') return type
  if (type === 'array') return 'list'
  return format === 'date' ? 'date' : format === 'date-time' ? 'time' : 'text'
}

/** A schema with its `$ref` resolved and `null` removed. */
const dereferenced = (schema: QuerySchema, defs: Record<string, QuerySchema>): QuerySchema => {
  const named = schema.$ref?.split('/').at(-1)
  if (named !== undefined) return dereferenced(defs[named] ?? {}, defs)
  const [only, ...others] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null')
  if (only && others.length === 0) return dereferenced(only, defs)
  const type = [schema.type ?? []].flat().find((name) => name !== 'null')
  return type === undefined ? schema : { ...schema, type }
}

/** Whether any of the schemas of a field has a mark. */
const isMarked = (mark: 'headline' | 'deprecated', ...schemas: readonly QuerySchema[]): boolean =>
  schemas.some((schema) => schema[mark] === true)

/** Percentages that are above zero by nature although their schema has no minimum. */
const UNSIGNED = /(rate|spread)_pct$/

/** A value as a column: its kind, its unit and its marks. */
const columnOf = (path: readonly string[], ...schemas: readonly [QuerySchema, QuerySchema]): TableColumn => {
  const [, inner] = schemas
  const name = path.join('.')
  const unit = schemas.map((schema) => schema.unit).find((of) => of !== undefined)
  const isChange = (unit === 'percent' || unit === 'points') && inner.minimum === undefined
  return {
    name,
    path,
    kind: kindOf(inner),
    unit,
    isHeadline: isMarked('headline', ...schemas),
    isSigned: isChange && !UNSIGNED.test(name),
  }
}

const leaves = (schema: QuerySchema, defs: Record<string, QuerySchema>, path: readonly string[] = []): TableColumn[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const at = [...path, name]
    const inner = dereferenced(property, defs)
    if (inner.properties) return leaves(inner, defs, at)
    return [columnOf(at, property, inner)]
  })

/** A field of an answer: one value, a record of values (columns named from the answer) or a table (from its rows). */
export type Field = { name: string; isHeadline: boolean; isDeprecated: boolean } & (
  | { shape: 'value'; column: TableColumn }
  | { shape: 'record' | 'table'; columns: TableColumn[] }
)

/** The fields of a query's answer in the order of its schema. */
export const answerFields = (answer: AnyQuery['answer']): Field[] => {
  const schema = z.toJSONSchema(answer, { unrepresentable: 'any' }) as QuerySchema
  const { $defs = {} } = schema
  const { properties = {} } = dereferenced(schema, $defs)
  return Object.entries(properties).map(([name, property]): Field => {
    const inner = dereferenced(property, $defs)
    const row = inner.items && dereferenced(inner.items, $defs)
    const isHeadline = isMarked('headline', property, inner)
    const marks = { name, isHeadline, isDeprecated: isMarked('deprecated', property, inner) }
    if (row?.properties) return { ...marks, shape: 'table', columns: leaves(row, $defs) }
    if (!inner.properties) return { ...marks, shape: 'value', column: columnOf([name], property, inner) }
    const columns = leaves(inner, $defs, [name])
    return { ...marks, isHeadline: isHeadline || columns.some((column) => column.isHeadline), shape: 'record', columns }
  })
}

/** The value at a column's path; null where a record on the way is null or absent. */
export const valueAt = (record: unknown, { path }: TableColumn): unknown =>
  path.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | null | undefined)?.[name], record) ?? null
