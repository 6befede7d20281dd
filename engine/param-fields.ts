import { z } from 'zod'
import type { ParamSchema } from './expectation.ts'
import type { Unit } from './field.ts'
import type { AnyQuery } from './query.ts'

/** A parameter of a query, with its JSON Schema. */
export type ParamField = ParamSchema & {
  name: string
  description?: string
  unit?: Unit
  default?: unknown
  isRequired: boolean
}

type Parameters = { properties?: Record<string, Omit<ParamField, 'name' | 'isRequired'>>; required?: string[] }

const fieldsByParams = new WeakMap<AnyQuery['params'], readonly ParamField[]>()

/** The parameters of a query in the order of its schema. */
export const paramFields = ({ params }: Pick<AnyQuery, 'params'>): readonly ParamField[] => {
  const cached = fieldsByParams.get(params)
  if (cached) return cached
  const { properties = {}, required = [] } = z.toJSONSchema(params, { io: 'input' }) as Parameters
  const fields = Object.entries(properties).map(([name, schema]) => ({
    ...schema,
    name,
    isRequired: required.includes(name),
  }))
  fieldsByParams.set(params, fields)
  return fields
}

/** A parameter of a query; undefined where the query has none of the name. */
export const paramNamed = (query: Pick<AnyQuery, 'params'>, name: string): ParamField | undefined =>
  paramFields(query).find((param) => param.name === name)
