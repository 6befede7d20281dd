import { z } from 'zod'
import { type AnyQuery, queries } from '../engine/index.ts'
import type { Schema } from './openapi-parts.ts'

/** How much a contract document says: types alone, to stay under 64 KiB, or everything. */
export type Detail = 'brief' | 'full'

const BESIDE_REFERENCE = ['$ref', 'description', 'headline']

/** A schema or null as one schema whose type has null beside the other. */
const withNull = ({ type, enum: values, ...other }: Schema): Schema => ({
  ...other,
  type: [type, 'null'].flat(),
  ...(values ? { enum: [...(values as unknown[]), null] } : {}),
})

type Named = Record<string, Schema>
/** How schemas are shown; `named` holds those that a full document repeats where they may be null. */
type Manner = { detail: Detail; named?: Named }

/** A reference without what it refers to, and alternatives without the choice of null where one schema can say it. */
const settled = ({ anyOf, ...schema }: Schema, { detail, named }: Manner): Schema => {
  if (schema.$ref) return Object.fromEntries(Object.entries(schema).filter(([key]) => BESIDE_REFERENCE.includes(key)))
  if (!Array.isArray(anyOf)) return schema
  const others: Schema[] = anyOf.filter(({ type }) => type !== 'null')
  const [only] = others
  if (others.length === 1 && only) {
    const target = detail === 'full' ? named?.[String(only.$ref).split('/').at(-1)!] : undefined
    if (target ?? !only.$ref) return { ...withNull(target ?? only), ...schema }
  }
  // A day or a moment: both are texts of ISO 8601.
  if (others.every(({ type }) => type === 'string')) return { type: 'string', ...schema }
  return { anyOf, ...schema }
}

const isRedundant = (key: string, value: unknown, schema: Schema): boolean =>
  // Fields may be added; and a format says what its pattern says.
  key === 'additionalProperties' ||
  (key === 'pattern' && schema.format !== undefined) ||
  Math.abs(value as number) === Number.MAX_SAFE_INTEGER

/**
 * What types can do without: the guidance says once that every field is always there, counts are known not to be
 * negative, and an enumeration shows its type.
 */
const isLeftOut = (key: string, schema: Schema): boolean =>
  ['required', 'description', 'unit', 'headline', 'minimum', 'maximum'].includes(key) ||
  (key === 'type' && schema.enum !== undefined)

const renamed: Readonly<Record<string, string>> = { unit: 'x-unit', headline: 'x-headline' }

/** A schema as a document shows it. */
const shown = (raw: Schema, manner: Manner): Schema => {
  const schema = settled(raw, manner)
  const entries = Object.entries(schema).filter(
    ([key, value]) => !isRedundant(key, value, schema) && !(manner.detail === 'brief' && isLeftOut(key, schema)),
  )
  return Object.fromEntries(
    entries.map(([key, value]) => {
      if (key === 'properties') return [key, mapped(value as Named, manner)]
      if (key === 'items') return [key, shown(value as Schema, manner)]
      if (key === 'anyOf') return [key, (value as Schema[]).map((one) => shown(one, manner))]
      return [renamed[key] ?? key, value]
    }),
  )
}

const mapped = (schemas: Named, manner: Manner): Named =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, shown(schema, manner)]))

/** Schemas that nothing refers to are those that were repeated instead; answers are referred to by operations. */
const withoutUnused = (schemas: Named): Named => {
  const answers = queries.map(({ answer }) => z.globalRegistry.get(answer)?.id)
  const text = JSON.stringify(schemas)
  return Object.fromEntries(
    Object.entries(schemas).filter(([id]) => answers.includes(id) || text.includes(`"#/components/schemas/${id}"`)),
  )
}

type Fields = Record<string, unknown>
const fieldsOf = ({ properties = {} }: Schema): Fields => properties as Fields

/** Fewer fields are not worth a reference. */
const MIN_SHARED = 10

/** Schemas that have all fields of another and more refer to it and list the others: rows of prices. */
const withBases = (schemas: Named): Named =>
  Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => {
      const own = Object.entries(fieldsOf(schema)).map(([name, field]) => [name, JSON.stringify(field)])
      const texts = new Map(own as [string, string][])
      const base = Object.entries(schemas).find(([other, { properties }]) => {
        const fields = Object.entries((properties ?? {}) as Fields)
        const isPart = fields.every(([name, field]) => texts.get(name) === JSON.stringify(field))
        return other !== id && fields.length >= MIN_SHARED && fields.length < texts.size && isPart
      })
      if (!base) return [id, schema]
      const more = Object.entries(fieldsOf(schema)).filter(([name]) => !(name in fieldsOf(base[1])))
      return [
        id,
        { allOf: [{ $ref: `#/components/schemas/${base[0]}` }], ...schema, properties: Object.fromEntries(more) },
      ]
    }),
  )

/** The schemas that carry an id: answers, and the blocks they share. */
export const answerSchemas = (detail: Detail): Named => {
  const uri = (id: string) => `#/components/schemas/${id}`
  const { schemas } = z.toJSONSchema(z.globalRegistry, { io: 'output', uri })
  const entries = Object.entries(schemas as Named).map(([id, { $schema: _, $id: __, ...schema }]) => [id, schema])
  const named: Named = Object.fromEntries(entries)
  const all = mapped(named, { detail, named })
  return withoutUnused(detail === 'brief' ? withBases(all) : all)
}

/** The parameters of an operation. */
export const parametersOf = ({ params }: AnyQuery, detail: Detail): Schema[] => {
  const { properties = {}, required = [] } = z.toJSONSchema(params, { io: 'input' }) as {
    properties?: Record<string, Schema>
    required?: string[]
  }
  // Registries try an operation with the examples of what must be given: of one alone where any of several will do.
  const tried =
    required.length > 0
      ? required
      : Object.keys(properties)
          .filter((name) => properties[name]?.examples)
          .slice(0, 1)
  return Object.entries(properties).map(([name, { description, examples, unit, ...raw }]) => {
    const schema = shown(detail === 'full' && unit ? { ...raw, unit } : raw, { detail: 'full' })
    return {
      name,
      in: 'query',
      ...(required.includes(name) ? { required: true } : {}),
      description,
      schema: tried.includes(name) && Array.isArray(examples) ? { ...schema, example: examples[0] } : schema,
    }
  })
}
