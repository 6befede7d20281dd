import { z } from 'zod'
import type { Unit } from './field.ts'
import type { AnyQuery } from './query.ts'

/** A parameter or an answer field with its meaning, in the order of the schema. */
export type DescribedField = {
  /** Names joined with dots, with `[]` after a list: `time_series[].avg_price`. */
  path: string
  description: string | undefined
  /** What its numbers or days are measured in. */
  unit: Unit | undefined
  /** Its type in JSON Schema; of a list that of its entries. */
  type: string
  /** The values of a choice. */
  choices: readonly string[] | undefined
  isNumeric: boolean
  /** Whether it is the figure to quote from its answer. */
  isHeadline: boolean
  isDeprecated: boolean
}

type Node = {
  type?: string
  const?: unknown
  enum?: readonly string[]
  properties?: Record<string, Node>
  items?: Node
  anyOf?: Node[]
  $ref?: string
  $defs?: Record<string, Node>
  description?: string
  unit?: Unit
  headline?: boolean
  deprecated?: boolean
}

/** A node with its `$ref` resolved and `null` removed from its `anyOf`; the node's own keywords take precedence. */
const dereferenced = ({ $ref, anyOf, ...node }: Node, defs: Record<string, Node>): Node => {
  const [only] = (anyOf ?? []).filter(({ type }) => type !== 'null')
  const inner = $ref === undefined ? only : defs[$ref.split('/').at(-1)!]
  return inner ? { ...dereferenced(inner, defs), ...node } : node
}

const fieldsIn = (node: Node, defs: Record<string, Node>, path = ''): DescribedField[] =>
  Object.entries(node.properties ?? {}).flatMap(([name, property]) => {
    const inner = dereferenced(property, defs)
    const items = inner.items && dereferenced(inner.items, defs)
    const fieldPath = `${path}${name}${items ? '[]' : ''}`
    const { description, unit, headline = false, deprecated = false } = inner
    const { type = 'string', enum: choices } = items ?? inner
    const isNumeric = !items && (type === 'number' || type === 'integer')
    return [
      { path: fieldPath, description, unit, type, choices, isNumeric, isHeadline: headline, isDeprecated: deprecated },
      ...fieldsIn(items ?? inner, defs, `${fieldPath}.`),
    ]
  })

const describedBy = (schema: z.ZodType, io: 'input' | 'output'): DescribedField[] => {
  const node = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Node
  const { $defs = {} } = node
  return fieldsIn(dereferenced(node, $defs), $defs)
}

/** The parameters of a query. */
export const describedParams = ({ params }: Pick<AnyQuery, 'params'>): DescribedField[] => describedBy(params, 'input')
/** The fields of a query's answer, each followed by the fields of its records or list entries. */
export const describedFields = ({ answer }: Pick<AnyQuery, 'answer'>): DescribedField[] => describedBy(answer, 'output')
