/** A step of a path into a document: into a member, into each element, or into each member, whose key becomes a column. */
type Step = { kind: 'member'; name: string } | { kind: 'elements' } | { kind: 'members'; column: string }

export type JsonPath = readonly Step[]

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type Members = Readonly<Record<string, Json>>

const isObject = (value: Json): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a value is, in words. */
export const describe = (value: unknown): string => {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === 'object') return `an object of ${Object.keys(value).length} members`
  return typeof value === 'string' ? 'a text' : `a ${typeof value}`
}

const STEP = /^(?:\[\]|\{([^{}[\]]+)\}|([^.{}[\]]+))/

/**
 * Reads a path such as `data.items[]`, `items[].history[]` or `{sku}.price_records[].{time}`. Throws an Error that says
 * what is wrong with it.
 */
export const parseJsonPath = (text: string): JsonPath => {
  const steps: Step[] = []
  for (let rest = text; rest !== ''; ) {
    const match = STEP.exec(rest)
    if (!match)
      throw new Error(
        `json_path ${text} cannot be read from ${JSON.stringify(rest)} on: name, [] or {name} is expected`,
      )
    const [whole, column, name] = match
    if (name !== undefined) steps.push({ kind: 'member', name })
    else steps.push(column === undefined ? { kind: 'elements' } : { kind: 'members', column })
    rest = rest.slice(whole.length)
    // A dot separates steps, but for [] that follows another at once.
    if (rest.startsWith('.') && rest.length > 1) rest = rest.slice(1)
    else if (rest !== '' && !rest.startsWith('[]')) throw new Error(`json_path ${text} lacks a dot before ${rest}`)
  }
  if (steps.length === 0) throw new Error('json_path is empty')
  return steps
}

/** Goes along a path, and gathers what belongs to a record on the way. */
class Walk {
  readonly #path: JsonPath
  /** Where the walk is, for messages: what each step came to. */
  readonly #trail: string[] = []
  readonly #keys: Record<string, Json> = {}

  constructor(path: JsonPath) {
    this.#path = path
  }

  *records(value: Json, outer: Members = {}): Generator<Members> {
    const step = this.#path[this.#trail.length]
    if (step === undefined) yield this.#record(value, outer)
    else if (step.kind === 'elements') {
      if (!Array.isArray(value)) throw this.#unfit('[] goes through an array', value)
      for (const [at, element] of value.entries()) yield* this.#enter(`[${at}]`, element, outer)
    } else if (!isObject(value)) {
      const expected =
        step.kind === 'member' ? `"${step.name}" is a member of an object` : `{${step.column}} goes through an object`
      throw this.#unfit(expected, value)
    } else if (step.kind === 'members')
      for (const [key, member] of Object.entries(value)) {
        this.#keys[step.column] = key
        yield* this.#enter(`.${key}`, member, outer)
      }
    else {
      if (!Object.hasOwn(value, step.name)) throw this.#unfit(`there is no member "${step.name}"`, value)
      const scalars = Object.entries(value).filter(([, member]) => typeof member !== 'object' || member === null)
      yield* this.#enter(`.${step.name}`, value[step.name]!, { ...outer, ...Object.fromEntries(scalars) })
    }
  }

  *#enter(where: string, value: Json, outer: Members): Generator<Members> {
    this.#trail.push(where)
    yield* this.records(value, outer)
    this.#trail.pop()
  }

  #record(value: Json, outer: Members): Members {
    if (Array.isArray(value) && this.#path.at(-1)?.kind === 'member')
      throw this.#unfit('add [] to the path for a record of each element', value)
    return { ...outer, ...(isObject(value) ? value : { value }), ...this.#keys }
  }

  #unfit(expected: string, value: Json): Error {
    const members = isObject(value) ? `: ${Object.keys(value).slice(0, 10).join(', ')}` : ''
    const where = this.#trail.join('').replace(/^\./, '') || 'the top of the document'
    return new Error(`json_path does not fit at ${where}: ${expected}, and there is ${describe(value)}${members}`)
  }
}

/**
 * The records that a path leads to in a document. A record has the members of the innermost object, the members of the
 * objects around it that are no objects or arrays themselves, the inner of two of the same name, and the keys that `{name}`
 * steps went through, which take precedence. An innermost value that is no object is its member `value`. Throws an Error
 * where a step does not fit.
 */
export const recordsAt = (document: unknown, path: JsonPath): Generator<Members> =>
  new Walk(path).records(document as Json)

/** A path to the records that a document may hold: of its arrays the one with the most objects, or its own members. */
export const suggestPath = (document: unknown): string => {
  let best = { path: 'items[]', objects: 0 }
  const visit = (value: unknown, path: string, depth: number): void => {
    if (Array.isArray(value)) {
      const objects = value.filter(isObject).length
      if (objects > best.objects) best = { path: `${path}[]`, objects }
    } else if (isObject(value as Json) && depth < 3)
      for (const [name, member] of Object.entries(value as Members))
        if (!/[.{}[\]]/.test(name)) visit(member, path === '' ? name : `${path}.${name}`, depth + 1)
  }
  const members = Object.values((document ?? {}) as Members)
  if (members.length > 1 && members.every(isObject)) return '{key}'
  visit(document, '', 0)
  return best.path
}
