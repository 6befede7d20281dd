import { z } from 'zod'

// biome-ignore lint/suspicious/noExplicitAny: a walk over schemas of every shape
type Schema = any

/** The same schema, in which no object may have a key that the schema does not name. */
export const strict = <S extends z.ZodType>(schema: S): S => {
  const { def }: Schema = schema
  switch (def.type) {
    case 'object': {
      const shape = Object.entries<z.ZodType>(def.shape).map(([key, value]) => [key, strict(value)])
      return z.strictObject(Object.fromEntries(shape)) as Schema
    }
    case 'array':
      return z.array(strict(def.element)) as Schema
    case 'nullable':
      return z.nullable(strict(def.innerType)) as Schema
    case 'optional':
      return z.optional(strict(def.innerType)) as Schema
    case 'union':
      return z.union(def.options.map(strict)) as Schema
    default:
      return schema
  }
}
