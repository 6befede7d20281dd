import { z } from 'zod'
import type { ParamSchema } from './expectation.ts'
import type { Unit } from './field.ts'

/** What is said of a query in messages about its parameters, and their schema. */
// biome-ignore lint/suspicious/noExplicitAny: queries have parameters of every shape
export type WithParams = { group: string; name: string; params: z.ZodObject<any> }

/** `analyst/inflation`: the name of a query in plans, paths and benchmarks. */
export const queryId = ({ group, name }: Pick<WithParams, 'group' | 'name'>): string => `${group}/${name}`

/** A parameter of a query, with its JSON Schema. */
export type ParamField = ParamSchema & {
  name: string
  description?: string
  unit?: Unit
  default?: unknown
  isRequired: boolean
}

type Parameters = { properties?: Record<string, Omit<ParamField, 'name' | 'isRequired'>>; required?: string[] }

/** The limits of the type of whole numbers say nothing of a parameter. */
const withoutTypeLimits = ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void => {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

const fieldsByParams = new WeakMap<WithParams['params'], readonly ParamField[]>()

/** The parameters of a query in the order of its schema. */
export const paramFields = ({ params }: Pick<WithParams, 'params'>): readonly ParamField[] => {
  const cached = fieldsByParams.get(params)
  if (cached) return cached
  const options = { io: 'input', override: withoutTypeLimits } as const
  const { properties = {}, required = [] } = z.toJSONSchema(params, options) as Parameters
  const fields = Object.entries(properties).map(([name, schema]) => ({
    ...schema,
    name,
    isRequired: required.includes(name),
  }))
  fieldsByParams.set(params, fields)
  return fields
}

/** A parameter of a query; undefined where the query has none of the name. */
export const paramNamed = (query: Pick<WithParams, 'params'>, name: string): ParamField | undefined =>
  paramFields(query).find((param) => param.name === name)
