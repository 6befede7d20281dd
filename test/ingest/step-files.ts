import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../ingest', import.meta.url))

/** One file of statements, or a part of one, with the names in its first line; those without one are the tables it creates. */
export type StepFile = {
  /** As a step's path: `social/posts`, and `ingest/previous` for a file that is in no room. */
  path: string
  room: string
  firstLine: string
  code: string
  in: readonly string[]
  out: readonly string[]
}

const NAME = '"?([a-z_][a-z0-9_]*)"?'
const namesBy = (pattern: RegExp, code: string): string[] => [
  ...new Set([...code.matchAll(pattern)].map(([, name]) => name!)),
]

/** Statements without comments, and with the text of literals that name no key or file left out. */
const codeOf = (text: string): string => text.replace(/--.*$/gm, '')

const namesIn = (list: string): string[] => list.split(',').flatMap((name) => name.trim() || [])

/** The tables and views that statements create. */
export const createdIn = (code: string): string[] =>
  namesBy(new RegExp(`CREATE (?:OR REPLACE )?(?:TEMP )?(?:TABLE|VIEW) ${NAME}`, 'g'), code)

/** The tables that statements add rows to. */
export const insertedIn = (code: string): string[] => namesBy(new RegExp(`(?:INSERT INTO|UPDATE) ${NAME}`, 'g'), code)

/** The tables and views that statements read, without those that they name in a WITH clause. */
export const readIn = (code: string): string[] => {
  const statements = code.replace(/\bDISTINCT FROM\b/g, 'DISTINCT_FROM').replace(/'[^']*'/g, "''")
  const common = new Set(namesBy(new RegExp(`(?:WITH|,)\\s+${NAME} AS \\(`, 'g'), statements))
  const list = new RegExp(
    `(?:\\bFROM|\\bJOIN|\\bCOPY)\\s+((?:${NAME}(?: AS \\w+)?,\\s*)*${NAME})(?!\\w*\\s*\\(|\\w)`,
    'g',
  )
  const names = [...statements.matchAll(list)].flatMap(([, tables]) =>
    tables!.split(',').map((table) => table.trim().split(' ')[0]!),
  )
  return [...new Set(names)].filter((name) => !common.has(name)).sort()
}

/** The variables that statements read and those that they set, as `$name`. */
export const variablesIn = (code: string): { read: string[]; set: string[] } => ({
  read: namesBy(/getvariable\('(\w+)'\)/g, code).map((name) => `$${name}`),
  set: namesBy(/SET VARIABLE (\w+)/g, code).map((name) => `$${name}`),
})

/** The parts of a file, of which each begins with its name; one that has none is a single part, named after the file. */
const partsOf = (file: string): { name: string; text: string }[] => {
  const text = readFileSync(`${ROOT}/${file}`, 'utf8')
  const own = file
    .split('/')
    .at(-1)!
    .replace(/\.sql$/, '')
  return text.split(/^(?=-- name: )/m).map((part) => {
    const [, name, rest] = /^-- name: (\S+)\n(.*)$/s.exec(part) ?? []
    return { name: name ?? own, text: rest ?? part }
  })
}

const readPart = (file: string, { name, text }: { name: string; text: string }): StepFile => {
  const room = file.includes('/') ? file.split('/')[0]! : 'ingest'
  const firstLine = text.split('\n', 1)[0]!
  const [, inputs, outputs] = /^-- in:(.*?) out:(.*)$/.exec(firstLine) ?? []
  const code = codeOf(text)
  return {
    path: `${room}/${name}`,
    room,
    firstLine,
    code,
    in: namesIn(inputs ?? ''),
    out: outputs === undefined ? [...createdIn(code), ...variablesIn(code).set] : namesIn(outputs),
  }
}

const modules = readdirSync(ROOT, { recursive: true })
  .map(String)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(`${ROOT}/${file}`, 'utf8'))

/** The tables and views that TypeScript creates, for one file or month, and those it reads itself. */
export const byTypeScript = {
  created: modules.flatMap(createdIn),
  read: modules.flatMap((text) => namesBy(new RegExp(`(?:FROM|JOIN)\\s+${NAME}`, 'g'), text)),
}

/** Every file of statements of `ingest`, by its parts, but for those of ClickHouse. */
export const stepFiles: readonly StepFile[] = readdirSync(ROOT, { recursive: true })
  .map(String)
  .filter((file) => file.endsWith('.sql') && !file.endsWith('.clickhouse.sql'))
  .sort()
  .flatMap((file) => partsOf(file).map((part) => readPart(file, part)))
