/**
 * A step of a path into a document: into a member, into each element, into each member, whose key becomes a column, or into each
 * row of members that are columns, whose key or number becomes a column unless that is ''.
 */
type PathStep =
  | { kind: 'member'; name: string }
  | { kind: 'elements' }
  | { kind: 'members'; column: string }
  | { kind: 'rows'; column: string }

export type JsonPath = readonly PathStep[]

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export type JsonObject = { readonly [key: string]: Json }

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isContainer = (value: Json): boolean => typeof value === 'object' && value !== null
const isScalar = (value: Json): boolean => !isContainer(value)

/** Describes a value in words. */
export const describe = (value: unknown): string => {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === 'object') return `an object of ${Object.keys(value).length} members`
  return typeof value === 'string' ? 'a text' : `a ${typeof value}`
}

/** A number, alone or with a sign of a currency. */
const AMOUNT = /^\D{0,4}\d[\d.,\s]*\D{0,4}$/

const STEP = /^(?:\[\]|\{([^{}[\]]+)\}|<([^<>{}[\]]*)>|([^.{}[\]]+))/

/**
 * Reads a path such as `data.items[]`, `items[].history[]`, `{sku}.price_records[].{time}` or `data.<>`. Throws an Error that says
 * what is wrong with it.
 */
export const parseJsonPath = (text: string): JsonPath => {
  const steps: PathStep[] = []
  for (let rest = text; rest !== ''; ) {
    const match = STEP.exec(rest)
    if (!match) throw new Error(`json_path ${text}: expected name, [], {name} or <name> at ${JSON.stringify(rest)}`)
    const [whole, column, row, name] = match
    if (name !== undefined) steps.push({ kind: 'member', name })
    else if (row !== undefined) steps.push({ kind: 'rows', column: row })
    else steps.push(column === undefined ? { kind: 'elements' } : { kind: 'members', column })
    rest = rest.slice(whole.length)
    // A dot separates steps, except before a [] that follows directly.
    if (rest.startsWith('.') && rest.length > 1) rest = rest.slice(1)
    else if (rest !== '' && !rest.startsWith('[]')) throw new Error(`json_path ${text}: expected a dot before ${rest}`)
  }
  if (steps.length === 0) throw new Error('json_path is empty')
  return steps
}

/** A step in messages. */
const stepText = (step: PathStep): string => {
  if (step.kind === 'elements') return '[]'
  if (step.kind === 'member') return `"${step.name}"`
  return step.kind === 'members' ? `{${step.column}}` : `<${step.column}>`
}

const entriesOf = (value: JsonObject, isWanted: (member: Json) => boolean): [name: string, member: Json][] =>
  Object.entries(value).filter(([, member]) => isWanted(member))

/** Follows a path, and collects the outer members and keys of each record. */
class Walk {
  readonly #path: JsonPath
  /** The current location, for messages. */
  readonly #trail: string[] = []
  readonly #keys: Record<string, Json> = {}

  constructor(path: JsonPath) {
    this.#path = path
  }

  *records(value: Json, outer: JsonObject = {}): Generator<JsonObject> {
    const step = this.#path[this.#trail.length]
    if (step === undefined) yield this.#record(value, outer)
    else if (step.kind === 'elements') {
      if (!Array.isArray(value)) throw this.#mismatch('[] needs an array', value)
      for (const [index, element] of value.entries()) yield* this.#enter(`[${index}]`, element, outer)
    } else if (!isObject(value)) {
      throw this.#mismatch(`${stepText(step)} needs an object`, value)
    } else if (step.kind === 'rows') {
      const columns = entriesOf(value, isContainer) as [string, JsonObject][]
      const around = { ...outer, ...Object.fromEntries(entriesOf(value, isScalar)) }
      for (const key of new Set(columns.flatMap(([, member]) => Object.keys(member)))) {
        const cells = columns.flatMap(([name, member]) => (Object.hasOwn(member, key) ? [[name, member[key]!]] : []))
        if (step.column !== '') this.#keys[step.column] = key
        yield* this.#enter(`<${key}>`, Object.fromEntries(cells), around)
      }
    } else if (step.kind === 'members') {
      const members = Object.entries(value)
      const hasParts = this.#trail.length < this.#path.length - 1 && members.some(([, member]) => isContainer(member))
      // A text beside objects is about all of them; a number may be a price, which must not be lost.
      const isNote = (member: Json) => hasParts && isScalar(member) && !AMOUNT.test(`${member}`)
      const around = { ...outer, ...Object.fromEntries(entriesOf(value, isNote)) }
      for (const [key, member] of members) {
        if (isNote(member)) continue
        this.#keys[step.column] = key
        yield* this.#enter(`.${key}`, member, around)
      }
    } else {
      if (!Object.hasOwn(value, step.name)) throw this.#mismatch(`there is no member "${step.name}"`, value)
      const around = { ...outer, ...Object.fromEntries(entriesOf(value, isScalar)) }
      yield* this.#enter(`.${step.name}`, value[step.name]!, around)
    }
  }

  *#enter(where: string, value: Json, outer: JsonObject): Generator<JsonObject> {
    this.#trail.push(where)
    yield* this.records(value, outer)
    this.#trail.pop()
  }

  #record(value: Json, outer: JsonObject): JsonObject {
    if (Array.isArray(value) && this.#path.at(-1)?.kind === 'member')
      throw this.#mismatch('add [] to the path for a record of each element', value)
    const record = isObject(value) ? value : { value }
    const shadowed = Object.entries(outer).filter(
      ([name, member]) => Object.hasOwn(record, name) && record[name] !== member,
    )
    const kept = shadowed.map(([name, member]) => [`outer.${name}`, member] as const)
    return { ...outer, ...Object.fromEntries(kept), ...record, ...this.#keys }
  }

  #mismatch(expected: string, value: Json): Error {
    const members = isObject(value) ? `: ${Object.keys(value).slice(0, 10).join(', ')}` : ''
    const where = this.#trail.join('').replace(/^\./, '') || 'the top of the document'
    return new Error(`json_path does not match at ${where}: ${expected}, got ${describe(value)}${members}`)
  }
}

/**
 * The records of a document at a path. A record has the members of the innermost object, the scalar members of the
 * objects around it, and the keys of `{name}` and `<name>` steps, which take precedence. Of two members with the same name the inner
 * one is kept, and the outer one as `outer.name`. An innermost value that is not an object becomes the member `value`.
 * Throws an Error if a step does not match.
 */
export const recordsAt = (document: unknown, path: JsonPath): Generator<JsonObject> =>
  new Walk(path).records(document as Json)

/** A likely path to the records of a document: its array with the most objects, or its own members. */
export const suggestPath = (document: unknown): string => {
  let best = { path: 'items[]', objects: 0 }
  const visit = (value: unknown, path: string, depth: number): void => {
    if (Array.isArray(value)) {
      const objects = value.filter(isObject).length
      if (objects > best.objects) best = { path: `${path}[]`, objects }
    } else if (isObject(value as Json) && depth < 3)
      for (const [name, member] of Object.entries(value as JsonObject))
        if (!/[.{}[\]]/.test(name)) visit(member, path === '' ? name : `${path}.${name}`, depth + 1)
  }
  const members = Object.values((document ?? {}) as JsonObject)
  if (members.length > 1 && members.every(isObject)) return '{key}'
  visit(document, '', 0)
  return best.path
}
