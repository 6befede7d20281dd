import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const engine = new URL('../../engine/', import.meta.url).pathname

/** An example of a docstring: where it is, the names that it imports, and what it does. */
export type DocExample = { file: string; imports: string[]; code: string }

const IMPORT = /^import \{ (.*) \} from 'shelfmark'$/m

const examplesIn = (file: string): DocExample[] => {
  const text = readFileSync(join(engine, file), 'utf8')
  return [...text.matchAll(/\/\*\*[\s\S]*?\*\//g)].flatMap(([doc]) => {
    const lines = doc.split('\n').map((line) => line.replace(/^\s*\*( |\/?$)/, ''))
    const [, ...examples] = lines.join('\n').split('@example\n')
    return examples.map((example) => ({
      file,
      imports: IMPORT.exec(example)?.[1]?.split(', ') ?? [],
      code: example.replace(IMPORT, '').trim(),
    }))
  })
}

/** The examples of the library's docstrings. One without imports goes on where an engine is open and all is imported. */
export const docExamples = (): DocExample[] =>
  readdirSync(engine, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .sort()
    .flatMap(examplesIn)
