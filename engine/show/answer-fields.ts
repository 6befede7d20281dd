import { z } from 'zod'
import { type Role, type Unit, units } from '../contract/field.ts'
import type { AnyQuery } from '../queries/query.ts'
import { titleIn, titles } from './title.ts'

/** The type of a value, which determines its text, its alignment and its type in files; json: a list or a record. */
export type Kind = 'text' | 'integer' | 'number' | 'boolean' | 'date' | 'time' | 'json'

/** A field of an answer with its meaning: a value, a record of fields, a table of records or a list of values. */
export type AnswerField = {
  /** Names joined with dots, with `[]` after a table or list: `time_series[].lfl.low`. */
  path: string
  /** The path from the answer, or from its row in a table: `lfl.low`. */
  name: string
  shape: 'value' | 'record' | 'table' | 'list'
  kind: Kind
  unit?: Unit
  isNullable: boolean
  /** Whether its numbers are changes, which are written with their sign. */
  isSigned: boolean
  /** Whether it is the figure to quote from its answer. */
  isHeadline: boolean
  /** Whether it is quoted beside that one. */
  isBeside: boolean
  isDeprecated: boolean
  role: Role
  /** What people read in place of its name; of a column, with the title of its record: `Like-for-like interval low`. */
  title: string
  /** The title of the record that a column is of. */
  record?: string
  description: string
  /** The values of a choice, or of the entries of a list of choices. */
  choices?: readonly string[]
  /** The fields of a record, or of the rows of a table. */
  fields: readonly AnswerField[]
}

/** What a column needs to be shown. */
export type TableColumn = Pick<AnswerField, 'name' | 'kind'> &
  Partial<Pick<AnswerField, 'title' | 'record' | 'unit' | 'isHeadline' | 'isBeside' | 'isSigned' | 'role' | 'fields'>>

/** The part of JSON Schema that answers use. */
type JsonSchema = {
  type?: string | string[]
  format?: string
  enum?: string[]
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
  $ref?: string
  $defs?: Record<string, JsonSchema>
  title?: string
  description?: string
  deprecated?: boolean
  unit?: Unit
  headline?: boolean
  beside?: boolean
  signed?: boolean
  role?: Role
}
type Definitions = Record<string, JsonSchema>

const typesOf = ({ type = [], anyOf = [] }: JsonSchema): string[] => [type, ...anyOf.map(typesOf)].flat()

/** The schema that a `$ref` names. */
export const schemaNamed = <S>($ref: unknown, definitions: Readonly<Record<string, S>>): S | undefined =>
  definitions[String($ref).split('/').at(-1)!]

/** A schema with its `$ref` resolved and its alternative `null` removed; its own keywords take precedence. */
const resolved = ({ $ref, anyOf = [], ...schema }: JsonSchema, definitions: Definitions): JsonSchema => {
  const inner = $ref === undefined ? anyOf.find(({ type }) => type !== 'null') : schemaNamed($ref, definitions)
  return inner ? { ...resolved(inner, definitions), ...schema } : schema
}

const kindOf = (schema: JsonSchema): Kind => {
  const [type] = typesOf(schema).filter((name) => name !== 'null')
  if (type === 'integer' || type === 'number' || type === 'boolean') return type
  if (type === 'array' || type === 'object') return 'json'
  return schema.format === 'date' ? 'date' : schema.format === 'date-time' ? 'time' : 'text'
}

/** Where fields are: the prefix of their paths, and the record that they are in, if they are not in a row. */
type Place = { prefix: string; names: readonly string[]; role: Role }

