import { type Schema, SERVICE } from './openapi-parts.ts'

/** The limit of registries and of what agents read at once. */
const MAX_BYTES = 131_072

type OperationObject = { tags: string[]; responses: Record<string, Schema> }
type ContractObject = { paths: Record<string, Record<string, OperationObject>>; components: Record<string, Schema> }

const referencesIn = (part: unknown): string[] =>
  [...JSON.stringify(part).matchAll(/"#\/components\/(\w+\/[^"]+)"/g)].map(([, name = '']) => name)

/** A document without the components that nothing in it refers to. */
export const withoutUnused = (document: Schema): Schema => {
  const { components, ...others } = document as ContractObject
  const used = new Set(referencesIn(others))
  // A set that grows while it is read.
  for (const reference of used) {
    const [kind = '', name = ''] = reference.split('/')
    for (const inner of referencesIn(components[kind]?.[name] ?? {})) used.add(inner)
  }
  const kept = Object.entries(components).map(([kind, named]) => [
    kind,
    Object.fromEntries(Object.entries(named).filter(([name]) => used.has(`${kind}/${name}`))),
  ])
  return { ...others, components: Object.fromEntries(kept) }
}

/** A document in which the answers of queries are objects without fields: the documents of their groups have these. */
const withoutAnswers = (document: Schema): Schema => {
  const { paths, ...others } = document as ContractObject
  const operationOf = (operation: OperationObject): OperationObject => {
    const { tags, responses } = operation
    if (tags.includes(SERVICE)) return operation
    const schema = { type: 'object', description: `Its fields: /openapi/${tags[0]}.json.` }
    const answer = { description: 'Answer', content: { 'application/json': { schema } } }
    return { ...operation, responses: { ...responses, 200: answer } }
  }
  const opened = Object.entries(paths).map(([path, { get, ...methods }]) => [
    path,
    { ...methods, ...(get ? { get: operationOf(get) } : {}) },
  ])
  return withoutUnused({ ...others, paths: Object.fromEntries(opened) })
}

const withoutExamples = (document: Schema): Schema => {
  const { paths, ...others } = document as ContractObject
  const omitted = (name: string, value: unknown) => (name === 'example' ? undefined : value)
  return { ...others, paths: JSON.parse(JSON.stringify(paths, omitted)) }
}

const isWithin = (document: Schema, max_bytes: number): boolean =>
  Buffer.byteLength(JSON.stringify(document)) < max_bytes

/**
 * A document that stays below the limit however many queries there are: without the examples of answers if they do not
 * fit, else without the types of answers.
 */
export const fitted = (document: Schema, max_bytes = MAX_BYTES): Schema =>
  [(whole: Schema) => whole, withoutExamples, withoutAnswers]
    .map((shorten) => shorten(document))
    .find((short) => isWithin(short, max_bytes)) ?? withoutAnswers(withoutExamples(document))
