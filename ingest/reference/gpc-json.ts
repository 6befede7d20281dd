import { z } from 'zod'
import type { GpcEntry } from './gpc-release.ts'

const node = z.object({
  Level: z.int(),
  Code: z.union([z.int(), z.string()]),
  Title: z.string().nullish(),
  Definition: z.string().nullish(),
  DefinitionExcludes: z.string().nullish(),
  Active: z.boolean().nullish(),
  Childs: z.array(z.unknown()).nullish(),
})

function* entriesBelow(children: readonly unknown[]): Generator<GpcEntry> {
  for (const child of children) {
    const { Level, Code, Title, Definition, DefinitionExcludes, Active, Childs } = node.parse(child)
    yield {
      level: Level,
      code: String(Code).trim(),
      title: (Title ?? '').trim(),
      definition: Definition,
      excludes: DefinitionExcludes,
      active: Active ?? true,
    }
    if (Childs) yield* entriesBelow(Childs)
  }
}

/** The nodes of an official JSON release, in document order. Throws where it is not of that form. */
export const entriesOfJson = (text: string): Iterable<GpcEntry> => {
  const { Schema } = z.object({ Schema: z.array(z.unknown()) }).parse(JSON.parse(text))
  return entriesBelow(Schema)
}
