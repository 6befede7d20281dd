import { type ParamField, paramFields, type WithParams } from './param-fields.ts'

/** A value that a parameter accepts, for trying which parameters a query needs. */
const acceptedValue = ({ examples, enum: choices, default: usual }: ParamField): unknown =>
  examples?.[0] ?? usual ?? choices?.[0] ?? '1'

const byParams = new WeakMap<WithParams['params'], readonly (readonly string[])[]>()

/**
 * The parameters that a query needs: each entry is a parameter, or several of which one is enough. Found by trying, so that
 * rules between parameters need no second declaration.
 */
export const requiredParams = (query: Pick<WithParams, 'params'>): readonly (readonly string[])[] => {
  const cached = byParams.get(query.params)
  if (cached) return cached
  const fields = paramFields(query)
  const required = fields.filter(({ isRequired }) => isRequired)
  const values = Object.fromEntries(required.map((field) => [field.name, acceptedValue(field)]))
  const isEnough = (more: Record<string, unknown>) => query.params.safeParse({ ...values, ...more }).success
  const alternatives = isEnough({})
    ? []
    : fields.filter((field) => isEnough({ [field.name]: acceptedValue(field) })).map(({ name }) => name)
  const names = [...required.map(({ name }) => [name]), ...(alternatives.length > 0 ? [alternatives] : [])]
  byParams.set(query.params, names)
  return names
}

/** The parameters of the shortest example: one of each entry that a query needs, or one with an example if it needs none. */
export const paramsOfExample = (query: Pick<WithParams, 'params'>): readonly ParamField[] => {
  const fields = paramFields(query)
  const documented = fields.filter(({ examples }) => examples)
  const oneOf = (names: readonly string[]) => [...documented, ...fields].find(({ name }) => names.includes(name))
  const needed = new Set(requiredParams(query).map(oneOf))
  return needed.size > 0 ? fields.filter((field) => needed.has(field)) : documented.slice(0, 1)
}

/** Names in a sentence: `q, product_uid or entity_uid`. */
const anyOf = (names: readonly string[]): string =>
  [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' or ')

/** The parameters that a query needs, in words: `brand`, `category or department`; empty where it needs none. */
export const requiredText = (query: Pick<WithParams, 'params'>): string =>
  requiredParams(query).map(anyOf).join(' and ')
