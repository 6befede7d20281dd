import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const at = (path: string): URL => new URL(`../${path}`, import.meta.url)
const read = (path: string): string => readFileSync(at(path), 'utf8')

const documents = readdirSync(at('.github'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `.github/${name}`)
const architecture = read('.github/ARCHITECTURE.md')

const MAX_HOPS = 15

/** The numbered lists between the marks of the document: file and function of each hop. */
const paths = [...architecture.matchAll(/<!-- hops:.*?<!-- \/hops -->/gs)].map(([list]) =>
  [...list.matchAll(/^\d+\. (.*)$/gm)].map(([, hop = '']) => {
    const [, file = '', name = ''] = /^`([\w./-]+\.ts):(#?\w+)` - \S/.exec(hop) ?? []
    return { hop, file, name }
  }),
)

/** Whether a text declares a constant, function, class, method or property of this name, at its top or in a class or object. */
const declares = (text: string, name: string): boolean =>
  new RegExp(`^(export )?(const|class|(async )?function) ${name}\\b`, 'm').test(text) ||
  new RegExp(`^ {2}((static|async|get|readonly) )*${name}(<.*>)?(: .* = |: .*[({]$|\\((.*[({])?$)`, 'm').test(text)

describe('the architecture document', () => {
  test('follows a request and a row, each in at most 15 steps', () => {
    expect(paths).toHaveLength(2)
    for (const path of paths) {
      expect(path.length).toBeGreaterThan(0)
      expect(path.length).toBeLessThanOrEqual(MAX_HOPS)
    }
  })

  test.each(paths.flat())('names a file and function that exist: $hop', ({ file, name }) => {
    expect(existsSync(at(file)), file).toBe(true)
    expect(declares(read(file), name), `${file} declares ${name}`).toBe(true)
  })
})

/** Names of the query that the documents add as an example. */
const FICTITIOUS = /retailer-ratings/

const ROOTS = 'engine|ingest|api|data|test|bench|\\.github|\\.ci'
const pathsIn = (text: string): string[] => {
  const inFolders = text.match(new RegExp(`(?<![\\w./@-])(${ROOTS})/[\\w./-]*\\w/?`, 'g')) ?? []
  const inRoot = text.match(/(?<=`)(\.\w+\.\w+|[A-Z][\w-]+\.md|[\w-]+\.json)(?=`)/g) ?? []
  return [...inFolders, ...inRoot].filter((path) => !FICTITIOUS.test(path))
}

/** A path of the documents as it lies in the tree: of tests the start of a file's name is enough, as for `npm test`. */
const isThere = (path: string): boolean => {
  if (existsSync(at(path))) return true
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  return folder.startsWith('test/') && readdirSync(at(folder)).some((name) => `${folder}${name}`.startsWith(path))
}

describe.each(documents)('%s', (path) => {
  const text = read(path)

  test('names only commands that are scripts of package.json', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    for (const [, name] of text.matchAll(/npm run (?:-s )?([a-z]+)/g)) expect(Object.keys(scripts)).toContain(name)
  })

  test('names only files and folders that exist', () => {
    const named = pathsIn(text)
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((name) => !isThere(name))).toEqual([])
  })

  test('has no table row twice, such as a term of the glossary', () => {
    const firsts = [...text.matchAll(/^\| ([^|]+?) \|/gm)].map(([, first = '']) => first)
    expect(firsts.filter((first, i) => first !== '---' && firsts.indexOf(first) !== i)).toEqual([])
  })
})
