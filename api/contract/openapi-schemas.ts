import { z } from 'zod'
import { type AnyQuery, paramFields, paramsOfExample, schemaNamed } from '../../engine/index.ts'
import { inRequests } from '../http/address.ts'
import type { Schema } from './openapi-parts.ts'

/** The detail of a contract document: types only, to stay under 128 KiB, or everything. */
export type Detail = 'brief' | 'full'

const ALLOWED_WITH_REF = ['$ref', 'description', 'headline']

/** The schema of a value or null: `null` is added to its types. */
const withNull = ({ type, enum: values, ...other }: Schema): Schema => ({
  ...other,
  type: [type, 'null'].flat(),
  ...(values ? { enum: [...(values as unknown[]), null] } : {}),
})

type NamedSchemas = Record<string, Schema>
/** How schemas are rendered; `named` has those that a full document inlines where they may be null. */
type RenderOptions = { detail: Detail; components?: NamedSchemas }

/** Removes the copy of what a reference refers to, and replaces alternatives with null by one nullable schema. */
const simplified = ({ anyOf, ...schema }: Schema, { detail, components }: RenderOptions): Schema => {
  if (schema.$ref) return Object.fromEntries(Object.entries(schema).filter(([key]) => ALLOWED_WITH_REF.includes(key)))
  if (!Array.isArray(anyOf)) return schema
  const others: Schema[] = anyOf.filter(({ type }) => type !== 'null')
  const [only] = others
  if (others.length === 1 && only) {
    const target = detail === 'full' ? schemaNamed(only.$ref, components ?? {}) : undefined
    if (target ?? !only.$ref) return { ...withNull(target ?? only), ...schema }
  }
  // A date or a time: both are ISO 8601 strings.
  if (others.every(({ type }) => type === 'string')) return { type: 'string', ...schema }
  return { anyOf, ...schema }
}

/** Keywords that only decide how a field is presented. */
const PRESENTATION = ['title', 'role', 'signed', 'beside']

const isRedundant = (key: string, value: unknown, schema: Schema): boolean =>
  PRESENTATION.includes(key) ||
  // Fields may be added later; a format implies its pattern.
  key === 'additionalProperties' ||
  (key === 'pattern' && schema.format !== undefined) ||
  Math.abs(value as number) === Number.MAX_SAFE_INTEGER

/**
 * What the brief document omits: the guidance says that every field is always present, counts are never negative, and
 * an enumeration implies its type.
 */
const isOmitted = (key: string, schema: Schema): boolean =>
  ['required', 'description', 'unit', 'headline', 'minimum', 'maximum'].includes(key) ||
  (key === 'type' && schema.enum !== undefined)

const renamed: Readonly<Record<string, string>> = { unit: 'x-unit', headline: 'x-headline' }

/** Renders a schema for a document. */
const rendered = (raw: Schema, options: RenderOptions): Schema => {
  const schema = simplified(raw, options)
  const entries = Object.entries(schema).filter(
    ([key, value]) => !isRedundant(key, value, schema) && !(options.detail === 'brief' && isOmitted(key, schema)),
  )
  return Object.fromEntries(
    entries.map(([key, value]) => {
      if (key === 'properties') return [key, renderAll(value as NamedSchemas, options)]
      if (key === 'items') return [key, rendered(value as Schema, options)]
      if (key === 'anyOf') return [key, (value as Schema[]).map((one) => rendered(one, options))]
      return [renamed[key] ?? key, value]
    }),
  )
}

const renderAll = (schemas: NamedSchemas, options: RenderOptions): NamedSchemas =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, rendered(schema, options)]))

type SchemaFields = Record<string, unknown>
const fieldsOf = ({ properties = {} }: Schema): SchemaFields => properties as SchemaFields

/** Fewer common fields are not worth a reference. */
const MIN_SHARED_FIELDS = 5

/** Schemas that extend another, such as rows of prices, refer to the largest such and list only the further fields. */
const withBases = (schemas: NamedSchemas): NamedSchemas => {
  const textsById = new Map(
    Object.entries(schemas).map(([id, schema]) => {
      const texts = Object.entries(fieldsOf(schema)).map(([name, field]) => [name, JSON.stringify(field)] as const)
      return [id, new Map(texts)] as const
    }),
  )
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => {
      const texts = textsById.get(id)!
      const [base] = Object.entries(schemas)
        .filter(([other]) => {
          const fields = textsById.get(other)!
          if (other === id || fields.size < MIN_SHARED_FIELDS || fields.size >= texts.size) return false
          return [...fields].every(([name, text]) => texts.get(name) === text)
        })
        .toSorted(([, a], [, b]) => Object.keys(fieldsOf(b)).length - Object.keys(fieldsOf(a)).length)
      if (!base) return [id, schema]
      const more = Object.entries(fieldsOf(schema)).filter(([name]) => !(name in fieldsOf(base[1])))
      return [
        id,
        { allOf: [{ $ref: `#/components/schemas/${base[0]}` }], ...schema, properties: Object.fromEntries(more) },
      ]
    }),
  )
}

const remembered = new Map<Detail, NamedSchemas>()

/** The schemas with an id: answers, and the blocks they share. */
export const answerSchemas = (detail: Detail): NamedSchemas => {
  const schemas = remembered.get(detail) ?? renderSchemas(detail)
  remembered.set(detail, schemas)
  return schemas
}

let read: NamedSchemas | undefined

/** The same as they are written in the code. Reading them takes long, so that they are read once. */
export const readSchemas = (): NamedSchemas => {
  if (read) return read
  const uri = (id: string) => `#/components/schemas/${id}`
  const { schemas } = z.toJSONSchema(z.globalRegistry, { io: 'output', uri })
  const entries = Object.entries(schemas as NamedSchemas).map(([id, { $schema: _, $id: __, ...schema }]) => [
    id,
    schema,
  ])
  read = Object.fromEntries(entries) as NamedSchemas
  return read
}

const renderSchemas = (detail: Detail): NamedSchemas => {
  const components = readSchemas()
  const all = renderAll(components, { detail, components })
  return detail === 'brief' ? withBases(all) : all
}

/** The parameters of an operation. */
export const parametersOf = (query: AnyQuery, detail: Detail): Schema[] => {
  const fields = paramFields(query)
  // Registries call an operation with the examples of its parameters.
  const exemplified = paramsOfExample(query)
  return fields.map((field) => {
    const { name, isRequired, description, examples, unit, ...raw } = field
    const { minLength, maxLength, ...short } = raw as Schema
    const schema = rendered(detail === 'brief' ? short : unit ? { ...raw, unit } : raw, { detail: 'full' })
    return {
      name,
      in: 'query',
      ...(isRequired ? { required: true } : {}),
      description: inRequests(description ?? ''),
      schema: exemplified.includes(field) && examples ? { ...schema, example: examples[0] } : schema,
    }
  })
}