const fieldsOf = (schema: JsonSchema, definitions: Definitions, place: Place): AnswerField[] =>
  Object.entries(schema.properties ?? {}).map(([name, property]): AnswerField => {
    const field = resolved(property, definitions)
    const entry = field.items && resolved(field.items, definitions)
    const { unit, role = place.role, description = '' } = field
    const { enum: choices, properties } = entry ?? field
    const path = `${place.prefix}${name}${entry ? '[]' : ''}`
    const names = [...place.names, name]
    return {
      path,
      name: names.join('.'),
      shape: entry ? (properties ? 'table' : 'list') : properties ? 'record' : 'value',
      kind: kindOf(field),
      ...(unit ? { unit } : {}),
      isNullable: typesOf(property).includes('null'),
      isSigned: field.signed === true,
      isHeadline: field.headline === true,
      isBeside: field.beside === true,
      isDeprecated: field.deprecated === true,
      role,
      title: field.title ?? titles[name] ?? name,
      description,
      ...(choices ? { choices } : {}),
      fields: fieldsOf(entry ?? field, definitions, { prefix: `${path}.`, role, names: entry ? [] : names }),
    }
  })

const fieldsByAnswer = new WeakMap<AnyQuery['answer'], readonly AnswerField[]>()

/** The fields of a query's answers in the order of their schema. */
export const answerFields = ({ answer }: Pick<AnyQuery, 'answer'>): readonly AnswerField[] => {
  const cached = fieldsByAnswer.get(answer)
  if (cached) return cached
  const schema = z.toJSONSchema(answer, { unrepresentable: 'any' }) as JsonSchema
  const { $defs = {} } = schema
  const fields = fieldsOf(resolved(schema, $defs), $defs, { prefix: '', names: [], role: 'figure' })
  fieldsByAnswer.set(answer, fields)
  return fields
}

/** Fields, each followed by those inside it. */
export const withInner = (fields: readonly AnswerField[]): AnswerField[] =>
  fields.flatMap((field) => [field, ...withInner(field.fields)])

/** The units that fields have, with their meanings. */
export const unitsOf = (fields: readonly Pick<AnswerField, 'unit'>[]): (readonly [Unit, string])[] =>
  [...new Set(fields.flatMap(({ unit }) => unit ?? []))].map((unit) => [unit, units[unit]])

/** What a field means, after what it is in its answer. */
export const meaningOf = ({ isHeadline, isDeprecated, description }: AnswerField): string =>
  `${isHeadline ? 'Headline. ' : ''}${isDeprecated ? 'Deprecated. ' : ''}${description}`.trimEnd()

/** Fields as columns: those of records in place of the records. */
export const columnsOf = (fields: readonly AnswerField[]): AnswerField[] =>
  fields.flatMap((field) => {
    if (field.shape !== 'record') return field
    const { title, fields } = field
    return columnsOf(fields).map((column) => ({ ...column, title: titleIn(title, column.title), record: title }))
  })

const memberOf = (record: unknown, name: string): unknown =>
  (record as Record<string, unknown> | null | undefined)?.[name]

/** The value of a field of an answer or row; null where it or its record is null or absent. */
export const valueAt = (record: unknown, { name }: Pick<AnswerField, 'name'>): unknown =>
  (name.includes('.') ? name.split('.').reduce(memberOf, record) : memberOf(record, name)) ?? null

/** The type of a field in JSON. */
export const jsonTypeOf = ({ shape, kind }: Pick<AnswerField, 'shape' | 'kind'>): string => {
  if (shape === 'record') return 'object'
  if (shape !== 'value') return 'array'
  return kind === 'integer' || kind === 'number' || kind === 'boolean' ? kind : 'string'
}

/** Whether the rows of fields are the periods of a series, the newest last. */
export const hasPeriods = (fields: readonly Pick<AnswerField, 'name'>[]): boolean =>
  fields.some(({ name }) => name === 'period')

/** The field that names the rows of a table: the period of a series, else the first text. */
export const rowNameOf = ({ fields }: AnswerField): AnswerField | undefined => {
  const columns = columnsOf(fields)
  return (
    columns.find(({ name }) => name === 'period') ?? columns.find(({ kind, role }) => kind === 'text' && role !== 'key')
  )
}
