import { z } from 'zod'
import type { GpcEntry } from './gpc-release.ts'

const text = z.string('expected a text').nullish()
const list = z.array(z.unknown(), 'expected a list')

const node = z.object(
  {
    Level: z.int('expected a whole number'),
    Code: z.union([z.int(), z.string()], 'expected a number or text'),
    Title: text,
    Definition: text,
    DefinitionExcludes: text,
    Active: z.boolean('expected true or false').nullish(),
    Childs: list.nullish(),
  },
  'expected an object',
)
const release = z.object({ Schema: list }, 'expected an object')

const checked = <T>(schema: z.ZodType<T>, value: unknown, location: string): T => {
  const { success, data, error } = schema.safeParse(value)
  if (success) return data
  const [issue] = error.issues
  throw new Error([location, ...(issue?.path ?? []), issue?.message].join(': '))
}

function* entriesBelow(children: readonly unknown[], parent: string): Generator<GpcEntry> {
  for (const child of children) {
    const { Level, Code, Title, Definition, DefinitionExcludes, Active, Childs } = checked(
      node,
      child,
      `below ${parent}`,
    )
    const code = String(Code).trim()
    yield {
      level: Level,
      code,
      title: (Title ?? '').trim(),
      definition: Definition,
      excludes: DefinitionExcludes,
      active: Active ?? true,
    }
    if (Childs) yield* entriesBelow(Childs, code)
  }
}

/** The nodes of an official JSON release, in document order. Throws if it has another structure. */
export const entriesOfJson = (text: string): Iterable<GpcEntry> =>
  entriesBelow(checked(release, JSON.parse(text), 'the file').Schema, 'Schema')
